"""What Monty itself offers, as far as repairs must know it."""

from __future__ import annotations

MODULES = frozenset(
    [
        'asyncio',
        'base64',
        'binascii',
        'bisect',
        'collections',
        'copy',
        'csv',
        'dataclasses',
        'datetime',
        'decimal',
        'functools',
        'hashlib',
        'itertools',
        'json',
        'math',
        'os',
        'os.path',
        'pathlib',
        'random',
        're',
        'sys',
        'time',
        'tomllib',
        'typing',
        'unicodedata',
    ]
)
"""Modules that can be imported."""

NATIVE = {
    module: frozenset(names.split())
    for module, names in {
        'base64': (
            'a85decode a85encode b16decode b16encode b32decode b32encode b32hexdecode b32hexencode b64decode '
            'b64encode b85decode b85encode decodebytes encodebytes standard_b64decode standard_b64encode '
            'urlsafe_b64decode urlsafe_b64encode'
        ),
        'binascii': (
            'Error Incomplete a2b_base64 a2b_hex a2b_qp a2b_uu b2a_base64 b2a_hex b2a_qp b2a_uu crc32 crc_hqx '
            'hexlify unhexlify'
        ),
        'bisect': 'bisect bisect_left bisect_right insort insort_left insort_right',
        'collections': 'Counter defaultdict deque namedtuple',
        'copy': 'copy deepcopy',
        'csv': (
            'Dialect DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC excel '
            'excel_tab field_size_limit get_dialect list_dialects reader unix_dialect writer'
        ),
        'dataclasses': 'FrozenInstanceError MISSING dataclass field is_dataclass',
        'datetime': 'date datetime time timedelta timezone',
        'decimal': (
            'BasicContext Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple DefaultContext '
            'DivisionByZero DivisionImpossible DivisionUndefined ExtendedContext FloatOperation HAVE_CONTEXTVAR '
            'HAVE_THREADS Inexact InvalidContext InvalidOperation MAX_EMAX MAX_PREC MIN_EMIN MIN_ETINY Overflow '
            'ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP '
            'ROUND_UP Rounded Subnormal Underflow getcontext localcontext setcontext'
        ),
        'functools': 'cache lru_cache partial reduce',
        'hashlib': (
            'algorithms_available algorithms_guaranteed blake2b blake2s md5 new pbkdf2_hmac sha1 sha224 sha256 '
            'sha384 sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256'
        ),
        'itertools': (
            'accumulate chain combinations combinations_with_replacement compress count cycle dropwhile '
            'filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest'
        ),
        'json': 'JSONDecodeError dumps loads',
        'math': (
            'acos acosh asin asinh atan atan2 ceil comb copysign cos cosh degrees dist e '
            'exp exp2 expm1 fabs factorial floor fmod frexp fsum gcd hypot inf isclose isfinite isinf '
            'isnan isqrt lcm ldexp log log10 log1p log2 modf nan nextafter perm pi pow prod radians '
            'remainder sin sinh sqrt tan tanh tau trunc ulp'
        ),
        'os': 'altsep curdir defpath devnull extsep fspath linesep name pardir path pathsep sep',
        'os.path': (
            'altsep basename commonpath commonprefix curdir dirname extsep isabs join normcase normpath pardir '
            'relpath sep split splitdrive splitext'
        ),
        'pathlib': 'Path',
        'random': (
            'Random betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate '
            'normalvariate paretovariate randbytes randint random randrange sample seed shuffle triangular '
            'uniform vonmisesvariate weibullvariate'
        ),
        'sys': 'byteorder float_info float_repr_style maxsize maxunicode stderr stdout',
        'time': (
            'altzone asctime ctime daylight gmtime localtime mktime monotonic monotonic_ns perf_counter '
            'perf_counter_ns process_time process_time_ns sleep strftime thread_time thread_time_ns '
            'time time_ns timezone tzname'
        ),
        'tomllib': 'TOMLDecodeError loads',
        'typing': (
            'Annotated Any Callable ClassVar Dict Final FrozenSet Generator Generic Iterable Iterator List '
            'Literal Mapping Never NoReturn Optional Protocol Self Sequence Set TYPE_CHECKING Tuple Type '
            'Union'
        ),
        'unicodedata': 'category combining is_normalized lookup name normalize unidata_version',
    }.items()
}
"""The names of these modules that are Monty's own and mean what they mean in Python."""

WRITTEN = {
    'json': frozenset(['JSONEncoder']),
    'sys': frozenset(['exit']),
}
"""Names that rules write in another way where they are called."""

_OF_FILES = ('listdir', 'makedirs', 'mkdir', 'remove', 'rename', 'rmdir', 'scandir', 'stat', 'unlink', 'walk')
_OF_PATHS = ('exists', 'isdir', 'isfile', 'getsize', 'getmtime', 'abspath', 'expanduser')
_OF_PROCESSES = ('environ', 'getenv', 'getcwd', 'system', 'popen', 'getpid')
_OF_TRACEBACKS = ('extract_tb', 'format_exception', 'format_exception_only', 'format_tb', 'print_exception', 'print_tb')
_NO_TRACEBACKS = 'Tracebacks are not kept here. Use `except Exception as error` and repr(error).'
NO_FILES = 'There are no files here: call the functions you were given.'
_NO_PROCESS = 'There is nothing of the computer to be seen here: call the functions you were given.'

INEXACT = {
    'math.cbrt': 'Its last digit differs: use math.copysign(abs(x) ** (1 / 3), x).',
}
"""Functions that differ from Python's in the last digits, and what to write instead."""

NEWER = {
    'itertools.batched': 'It is newer than Python 3.11: use [xs[i : i + n] for i in range(0, len(xs), n)].',
    'math.sumprod': 'It is newer than Python 3.11: use sum(a * b for a, b in zip(xs, ys)).',
    'random.binomialvariate': 'It is newer than Python 3.11: use sum(random.random() < p for _ in range(n)).',
}
"""Functions that Monty has and Python 3.11 does not, and what to write instead."""

INSTEAD = {
    **dict.fromkeys([f'os.{name}' for name in _OF_FILES], NO_FILES),
    **dict.fromkeys([f'os.path.{name}' for name in _OF_PATHS], NO_FILES),
    **dict.fromkeys([f'os.{name}' for name in _OF_PROCESSES], _NO_PROCESS),
    'io.open': NO_FILES,
    'tomllib.load': 'Use tomllib.loads: there are no files here.',
    'sys.argv': 'There is no command line: set variables instead.',
    'sys.stdin': 'Nobody types anything here: set variables instead.',
    'sys.getsizeof': 'How much memory a value takes cannot be seen here; len(repr(value)) tells how long its text is.',
    'time.strptime': 'Use datetime.strptime(text, format) of datetime, and .timetuple() where a tuple is wanted.',
    **dict.fromkeys(
        [f'contextlib.redirect_{name}' for name in ('stdout', 'stderr', 'stdin')],
        'Let functions return their text, and join it; what is printed is shown as it is.',
    ),
    'contextlib.ContextDecorator': 'Write `with` in the function, or a decorator of your own.',
    'asyncio.Runner': 'A script runs in an event loop already: await the coroutine.',
    'sys.exc_info': 'Use `except Exception as error`: type(error) and error are the first two of it.',
    **dict.fromkeys([f'traceback.{name}' for name in _OF_TRACEBACKS], _NO_TRACEBACKS),
    'traceback.format_exc': 'Use `except Exception as error` and repr(error).',
    **INEXACT,
    **NEWER,
    'functools.partialmethod': 'Write a method that calls the other one.',
    'functools.singledispatchmethod': 'Write one method that asks with isinstance.',
    'statistics.NormalDist': 'Write what you need of it with math.erf.',
    'string.Formatter': 'Use template.format(...), or template.format_map(values).',
    'types.MappingProxyType': 'Give a copy: dict(d).',
    'collections.UserDict': 'Keep a dict in an attribute, and write the methods you need.',
    'collections.UserList': 'Keep a list in an attribute, and write the methods you need.',
    'os.urandom': 'Use random.randbytes.',
    'random.SystemRandom': 'Use the functions of random.',
    'typing.get_type_hints': 'Look at values with `type`.',
    'typing.get_args': 'Keep what you need in a tuple or a list, and write the type beside it.',
    'typing.get_origin': 'Look at values with `type`.',
    **dict.fromkeys(
        [f'logging.{name}' for name in ('FileHandler', 'Formatter', 'Handler', 'NullHandler', 'StreamHandler')],
        'Use logging.basicConfig(level=...), or print.',
    ),
}
"""What to write in place of a name that is not offered."""

OF_FILES = frozenset(
    [
        *(f'os.{name}' for name in _OF_FILES),
        *(f'os.{name}' for name in ('getcwd', 'replace')),
        *(f'os.path.{name}' for name in ('exists', 'isdir', 'isfile', 'getsize', 'getmtime', 'abspath', 'islink')),
        'tomllib.load',
    ]
)
"""Names that are offered where there are folders."""
INSTEAD_WITH_FILES = {
    **INSTEAD,
    **dict.fromkeys(['io.open', 'os.open'], 'Use `open`.'),
    **dict.fromkeys(['os.path.realpath', 'os.path.samefile', 'os.path.lexists'], 'Links are not followed here.'),
    **dict.fromkeys(['os.link', 'os.symlink', 'os.readlink'], 'No links are made or followed here: write a copy.'),
    **dict.fromkeys(['os.chmod', 'os.chown', 'os.umask'], 'Files have no owners and modes here.'),
    'os.path.expanduser': 'There is no home folder here: write whole paths.',
}
"""The same, where there are folders."""

HOMES = {
    **dict.fromkeys(['defaultdict', 'Counter', 'deque', 'namedtuple'], 'collections'),
    **dict.fromkeys(['timedelta', 'timezone'], 'datetime'),
    **dict.fromkeys(['dataclass', 'field'], 'dataclasses'),
    **dict.fromkeys(['reduce', 'partial', 'lru_cache'], 'functools'),
    **dict.fromkeys(
        ['groupby', 'chain', 'islice', 'combinations', 'permutations', 'product', 'zip_longest'], 'itertools'
    ),
    **dict.fromkeys(['Any', 'Dict', 'List', 'Optional', 'Set', 'Tuple', 'Union', 'Callable', 'Literal'], 'typing'),
    'Decimal': 'decimal',
    'Path': 'pathlib',
    'deepcopy': 'copy',
    'sqrt': 'math',
    'ceil': 'math',
    'floor': 'math',
}
"""Where a name comes from that models use without importing it."""

METHODS_OF_TYPES = frozenset(
    [
        'append',
        'capitalize',
        'casefold',
        'count',
        'encode',
        'endswith',
        'extend',
        'find',
        'format',
        'get',
        'index',
        'isalnum',
        'isalpha',
        'isdigit',
        'islower',
        'isnumeric',
        'isspace',
        'isupper',
        'items',
        'join',
        'keys',
        'lower',
        'lstrip',
        'pop',
        'replace',
        'rstrip',
        'setdefault',
        'split',
        'splitlines',
        'startswith',
        'strip',
        'swapcase',
        'title',
        'upper',
        'values',
        'zfill',
        'isoformat',
        'strftime',
        'date',
        'total_seconds',
    ]
)
"""Methods of strings, lists, dicts and dates that models pass on as values (`key=d.get`)."""

CONSTRUCTING_METHODS = frozenset(['fromkeys', 'fromhex', 'from_bytes', 'maketrans'])
"""Methods that are called on the type itself."""

ADVICE = {
    'requests': 'There is no network: call the functions you were given.',
    'httpx': 'There is no network: call the functions you were given.',
    'aiohttp': 'There is no network: call the functions you were given.',
    'urllib.request': 'There is no network: call the functions you were given.',
    'socket': 'There is no network: call the functions you were given.',
    'subprocess': 'No programs can be started: call the functions you were given.',
    'numpy': 'Use lists, `math` and `statistics`.',
    'pandas': 'Use lists of dicts, `collections`, `itertools` and `csv`.',
    'pytz': 'Use `zoneinfo.ZoneInfo`.',
    'dateutil': 'Use `datetime.fromisoformat`, `strptime`, `timedelta` and `zoneinfo.ZoneInfo`.',
    'threading': 'Use `asyncio.gather` to make calls at the same time.',
    'concurrent': 'Use `asyncio.gather` to make calls at the same time.',
    'multiprocessing': 'Use `asyncio.gather` to make calls at the same time.',
    'array': 'Use a list.',
    'pydantic': 'Use dicts or `dataclasses`.',
    'struct': 'Use `int.to_bytes` and bytes.',
    'pickle': 'Use `json`.',
    'weakref': 'Keep the object itself, or its key in a dict.',
    'inspect': 'Look at values with `type`, `hasattr` and `getattr`.',
    'shutil': 'There are no files here.',
    'tempfile': 'There are no files here.',
    'glob': 'There are no files here.',
    'sqlite3': 'Use lists and dicts.',
    'yaml': 'Use `json`, or split the lines.',
    'xml': 'Use `re`.',
    'bs4': 'Use `re` and `html.unescape`.',
    'gzip': 'Compression is not available.',
    'zlib': 'Compression is not available.',
}
"""What to use in place of a module that cannot be offered."""
