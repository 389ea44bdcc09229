"""`isinstance` with the classes of `collections.abc`: for Monty's types, and for classes with the methods."""

from collections import deque

from .builtins import callable
from .classes import is_a as _of_class, is_by_index

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
Reversible = Sequence
Callable = Generator = Awaitable = Coroutine = AsyncIterable = AsyncIterator = AsyncGenerator = None
_KINDS = {
    'Mapping': (Mapping, None),
    'MutableMapping': (Mapping, None),
    'Sequence': (Sequence, None),
    'MutableSequence': (MutableSequence, None),
    'Set': (Set, None),
    'MutableSet': (MutableSet, None),
    'Collection': (Collection, ('__len__', '__iter__', '__contains__')),
    'Sized': (Sized, ('__len__',)),
    'Container': (Container, ('__contains__',)),
    'Iterable': (Iterable, ('__iter__',)),
    'Iterator': (Iterator, ('__iter__', '__next__')),
    'Reversible': (Sequence, ('__reversed__',)),
    'Generator': ((), ('send', 'throw', 'close')),
    'AsyncIterable': ((), ('__aiter__',)),
    'AsyncIterator': ((), ('__aiter__', '__anext__')),
    'AsyncGenerator': ((), ('asend', 'athrow', 'aclose')),
}


def is_a(obj, kinds):
    """`isinstance`; a text is the name of a kind in this module."""
    return any([_is_one(obj, kind) for kind in kinds])


def _is_one(obj, kind):
    if not isinstance(kind, str):
        return _of_class(obj, kind)
    if kind == 'Callable':
        return callable(obj)
    if kind == 'Hashable':
        return isinstance(obj, Hashable) or not isinstance(obj, (list, dict, set, deque))
    if kind in ('Awaitable', 'Coroutine'):
        return type(obj).__name__ == 'coroutine' or hasattr(type(obj), '__await__')
    native, methods = _KINDS[kind]
    if isinstance(obj, native):
        return True
    if kind in ('Iterable', 'Collection') and is_by_index(obj):
        return False
    return methods is not None and type(obj).__name__ != 'type' and all([hasattr(type(obj), name) for name in methods])
