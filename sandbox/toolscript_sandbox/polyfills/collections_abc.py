"""What `isinstance` asks of containers: the types that Monty has, and classes with the methods."""

from collections import deque

_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
Mapping = MutableMapping = dict
Sequence = (list, tuple, str, bytes, range, deque)
MutableSequence = (list, deque)
Set = (set, frozenset, type({}.keys()), type({}.items()))
MutableSet = set
Collection = Sized = Container = (*Sequence, dict, set, frozenset, *_VIEWS)
Iterable = (*Collection, type(iter([])), type(iter('')), type(iter({})), type(iter(range(1))))
Iterator = (type(iter([])), type(iter('')), type(iter({})), type(iter(range(1))))
Hashable = (str, int, float, bool, tuple, frozenset, bytes, type(None))
Callable = Generator = Awaitable = Coroutine = AsyncIterable = AsyncIterator = AsyncGenerator = None
