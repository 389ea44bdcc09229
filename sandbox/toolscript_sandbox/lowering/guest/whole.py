"""What may hold itself, shown as Python shows it: Monty's `str` of it goes one level too deep, its `repr` does not."""


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
