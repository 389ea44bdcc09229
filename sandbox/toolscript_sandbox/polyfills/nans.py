"""Questions that only the very same nan answers in Python, where all of them are one in Monty."""

_SAID = 'each nan is another one in Python, and all of them are one here: ask for x != x, and leave those out first'


def _is_nan(value):
    return type(value) is float and value != value


def _holds_nan(value):
    if isinstance(value, dict):
        return any([_holds_nan(part) for part in [*value.keys(), *value.values()]])
    if isinstance(value, (list, tuple, set, frozenset)):
        return any([_holds_nan(part) for part in value])
    return _is_nan(value)


def within(item, items):
    """`item in items`."""
    found = item in items
    if found and _holds_nan(item):
        raise NotImplementedError(_SAID)
    return found


def equal(a, b):
    """`a == b`."""
    found = a == b
    if type(found) is bool and found and _holds_nan(a):
        raise NotImplementedError(_SAID)
    return found


def looked_for(item):
    """What `index`, `count` and `remove` look for."""
    if _is_nan(item):
        raise NotImplementedError(_SAID)
    return item


def told_apart(items):
    """What a set or a `Counter` is made of."""
    if not isinstance(items, (dict, set, frozenset, str)):
        items = list(items)
        if len([item for item in items if _holds_nan(item)]) > 1:
            raise NotImplementedError(_SAID)
    return items
