"""Comparison, truth and length methods of classes, which Monty does not call."""

import random

from .natives import sorted as _sorted


def less(a, b): return _asked(a, b, lambda a, b: a < b, '__lt__', '__gt__')
def greater(a, b): return _asked(a, b, lambda a, b: a > b, '__gt__', '__lt__')
def at_most(a, b): return _asked(a, b, lambda a, b: a <= b, '__le__', '__ge__')
def at_least(a, b): return _asked(a, b, lambda a, b: a >= b, '__ge__', '__le__')


def _asked(a, b, compare, method, mirrored):
    try:
        return compare(a, b)
    except TypeError as error:
        unlike = error
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and isinstance(a, list) == isinstance(b, list):
        for left, right in zip(a, b):
            if not (left is right or left == right):
                return _asked(left, right, compare, method, mirrored)
        return compare(len(a), len(b))
    if type(a).__name__ in _SETS and type(b).__name__ in _SETS:
        part, whole = (a, b) if method in ('__lt__', '__le__') else (b, a)
        return compare(len(a), len(b)) and all([item in whole for item in part])
    if type(a).__name__ == type(b).__name__ == 'PosixPath':
        return compare(list(a.parts), list(b.parts))
    for obj, name, other in ((a, method, b), (b, mirrored, a)):
        if _has(obj, name):
            answer = getattr(type(obj), name)(obj, other)
            if answer is not NotImplemented:
                return answer
    raise unlike


_SETS = 'dict_keys dict_items set frozenset'.split()


def unequal(a, b):
    for obj, other in ((a, b), (b, a)):
        if _has(obj, '__ne__'):
            answer = getattr(type(obj), '__ne__')(obj, other)
            if answer is not NotImplemented:
                return answer
    return a is not b if _has(a, '__ne__') or _has(b, '__ne__') else a != b


def _has(obj, name): return type(obj).__name__ != 'type' and hasattr(type(obj), name)


def truth(obj=False):
    if _has(obj, '__bool__'):
        return obj.__bool__()
    return obj.__len__() != 0 if _has(obj, '__len__') else bool(obj)


def length(obj): return obj.__len__() if _has(obj, '__len__') else len(obj)


def choice(seq): return seq[random.choice(range(length(seq)))] if _has(seq, '__len__') else random.choice(seq)


def shuffle(x):
    if not _has(x, '__len__'):
        return random.shuffle(x)
    for i in range(length(x) - 1, 0, -1):
        j = random.choice(range(i + 1))
        x[i], x[j] = x[j], x[i]


def any(iterable):
    for item in iterable:
        if truth(item):
            return True
    return False


def all(iterable):
    for item in iterable:
        if not truth(item):
            return False
    return True


def max(items, *rest, key=None, **default): return _extreme((items, *rest) if rest else items, key, greater, default)
def min(items, *rest, key=None, **default): return _extreme((items, *rest) if rest else items, key, less, default)


def _extreme(items, key, comes_first, default):
    found, best = [], None
    for item in items:
        value = item if key is None else key(item)
        if not found or comes_first(value, best):
            found, best = [item], value
    if not found and 'default' not in default:
        raise ValueError('arg is an empty sequence')
    return found[0] if found else default['default']


def sorted(iterable, *, key=None, reverse=False):
    keyed = [((item if key is None else key(item)), item) for item in iterable]
    try:
        return [item for _, item in _sorted(keyed, key=lambda pair: pair[0], reverse=reverse)]
    except TypeError:
        pass
    # The sort is stable in both directions: equal keys keep their order.
    keyed = _merged(keyed[::-1] if reverse else keyed)
    return [item for _, item in (keyed[::-1] if reverse else keyed)]


def sort(items, **options):
    if type(items) is list:
        items[:] = sorted(items, **options)
    else:
        items.sort(**options)


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


def groupby(iterable, key=None):
    found = []
    for item in iterable:
        value = item if key is None else key(item)
        if not found or found[-1][0] != value:
            found.append((value, []))
        found[-1][1].append(item)
    return iter([(value, iter(items)) for value, items in found])


def _place(a, lo, hi, key, comes_later):
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if comes_later(a[middle] if key is None else key(a[middle])):
            hi = middle
        else:
            lo = middle + 1
    return lo


def bisect_right(a, x, lo=0, hi=None, *, key=None): return _place(a, lo, hi, key, lambda item: less(x, item))
def bisect_left(a, x, lo=0, hi=None, *, key=None): return _place(a, lo, hi, key, lambda item: not less(item, x))


def insort_right(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)
