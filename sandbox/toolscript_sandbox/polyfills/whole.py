"""What may hold itself, shown and compared as Python does it.

Monty's `str` of it goes one level too deep, its `repr` does not; and its `==` goes on for ever.
"""

_PLAIN = {int, str, float, bool, type(None), bytes}
_DEEPEST = 990
"""About as deep as Python compares."""


class _Whole:
    def __init__(self, obj):
        self.obj = obj

    def __repr__(self):
        return repr(self.obj)


def shown(obj):
    return _Whole(obj) if isinstance(obj, (dict, list, tuple)) else obj


def all_shown(values):
    return [shown(value) for value in values]


def each_shown(obj):
    """What stands behind the `%` of a template."""
    return tuple(all_shown(obj)) if type(obj) is tuple else (shown(obj),)


def equal(a, b):
    return _equal(a, b, 0)


def unequal(a, b):
    return not _equal(a, b, 0) if type(a) in (list, dict, tuple) and type(a) is type(b) else a != b


def _equal(a, b, depth):
    kind = type(a)
    if kind is not type(b) or kind not in (list, dict, tuple):
        return a == b
    if depth > _DEEPEST:
        raise RecursionError('maximum recursion depth exceeded in comparison')
    if len(a) != len(b):
        return False
    first, second = (a.values(), b.values()) if kind is dict else (a, b)
    if {type(item) for item in first} <= _PLAIN or {type(item) for item in second} <= _PLAIN:
        return a == b
    if kind is not dict:
        pairs = zip(a, b)
    elif all([key in b for key in a]):
        pairs = [(value, b[key]) for key, value in a.items()]
    else:
        return False
    for one, other in pairs:
        if one is not other and not _equal(one, other, depth + 1):
            return False
    return True
