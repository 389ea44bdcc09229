"""The effects of Python's functions on their arguments, as far as the analysis of flows needs to know them.

A name in none of these tables may do anything: keep its arguments, change them, call the functions among them.
"""

import builtins

from toolscript_sandbox.language.syntax import words

BUILTINS = frozenset(dir(builtins))

SCALAR_FUNCTIONS = words(
    'abs all any ascii bin bool bytes callable chr complex float format hash hex id int isinstance issubclass len oct '
    'ord pow range repr round str'
)
"""Builtins that return a value without parts, computed from their arguments."""
READING_FUNCTIONS = words(
    'aiter anext bytearray dict divmod enumerate filter frozenset iter list map max memoryview min next reversed set '
    'sorted sum tuple zip'
)
"""Builtins whose result has parts of their arguments. They may call functions among these, but change nothing."""
SCALAR_MODULES = words('datetime datetime.date datetime.datetime datetime.timedelta datetime.timezone html math time')
"""Modules and classes whose functions return values without parts, except `math.prod`."""
READING_MODULES = SCALAR_MODULES | words(
    'asyncio base64 calendar collections copy csv dataclasses difflib email.utils enum fractions hashlib io itertools '
    'json numbers operator re statistics string textwrap typing unicodedata urllib urllib.parse uuid zoneinfo'
)
"""Modules whose functions behave like the reading functions, except those below."""
CHANGING_FUNCTIONS = words(
    'setitem delitem iadd iconcat iand ior ixor isub imul attrgetter methodcaller setattr delattr dump'
)
"""Functions of these modules that modify their arguments, or whose result does."""
STATELESS_MODULES = words('functools bisect heapq contextlib abc collections')
"""Other modules, including their submodules, that keep no state between calls."""
KNOWN_MODULES = READING_MODULES | STATELESS_MODULES
TYPE_MAKERS = words('namedtuple JSONEncoder')
"""Functions of these modules that make objects whose methods may be functions of the script, or call them."""
SCALAR_METHODS = words(
    'capitalize casefold center count date day decode encode endswith expandtabs find fromisoformat hex index isalnum '
    'isalpha isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric isoformat isoweekday isprintable '
    'isspace issubset issuperset istitle isupper join ljust lower lstrip removeprefix removesuffix replace rfind '
    'rindex rjust rstrip startswith strftime strip swapcase timestamp title total_seconds translate upper weekday zfill'
)
"""Methods that return a value without parts, computed from the object and the arguments."""
TEXT_METHODS = words('end finditer fullmatch group groups match partition rpartition search span start')
"""The same for texts, patterns and matches. Classes of scripts that are not analysed may have such methods, too."""
LISTING_METHODS = words('findall groupdict rsplit split splitlines')
"""Methods of these that return a container of such values."""
READING_METHODS = (
    TEXT_METHODS
    | LISTING_METHODS
    | words(
        'copy difference elements format format_map get intersection items keys most_common symmetric_difference union '
        'values'
    )
)
"""Methods whose result has parts of the object and of the arguments."""
STORING_METHODS = words(
    'add append appendleft clear difference_update discard extend extendleft insert intersection_update pop '
    'popitem popleft remove reverse rotate setdefault sort subtract symmetric_difference_update update'
)
"""Methods that store arguments in the object, and whose result has parts of both."""
ADDING_METHODS = words('add append appendleft insert')
"""The storing methods that store the arguments themselves, rather than their items."""
PURE_METHODS = SCALAR_METHODS | READING_METHODS
METHODS = PURE_METHODS | STORING_METHODS
ERROR_NAMES = words('exc_info exception exceptions format_exc format_exception print_exc last_exc return_exceptions')
"""Names that give access to errors that were raised elsewhere."""
SPECIAL_NAMES = words(
    '__init__ __post_init__ __name__ __main__ __doc__ __cause__ __context__ __notes__ __match_args__ __slots__ __all__'
)
"""The only names with two underscores on each side that scripts may use. They define no other special methods."""
HIDDEN_BUILTINS = words('breakpoint compile delattr eval exec globals locals setattr slice vars')
HIDDEN_NAMES = words(
    'builtins f_back f_globals f_locals get_type_hints gi_frame import_module redirect_stderr redirect_stdout tb_frame '
    'all_tasks current_task get_event_loop get_running_loop register_dialect setfirstweekday '
    'AsyncExitStack ExitStack SimpleNamespace _generate_next_value_ _missing_'
)
"""Names through which code can reach or keep values without its text showing it. A script that uses one of them, or any
other name with two underscores on each side, is not analysed."""
PROPERTY_NAMES = words('fget fset fdel func getter setter deleter')
"""Attributes of a property. Scripts that use them, except in decorators, are not analysed."""
PLAIN_DECORATORS = words(
    'abc.abstractmethod classmethod dataclasses.dataclass enum.unique functools.cache functools.cached_property '
    'functools.lru_cache functools.total_ordering property staticmethod'
)
"""Decorators that return the decorated function or class, perhaps called in another way."""
