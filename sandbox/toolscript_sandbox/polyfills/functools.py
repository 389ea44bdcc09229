"""What Monty's `functools` lacks."""

from .classes import is_instance, wrap


def wraps(wrapped, assigned=(), updated=()):
    return lambda wrapper: wrap(wrapper, wrapped)


update_wrapper = wrap


def cmp_to_key(mycmp):
    return lambda obj: _Compared(mycmp, obj)


class _Compared:
    def __init__(self, compare, obj):
        self._compare, self.obj = compare, obj

    def __lt__(self, other):
        return self._compare(self.obj, other.obj) < 0

    def __gt__(self, other):
        return self._compare(self.obj, other.obj) > 0

    def __le__(self, other):
        return self._compare(self.obj, other.obj) <= 0

    def __ge__(self, other):
        return self._compare(self.obj, other.obj) >= 0

    def __eq__(self, other):
        return self._compare(self.obj, other.obj) == 0


def total_ordering(cls):
    """The class with the comparisons that it lacks."""
    root = [name for name in ('__lt__', '__le__', '__gt__', '__ge__') if hasattr(cls, name)]
    if not root:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    said, strict = getattr(cls, root[0]), root[0] in ('__lt__', '__gt__')
    if root[0] in ('__gt__', '__ge__'):
        own = said
        said = lambda a, b: own(b, a)
    less = said if strict else lambda a, b: said(a, b) and a != b
    at_most = (lambda a, b: said(a, b) or a == b) if strict else said
    found = {
        '__lt__': less,
        '__le__': at_most,
        '__gt__': lambda a, b: not at_most(a, b),
        '__ge__': lambda a, b: not less(a, b),
    }
    for name in found:
        if name not in root:
            setattr(cls, name, found[name])
    return cls


class singledispatch:
    """A function that is chosen by the class of its first argument."""

    def __init__(self, func):
        self._default, self._kinds = func, []
        wrap(self, func)

    def register(self, cls, func=None):
        if func is None:
            return lambda func: self.register(cls, func)
        self._kinds = [(kind, found) for kind, found in self._kinds if kind is not cls]
        self._kinds.append((cls, func))
        return func

    def dispatch(self, cls):
        for above in getattr(cls, '_mro_', (cls,)):
            for kind, func in self._kinds:
                if kind is above:
                    return func
        return self._default

    def __call__(self, *args, **kwargs):
        found = self.dispatch(type(args[0]))
        if found is self._default:
            for kind, func in self._kinds:
                if is_instance(args[0], kind):
                    found = func
        return found(*args, **kwargs)


def lru_cache(maxsize=128, typed=False):
    """A cache that says what it did (`cache_info`), which Monty's does not."""
    if maxsize is not None and not isinstance(maxsize, int):
        return _Cached(maxsize, 128)
    return lambda function: _Cached(function, maxsize)


def cache(function):
    return _Cached(function, None)


class _CacheInfo:
    def __init__(self, hits, misses, maxsize, currsize):
        self.hits, self.misses, self.maxsize, self.currsize = hits, misses, maxsize, currsize

    def __repr__(self):
        return (
            f'CacheInfo(hits={self.hits}, misses={self.misses}, maxsize={self.maxsize}, currsize={self.currsize})'
        )


class _Cached:
    def __init__(self, function, maxsize):
        self.__wrapped__, self._maxsize = function, maxsize
        self.cache_clear()

    def cache_clear(self):
        self._found, self._hits, self._misses = {}, 0, 0

    def cache_info(self):
        return _CacheInfo(self._hits, self._misses, self._maxsize, len(self._found))

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
