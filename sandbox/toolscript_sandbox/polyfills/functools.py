"""What Monty's `functools` lacks."""

from collections import namedtuple

from .classes import cached_property as _cached_property
from .classes import carried_over, own
from .members import is_a


cached_property = _cached_property


def wraps(wrapped, assigned=(), updated=()):
    return lambda wrapper: carried_over(wrapper, wrapped)


def update_wrapper(wrapper, wrapped, assigned=(), updated=()):
    return carried_over(wrapper, wrapped)


def total_ordering(cls):
    """The comparisons that a class lacks, by the one that it has and `==`."""
    given = [name for name in ('__lt__', '__le__', '__gt__', '__ge__') if hasattr(cls, name)]
    if not given:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    compare, root = getattr(cls, given[0]), given[0]
    for name, other in _BY_ROOT[root].items():
        if name not in given:
            own(cls, name, _by_root(compare, other))
    return cls


def _by_root(compare, other):
    def asked(self, value):
        said = compare(self, value)
        return said if said is NotImplemented else other(said, self, value)

    return asked


_BY_ROOT = {
    '__lt__': {
        '__gt__': lambda said, a, b: not said and a != b,
        '__le__': lambda said, a, b: said or a == b,
        '__ge__': lambda said, a, b: not said,
    },
    '__le__': {
        '__ge__': lambda said, a, b: not said or a == b,
        '__lt__': lambda said, a, b: said and a != b,
        '__gt__': lambda said, a, b: not said,
    },
    '__gt__': {
        '__lt__': lambda said, a, b: not (said or a == b),
        '__ge__': lambda said, a, b: said or a == b,
        '__le__': lambda said, a, b: not said,
    },
    '__ge__': {
        '__le__': lambda said, a, b: not said or a == b,
        '__gt__': lambda said, a, b: said and a != b,
        '__lt__': lambda said, a, b: not said,
    },
}


def cmp_to_key(mycmp):
    # Where it stands in `sorted`, `sort`, `min` or `max` itself, these are rewritten to compare by the function.
    return lambda obj: _Compared(mycmp, obj)


class _Compared:
    def __init__(self, compare, obj):
        self._compare, self.obj = compare, obj

    def __lt__(self, other):
        return self._compare(self.obj, other.obj) < 0

    def __le__(self, other):
        return self._compare(self.obj, other.obj) <= 0

    def __gt__(self, other):
        return self._compare(self.obj, other.obj) > 0

    def __ge__(self, other):
        return self._compare(self.obj, other.obj) >= 0

    def __eq__(self, other):
        return self._compare(self.obj, other.obj) == 0


def singledispatch(func):
    return _Dispatching(func)


class _Dispatching:
    """A function that is chosen by the class of its first argument."""

    def __init__(self, func):
        self._default, self._kinds = func, []
        update_wrapper(self, func)

    def register(self, cls, func=None):
        if func is None:
            return lambda func: self.register(cls, func)
        for one in cls if isinstance(cls, tuple) else (cls,):
            if isinstance(one, tuple):
                self.register(one, func)
            else:
                self._kinds = [(kind, found) for kind, found in self._kinds if kind is not one]
                self._kinds.append((one, func))
        return func

    def dispatch(self, cls):
        found = self._exactly(cls)
        return self._default if found is None else found

    def _exactly(self, cls):
        for above in (cls, *getattr(cls, '_line_', ()), *((int,) if cls is bool else ())):
            for kind, func in self._kinds:
                if kind is above:
                    return func
        return None

    def _chosen(self, obj):
        found = self._exactly(type(obj))
        for kind, func in self._kinds if found is None else ():
            # What Monty's types inherit from (a Counter is a dict), and kinds of numbers.
            if kind is not object and is_a(obj, kind):
                return func
        return self.dispatch(object) if found is None else found

    def __call__(self, *args, **kwargs):
        if not args:
            raise TypeError(f'{self.__name__} requires at least 1 positional argument')
        return self._chosen(args[0])(*args, **kwargs)


def sorted_with(items, compare, reverse=False):
    merged = _merge_sort(list(items), (lambda a, b: compare(b, a)) if reverse else compare)
    return merged


def sort_with(items, compare, reverse=False):
    items[:] = sorted_with(items, compare, reverse)


def extreme_with(items, compare, sign):
    items = iter(items)
    try:
        found = next(items)
    except StopIteration:
        raise ValueError(f'{"max" if sign > 0 else "min"}() arg is an empty sequence')
    for item in items:
        if compare(item, found) * sign > 0:
            found = item
    return found


def _merge_sort(items, compare):
    if len(items) < 2:
        return items
    half = len(items) // 2
    left, right = _merge_sort(items[:half], compare), _merge_sort(items[half:], compare)
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if compare(right[j], left[i]) < 0:
            merged.append(right[j])
            j += 1
        else:
            merged.append(left[i])
            i += 1
    return merged + left[i:] + right[j:]


def counting_cache(function):
    return _Cached(function, None, False)


def counting_lru_cache(maxsize=128, typed=False):
    if maxsize is not None and not isinstance(maxsize, int):
        return _Cached(maxsize, 128, typed)
    return lambda function: _Cached(function, None if maxsize is None else max(maxsize, 0), typed)


_CacheInfo = namedtuple('CacheInfo', ['hits', 'misses', 'maxsize', 'currsize'])


class _Cached:
    """A function that counts what it remembers."""

    def __init__(self, function, maxsize, typed):
        self.__wrapped__ = function
        self._maxsize, self._typed = maxsize, typed
        self.cache_clear()

    def cache_clear(self):
        self._found, self._hits, self._misses = {}, 0, 0

    def cache_info(self):
        return _CacheInfo(self._hits, self._misses, self._maxsize, len(self._found))

    def cache_parameters(self):
        return {'maxsize': self._maxsize, 'typed': self._typed}

    def __call__(self, *args, **kwargs):
        kinds = tuple([type(value) for value in (*args, *kwargs.values())]) if self._typed else ()
        key = (args, tuple(kwargs.items()), kinds)
        if key in self._found:
            self._hits += 1
            value = self._found[key]
            if self._maxsize is not None:
                self._found.pop(key)
                self._found[key] = value
            return value
        self._misses += 1
        value = self.__wrapped__(*args, **kwargs)
        if self._maxsize is None or self._maxsize > 0:
            if self._maxsize is not None and key not in self._found and len(self._found) >= self._maxsize:
                self._found.pop(next(iter(self._found)))
            self._found[key] = value
        return value
