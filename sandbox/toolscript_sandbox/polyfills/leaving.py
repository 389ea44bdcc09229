"""Values on their way out of the sandbox."""


def outward(value):
    """The value with values in place of members of enumerations, which could be no keys and stand in no sets there."""
    try:
        return _plain(value)
    except RecursionError:
        return value


def _plain(value):
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple([_plain(item) for item in value])
    if isinstance(value, (set, frozenset)):
        return {_plain(item) for item in value}
    return value._value_ if hasattr(type(value), '_enum_') else value
