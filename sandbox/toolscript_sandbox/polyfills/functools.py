"""What Monty's `functools` lacks."""

from collections import namedtuple

from .classes import cached_property as _cached_property
from .classes import carried_over, own


cached_property = _cached_property


def wraps(wrapped, assigned=(), updated=()): return lambda wrapper: carried_over(wrapper, wrapped)
def update_wrapper(wrapper, wrapped, assigned=(), updated=()): return carried_over(wrapper, wrapped)


def total_ordering(cls):
    """The comparisons that a class lacks, by the one that it has and `==`."""
    given = [name for name in ('__lt__', '__le__', '__gt__', '__ge__') if hasattr(cls, name)]
    if not given:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    root, compare = given[0], getattr(cls, given[0])
    for name in _BY_LESS:
        if name not in given:
            own(cls, name, _by_root(compare, _LESS[root], _BY_LESS[name]))
    return cls


def _by_root(compare, less, other):
    def asked(self, value):
        said = compare(self, value)
        return said if said is NotImplemented else other(less(said, self, value), self, value)

    return asked


_LESS = {
    '__lt__': lambda said, a, b: said,
    '__le__': lambda said, a, b: said and a != b,
    '__gt__': lambda said, a, b: not said and a != b,
    '__ge__': lambda said, a, b: not said,
}
_BY_LESS = {
    '__lt__': lambda less, a, b: less,
    '__le__': lambda less, a, b: less or a == b,
    '__gt__': lambda less, a, b: not less and a != b,
    '__ge__': lambda less, a, b: not less,
}


def cmp_to_key(mycmp): return lambda obj: _Compared(mycmp, obj)


class _Compared:
    def __init__(self, compare, obj): self._compare, self.obj = compare, obj
    def __lt__(self, other): return self._compare(self.obj, other.obj) < 0
    def __gt__(self, other): return self._compare(self.obj, other.obj) > 0
    def __eq__(self, other): return self._compare(self.obj, other.obj) == 0


def lru_cache(maxsize=128, typed=False):
    """A cache that says what it did (`cache_info`), which Monty's does not."""
    if maxsize is not None and not isinstance(maxsize, int):
        return _Cached(maxsize, 128)
    return lambda function: _Cached(function, maxsize)


def cache(function): return _Cached(function, None)


_CacheInfo = namedtuple('CacheInfo', 'hits misses maxsize currsize')


class _Cached:
    def __init__(self, function, maxsize):
        self.__wrapped__, self._maxsize = function, maxsize
        self.cache_clear()

    def cache_clear(self): self._found, self._hits, self._misses = {}, 0, 0
    def cache_info(self): return _CacheInfo(self._hits, self._misses, self._maxsize, len(self._found))

    def __call__(self, *args, **kwargs):
        key = (args, tuple(kwargs.items()))
        if key in self._found:
            self._hits += 1
            value = self._found.pop(key)
        else:
            self._misses += 1
            value = self.__wrapped__(*args, **kwargs)
            if self._maxsize is not None and len(self._found) >= self._maxsize > 0:
                self._found.pop(next(iter(self._found)))
        if self._maxsize is None or self._maxsize > 0:
            self._found[key] = value
        return value
