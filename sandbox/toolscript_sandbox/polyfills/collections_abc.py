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
# These stand in annotations, and by their names in `isinstance`; in a variable they are a TypeError there.
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


class _Named:
    """Types that only go by their names."""

    def __init__(self, names, *methods):
        self._names, self._methods = names, methods

    def _has_(self, obj):
        if type(obj).__name__ in self._names:
            return True
        return len(self._methods) > 0 and all([hasattr(type(obj), name) for name in self._methods])


class _Hashables:
    def _has_(self, obj):
        # A tuple is one, whatever it holds.
        if isinstance(obj, tuple):
            return True
        try:
            hash(obj)
        except TypeError:
            return False
        return True


class _Mappings:
    def _has_(self, obj):
        return isinstance(obj, dict) or type(obj).__name__ == '_collections_ChainMap' or self._covers_(type(obj))

    def _covers_(self, cls):
        # What inherits from a dict is one.
        return cls is dict or dict in getattr(cls, '_line_', ())


class _Callables:
    def _has_(self, obj):
        return callable(obj)


having_Iterable = _Having(Iterable, '__iter__')
having_Iterator = _Having(Iterator, '__iter__', '__next__')
having_Sized = _Having(Sized, '__len__')
having_Callable = _Callables()
having_Container = _Having(Container, '__contains__')
having_Collection = _Having(Collection, '__len__', '__iter__', '__contains__')
having_Reversible = _Having(Reversible, '__reversed__')
having_Hashable = _Hashables()
having_Generator = _Named(('_generators_Generator', '_iterators_Values'))
having_Awaitable = _Named(('coroutine', '_tasks_Task', '_tasks_Future'), '__await__')
having_Coroutine = _Named(('coroutine',))
having_AsyncIterable = _Named((), '__aiter__')
having_AsyncIterator = _Named((), '__aiter__', '__anext__')
having_AsyncGenerator = _Named(('_async_generators_AsyncGenerator',))
having_Mapping = _Mappings()
having_MutableMapping = having_Mapping
