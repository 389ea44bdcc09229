"""Typing constructs that only matter to a type checker."""

TypedDict = dict
Awaitable = None
Coroutine = None
AsyncIterator = None
AsyncIterable = None
AsyncGenerator = None
Collection = None
Container = None
Hashable = None
ItemsView = None
KeysView = None
ValuesView = None
MutableMapping = None
MutableSequence = None
MutableSet = None
NamedTuple = None
NotRequired = None
Required = None
OrderedDict = None
DefaultDict = None
Counter = None
Deque = None
Pattern = None
Match = None
TypeAlias = None
TypeGuard = None
Text = str
AnyStr = None
IO = None
TextIO = None
LiteralString = str
SupportsFloat = None
SupportsInt = None
Reversible = None
Sized = None
Unpack = None
Concatenate = None


def cast(typ, val):
    return val


def TypeVar(name, *constraints, bound=None, covariant=False, contravariant=False):
    return object


def ParamSpec(name):
    return object


def NewType(name, tp):
    return lambda value: value


def final(f):
    return f


def overload(f):
    return f


def runtime_checkable(cls):
    return cls


def assert_never(arg):
    raise AssertionError('expected code to be unreachable')


def reveal_type(obj):
    return obj
