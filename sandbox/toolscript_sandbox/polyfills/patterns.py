"""What patterns ask of values, where a question stands in a pattern's stead (`class_patterns`)."""


def items_of(value):
    """A list of what a sequence has, or None for what is none."""
    if hasattr(type(value), '_is_record'):
        return list(value)
    match value:
        case [*items]:
            return items
    return None


def is_mapping(value):
    match value:
        case {}:
            return True
    return False


def without(mapping, keys):
    return {key: value for key, value in mapping.items() if key not in keys}
