"""Constructs that only matter to a type checker."""

TypedDict = dict
Text = str
LiteralString = str
NamedTuple = None
AnyStr = AsyncGenerator = AsyncIterable = AsyncIterator = Awaitable = Collection = Concatenate = Container = None
Coroutine = Counter = DefaultDict = Deque = Hashable = IO = ItemsView = KeysView = Match = MutableMapping = None
MutableSequence = MutableSet = NotRequired = OrderedDict = Pattern = Required = Reversible = Sized = None
SupportsFloat = SupportsInt = TextIO = TypeAlias = TypeGuard = Unpack = ValuesView = None


def cast(typ, val): return val
def TypeVar(name, *constraints, bound=None, covariant=False, contravariant=False): return object
def ParamSpec(name): return object
def NewType(name, tp): return lambda value: value
def final(f): return f
def overload(f): return f
def runtime_checkable(cls): raise TypeError('runtime_checkable can only be a decorator here')
def assert_never(arg): raise AssertionError('expected code to be unreachable')
