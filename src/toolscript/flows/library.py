"""What functions of Python do with their arguments, as far as the analysis of flows needs to know.

A name that is in no table may do anything: keep its arguments, change them, call the functions among them.
"""

import builtins

BUILTINS = frozenset(dir(builtins))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SCALAR_FUNCTIONS = _words(
    'abs ascii bin bool callable chr complex float format hash hex id int isinstance issubclass len oct ord repr str'
)
"""Builtins that give something without parts, made of their arguments."""
READING_FUNCTIONS = _words(
    'aiter all anext any bytes dict divmod enumerate filter frozenset iter list map max min next pow range '
    'reversed round set slice sorted sum tuple type zip bytearray memoryview'
)
"""Builtins whose result has parts of their arguments. They may call functions among these, and change nothing."""
COPYING_FUNCTIONS = _words('frozenset iter list reversed set sorted tuple')
"""Of these, those that give the items of their arguments in a new container."""
READING_MODULES = _words(
    'asyncio base64 calendar collections copy csv dataclasses datetime difflib enum hashlib html io itertools '
    'json math operator re statistics string textwrap time typing unicodedata urllib urllib.parse uuid zoneinfo '
    'fractions numbers'
)
"""Modules whose functions do so too, but for those below."""
CHANGING_FUNCTIONS = _words(
    'setitem delitem iadd iconcat iand ior ixor isub imul attrgetter methodcaller setattr delattr'
)
"""Functions of these modules that change their arguments, or whose result does."""
STATELESS_MODULES = _words('functools bisect heapq contextlib abc collections')
"""Other modules, and all modules in them, that keep nothing between calls."""
SCALAR_METHODS = _words(
    'capitalize casefold center count date day encode decode endswith expandtabs find format format_map '
    'fromisoformat hex index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isoformat '
    'isprintable isspace istitle isupper isoweekday join ljust lower lstrip removeprefix removesuffix replace '
    'rfind rindex rjust rstrip startswith strftime strip swapcase timestamp title total_seconds translate upper '
    'weekday zfill isdisjoint issubset issuperset'
)
"""Methods that give something without parts, made of the object and the arguments."""
READING_METHODS = _words(
    'copy difference elements end findall finditer fullmatch get group groupdict groups intersection items keys '
    'match most_common partition rpartition rsplit search span split splitlines start symmetric_difference union '
    'values'
)
"""Methods whose result has parts of the object and of the arguments."""
STORING_METHODS = _words(
    'add append appendleft clear difference_update discard extend extendleft insert intersection_update pop '
    'popitem popleft remove reverse rotate setdefault sort subtract symmetric_difference_update update'
)
"""Methods that put arguments into the object, and whose result has parts of both."""
ADDING_METHODS = _words('add append appendleft insert')
"""Of these, those that put in the arguments themselves, and not what is in them."""
ERROR_NAMES = _words('exc_info exception exceptions format_exc format_exception print_exc last_exc return_exceptions')
"""Names of what gives errors that were raised elsewhere."""
HIDDEN_NAMES = _words(
    '__builtins__ __class__ __closure__ __code__ __defaults__ __delattr__ __dict__ __get__ __getattribute__ '
    '__globals__ __import__ __init_subclass__ __kwdefaults__ __class_getitem__ __new__ __prepare__ __self__ '
    '__set__ __set_name__ __setattr__ __subclasses__ __mro__ __wrapped__ __instancecheck__ __subclasscheck__ '
    'breakpoint compile delattr eval exec f_back f_globals f_locals gi_frame globals import_module locals '
    'redirect_stderr redirect_stdout setattr tb_frame vars'
)
"""Names with which code reaches what its text does not show. A script that has one of them is not analysed."""
PLAIN_DECORATORS = _words(
    'abstractmethod cache cached_property classmethod dataclass dataclasses.dataclass functools.cache '
    'functools.cached_property functools.lru_cache lru_cache property staticmethod total_ordering unique'
)
"""Decorators that give what they get, called in another way at most."""
