"""Order among objects whose class says how they compare: Monty asks no method of theirs."""


def less(a, b):
    try:
        return a < b
    except TypeError as error:
        return _compared(a, b, '__lt__', '__gt__', less, error)


def greater(a, b):
    try:
        return a > b
    except TypeError as error:
        return _compared(a, b, '__gt__', '__lt__', greater, error)


def at_most(a, b):
    try:
        return a <= b
    except TypeError as error:
        return _compared(a, b, '__le__', '__ge__', at_most, error)


def at_least(a, b):
    try:
        return a >= b
    except TypeError as error:
        return _compared(a, b, '__ge__', '__le__', at_least, error)


def chained(left, *links):
    # Each part is computed when those before it hold.
    for compare, read in zip(links[::2], links[1::2]):
        right = read()
        said = compare(left, right)
        if not said:
            return said
        left = right
    return said


def _compared(a, b, method, mirrored, compare, error):
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and isinstance(a, list) == isinstance(b, list):
        for left, right in zip(a, b):
            if not (left is right or left == right):
                return compare(left, right)
        return compare(len(a), len(b))
    if type(a).__name__ == 'PosixPath' and type(b).__name__ == 'PosixPath':
        return compare(list(a.parts), list(b.parts))
    pairs = ((a, method, b), (b, mirrored, a))
    # An object of a class below answers first.
    for obj, name, other in pairs[::-1] if type(a) in getattr(type(b), '_line_', ()) else pairs:
        said = getattr(type(obj), name)(obj, other) if _says(obj, name) else NotImplemented
        if said is not NotImplemented:
            return said
    raise error


def _says(obj, method):
    return type(obj).__name__ != 'type' and hasattr(type(obj), method)


def total_ordering(cls):
    """The class with the comparisons that it lacks."""
    root = [name for name in ('__lt__', '__le__', '__gt__', '__ge__') if hasattr(cls, name)]
    if not root:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    for name, said in _MADE[root[0]].items():
        if name not in root:
            setattr(cls, name, said)
    return cls


def _negated(said):
    return said if said is NotImplemented else not said


def _or_equal(said, a, b):
    return said if said is NotImplemented else said or a == b


def _and_unequal(said, a, b):
    return said if said is NotImplemented else said and a != b


def _neither(said, a, b):
    return said if said is NotImplemented else not said and a != b


def _not_or_equal(said, a, b):
    return said if said is NotImplemented else not said or a == b


_MADE = {
    '__lt__': {
        '__gt__': lambda self, other: _neither(type(self).__lt__(self, other), self, other),
        '__le__': lambda self, other: _or_equal(type(self).__lt__(self, other), self, other),
        '__ge__': lambda self, other: _negated(type(self).__lt__(self, other)),
    },
    '__le__': {
        '__ge__': lambda self, other: _not_or_equal(type(self).__le__(self, other), self, other),
        '__lt__': lambda self, other: _and_unequal(type(self).__le__(self, other), self, other),
        '__gt__': lambda self, other: _negated(type(self).__le__(self, other)),
    },
    '__gt__': {
        '__lt__': lambda self, other: _neither(type(self).__gt__(self, other), self, other),
        '__ge__': lambda self, other: _or_equal(type(self).__gt__(self, other), self, other),
        '__le__': lambda self, other: _negated(type(self).__gt__(self, other)),
    },
    '__ge__': {
        '__le__': lambda self, other: _not_or_equal(type(self).__ge__(self, other), self, other),
        '__gt__': lambda self, other: _and_unequal(type(self).__ge__(self, other), self, other),
        '__lt__': lambda self, other: _negated(type(self).__ge__(self, other)),
    },
}


def largest(items, *rest, key=None, **default):
    return _extreme((items, *rest) if rest else items, key, greater, default, max)


def smallest(items, *rest, key=None, **default):
    return _extreme((items, *rest) if rest else items, key, less, default, min)


def _extreme(items, key, comes_first, default, plain):
    found, best = [], None
    for item in items:
        value = item if key is None else key(item)
        if not found or comes_first(value, best):
            found, best = [item], value
    return found[0] if found else plain([], **default)


def sort(items, *, key=None, reverse=False):
    items[:] = in_order(items, key=key, reverse=reverse)


def in_order(iterable, *, key=None, reverse=False):
    # The sort is stable in both directions: equal keys keep their order.
    keyed = [((item if key is None else key(item)), item) for item in iterable]
    keyed = _merged(keyed[::-1] if reverse else keyed)
    return [item for _, item in (keyed[::-1] if reverse else keyed)]


def _merged(keyed):
    if len(keyed) < 2:
        return keyed
    half = len(keyed) // 2
    left, right = _merged(keyed[:half]), _merged(keyed[half:])
    result, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if less(right[j][0], left[i][0]):
            result.append(right[j])
            j += 1
        else:
            result.append(left[i])
            i += 1
    return result + left[i:] + right[j:]


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if less(x, a[middle] if key is None else key(a[middle])):
            hi = middle
        else:
            lo = middle + 1
    return lo


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if less(a[middle] if key is None else key(a[middle]), x):
            lo = middle + 1
        else:
            hi = middle
    return lo


def insort_right(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


bisect = bisect_right
insort = insort_right
