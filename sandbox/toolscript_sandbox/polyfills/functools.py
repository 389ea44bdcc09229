"""What Monty's `functools` lacks."""

from collections import namedtuple

from .classes import carried_over


def wraps(wrapped, assigned=(), updated=()): return lambda wrapper: carried_over(wrapper, wrapped)
def update_wrapper(wrapper, wrapped, assigned=(), updated=()): return carried_over(wrapper, wrapped)


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
