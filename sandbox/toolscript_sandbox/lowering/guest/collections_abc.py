"""What `isinstance` asks of containers: the types that Monty has, and for some of them what has the methods."""

import itertools
from collections import deque

from .builtins import callable

_views = (type({}.keys()), type({}.values()), type({}.items()))
_of_items = [iter(items) for items in ([], (), '', b'', {}, {}.values(), {}.items(), set(), range(1), deque())]
_of_tools = [
    *(itertools.accumulate([]), itertools.chain(), itertools.combinations([], 0), itertools.compress([], [])),
    *(itertools.combinations_with_replacement([], 0), itertools.count(), itertools.cycle([]), itertools.groupby([])),
    *(itertools.dropwhile(None, []), itertools.filterfalse(None, []), itertools.islice([], 0), itertools.pairwise([])),
    *(itertools.permutations([]), itertools.product(), itertools.repeat(0), itertools.starmap(None, [])),
    *(itertools.takewhile(None, []), itertools.zip_longest()),
]
_iterators = tuple([type(one) for one in (*_of_items, *_of_tools)])
Mapping = dict
MutableMapping = dict
Sequence = (list, tuple, str, bytes, range, deque)
MutableSequence = (list, deque)
Set = (set, frozenset, type({}.keys()), type({}.items()))
MutableSet = set
Collection = (list, tuple, str, bytes, range, dict, set, frozenset, deque, *_views)
Container = Collection
Sized = Collection
Reversible = (list, tuple, str, bytes, range, dict, deque, *_views)
Iterable = (*Collection, *_iterators)
Iterator = _iterators
Hashable = (str, int, float, bool, tuple, frozenset, bytes, type(None))
KeysView = type({}.keys())
ValuesView = type({}.values())
ItemsView = type({}.items())
MappingView = _views
# These stand in annotations; `isinstance` of them raises a TypeError.
Callable = None
Generator = None
Awaitable = None
Coroutine = None
AsyncIterable = None
AsyncIterator = None
AsyncGenerator = None


class _Having:
    def __init__(self, kinds, *methods):
        self._kinds, self._methods = kinds, methods

    def _has_(self, obj):
        return isinstance(obj, self._kinds) or all([hasattr(type(obj), name) for name in self._methods])


class _Callables:
    def _has_(self, obj):
        return callable(obj)


having_Iterable = _Having(Iterable, '__iter__')
having_Iterator = _Having(Iterator, '__iter__', '__next__')
having_Sized = _Having(Sized, '__len__')
having_Callable = _Callables()
