"""What `isinstance` asks of containers, as the types that Monty has; an own class is none of them."""

from collections import deque

_views = (type({}.keys()), type({}.values()), type({}.items()))
_iterators = (type(iter([])), type(iter(())), type(iter('')), type(iter({})), type(iter(set())), type(iter(range(1))))
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
