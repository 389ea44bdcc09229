"""The dialect: one table of what a script may use, and how each thing is provided.

`analysis` resolves names with it, `validator` refuses what it does not list, `transforms` and `polyfills` provide what
it says they provide, and `docs/python.md` and the differential tests are made from it. A name is provided

- by Monty itself (`monty`);
- by a transform of the tree (`transform`);
- by a polyfill, Python source that runs inside Monty (`polyfill`): `polyfills/<module>.py` defines it;
- by the host's own library, which a helper process runs (`host`): the polyfill of that module asks for it with
  `_host__`, so it cannot be used where a script cannot wait (`language/waiting.py`);
- not at all (`refused`), with what to write instead.

Where a session has folders, `FILES` is offered beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

Provider: TypeAlias = Literal['monty', 'transform', 'polyfill', 'host']


@dataclass(frozen=True)
class Names:
    """The names of a module, or the methods of a type. Each text holds names with blanks between them."""

    monty: str = ''
    transform: str = ''
    polyfill: str = ''
    host: str = ''
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to write instead, for names that are asked for."""
    members: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to write instead of members of its objects, in scripts that use the module."""

    @cached_property
    def providers(self) -> Mapping[str, Provider]:
        """How each name is provided."""
        found: dict[str, Provider] = dict.fromkeys(self.monty.split(), 'monty')
        found.update(dict.fromkeys(self.transform.split(), 'transform'))
        found.update(dict.fromkeys(self.polyfill.split(), 'polyfill'))
        found.update(dict.fromkeys(self.host.split(), 'host'))
        return found


NO_FILES = 'There are no files here: call the functions you were given.'
MODULES: Mapping[str, Names] = {
    'abc': Names(
        polyfill='ABC ABCMeta abstractmethod',
    ),
    'ast': Names(
        host='literal_eval',
    ),
    'asyncio': Names(
        monty='gather run sleep',
        polyfill=(
            'ALL_COMPLETED BoundedSemaphore CancelledError Condition Event FIRST_COMPLETED FIRST_EXCEPTION Future '
            'LifoQueue Lock PriorityQueue Queue QueueEmpty QueueFull Semaphore Task TaskGroup Timeout TimeoutError '
            'as_completed create_task current_task ensure_future get_event_loop get_running_loop iscoroutine '
            'new_event_loop set_event_loop shield timeout to_thread wait wait_for'
        ),
        refused={
            'all_tasks': 'Keep the tasks that you create in a list.',
            'isfuture': 'Write isinstance(value, asyncio.Future).',
            'timeout_at': 'Write asyncio.timeout(seconds).',
            'InvalidStateError': 'Ask `task.done()` before you ask for its result.',
            'Runner': 'A script runs in an event loop already: await the coroutine.',
        },
    ),
    'base64': Names(
        monty=(
            'a85decode a85encode b16decode b16encode b32decode b32encode b32hexdecode b32hexencode b64decode '
            'b64encode b85decode b85encode decodebytes encodebytes standard_b64decode standard_b64encode '
            'urlsafe_b64decode urlsafe_b64encode'
        ),
    ),
    'binascii': Names(
        monty=(
            'Error Incomplete a2b_base64 a2b_hex a2b_qp a2b_uu b2a_base64 b2a_hex b2a_qp b2a_uu crc32 crc_hqx '
            'hexlify unhexlify'
        ),
    ),
    'bisect': Names(
        monty='bisect bisect_left bisect_right insort insort_left insort_right',
    ),
    'calendar': Names(
        polyfill=(
            'FRIDAY IllegalMonthError MONDAY SATURDAY SUNDAY THURSDAY TUESDAY WEDNESDAY day_abbr day_name isleap '
            'leapdays month_abbr month_name monthcalendar monthrange weekday'
        ),
        host='timegm',
        refused={
            **dict.fromkeys(
                ['Calendar', 'TextCalendar', 'setfirstweekday'], 'Use monthcalendar(year, month), or dates.'
            ),
            **dict.fromkeys(['calendar', 'month', 'prcal', 'prmonth'], 'Join the weeks of monthcalendar(year, month).'),
        },
    ),
    'cmath': Names(
        polyfill='e inf nan pi tau',
        host='exp isclose phase polar rect sqrt',
    ),
    'collections': Names(
        monty='Counter defaultdict deque namedtuple',
        polyfill='ChainMap OrderedDict',
        refused={
            'UserDict': 'Keep a dict in an attribute, and write the methods you need.',
            'UserList': 'Keep a list in an attribute, and write the methods you need.',
        },
    ),
    'collections.abc': Names(
        polyfill=(
            'AsyncGenerator AsyncIterable AsyncIterator Awaitable Callable Collection Container Coroutine '
            'Generator Hashable Iterable Iterator Mapping MutableMapping MutableSequence MutableSet Reversible '
            'Sequence Set Sized'
        ),
    ),
    'colorsys': Names(
        host='hls_to_rgb hsv_to_rgb rgb_to_hls rgb_to_hsv rgb_to_yiq yiq_to_rgb',
    ),
    'concurrent.futures': Names(
        refused={
            'ThreadPoolExecutor': 'Use `await asyncio.gather(...)` to make calls at the same time.',
            'ProcessPoolExecutor': 'Use `await asyncio.gather(...)` to make calls at the same time.',
            'as_completed': 'Use `asyncio.as_completed`.',
        }
    ),
    'configparser': Names(
        polyfill=(
            'ConfigParser DuplicateOptionError DuplicateSectionError Error InterpolationError '
            'MissingSectionHeaderError NoOptionError NoSectionError ParsingError RawConfigParser'
        ),
        members=dict.fromkeys(
            ['read_file', 'remove_option', 'remove_section'], 'Use read_string(text), of what is to stay.'
        ),
    ),
    'contextlib': Names(
        polyfill=(
            'AsyncExitStack ExitStack asynccontextmanager closing contextmanager nullcontext redirect_stdout suppress'
        ),
        refused={
            'aclosing': 'Write try: ... finally: await thing.aclose().',
            'ContextDecorator': 'Write `with` in the function, or a decorator of your own.',
            'redirect_stderr': 'Let functions return their text, and join it; what is printed is shown as it is.',
        },
    ),
    'copy': Names(
        monty='copy deepcopy',
    ),
    'csv': Names(
        monty=(
            'Dialect DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC excel '
            'excel_tab field_size_limit get_dialect list_dialects reader unix_dialect writer'
        ),
    ),
    'dataclasses': Names(
        monty='FrozenInstanceError MISSING dataclass field',
        polyfill='asdict astuple fields is_dataclass replace',
        refused={
            'InitVar': 'Write a class method that takes the value and makes the object.',
            'KW_ONLY': 'Use @dataclass(kw_only=True), or field(kw_only=True).',
            'make_dataclass': 'Write a class statement.',
        },
    ),
    'datetime': Names(
        monty='date datetime time timedelta timezone',
        polyfill='MAXYEAR MINYEAR UTC',
    ),
    'decimal': Names(
        monty=(
            'BasicContext Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple DefaultContext '
            'DivisionByZero DivisionImpossible DivisionUndefined ExtendedContext FloatOperation HAVE_CONTEXTVAR '
            'HAVE_THREADS Inexact InvalidContext InvalidOperation MAX_EMAX MAX_PREC MIN_EMIN MIN_ETINY Overflow '
            'ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP '
            'ROUND_UP Rounded Subnormal Underflow getcontext localcontext setcontext'
        ),
    ),
    'difflib': Names(
        polyfill='Match SequenceMatcher',
        host='context_diff get_close_matches ndiff restore unified_diff',
        refused={'Differ': 'Use difflib.ndiff(a, b).'},
        members={'get_grouped_opcodes': 'Use get_opcodes, or difflib.unified_diff(a, b).'},
    ),
    'enum': Names(
        polyfill='Enum IntEnum StrEnum auto unique',
        refused=dict.fromkeys(['Flag', 'IntFlag'], 'Keep members of an Enum in a set.'),
    ),
    'fnmatch': Names(
        host='filter fnmatchcase translate',
    ),
    'fractions': Names(
        polyfill='Fraction',
    ),
    'functools': Names(
        monty='partial reduce',
        transform='cache cached_property lru_cache',
        polyfill='cmp_to_key singledispatch total_ordering update_wrapper wraps',
        refused={
            'partialmethod': 'Write a method that calls the other one.',
            'singledispatchmethod': 'Write one method that asks with isinstance.',
        },
    ),
    'graphlib': Names(
        polyfill='CycleError TopologicalSorter',
    ),
    'hashlib': Names(
        monty=(
            'algorithms_available algorithms_guaranteed blake2b blake2s md5 new pbkdf2_hmac sha1 sha224 sha256 '
            'sha384 sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256'
        ),
    ),
    'heapq': Names(
        polyfill='heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest',
    ),
    'hmac': Names(
        polyfill='HMAC new',
        host='compare_digest digest',
    ),
    'html': Names(
        host='escape unescape',
    ),
    'io': Names(
        polyfill='BytesIO SEEK_CUR SEEK_END SEEK_SET StringIO',
        refused={
            'open': NO_FILES,
        },
    ),
    'itertools': Names(
        monty=(
            'accumulate chain combinations combinations_with_replacement compress count cycle dropwhile '
            'filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest'
        ),
        refused={
            'batched': 'It is newer than Python 3.11: use [xs[i : i + n] for i in range(0, len(xs), n)].',
        },
    ),
    'json': Names(
        monty='JSONDecodeError',
        transform='dumps loads',
        polyfill='dump load',
        refused={
            'JSONEncoder': 'Use json.dumps(value, default=function).',
            'JSONDecoder': 'Use json.loads(text), with object_hook=function for objects.',
        },
    ),
    'logging': Names(
        polyfill=(
            'CRITICAL DEBUG ERROR INFO Logger WARNING basicConfig critical debug error exception getLogger info '
            'log warning'
        ),
        refused={
            'FileHandler': 'Use logging.basicConfig(level=...), or print.',
            'Formatter': 'Use logging.basicConfig(level=...), or print.',
            'Handler': 'Use logging.basicConfig(level=...), or print.',
            'NullHandler': 'Use logging.basicConfig(level=...), or print.',
            'StreamHandler': 'Use logging.basicConfig(level=...), or print.',
        },
    ),
    'math': Names(
        monty=(
            'acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 '
            'expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm '
            'ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt tan '
            'tanh tau trunc ulp'
        ),
        refused={
            'sumprod': 'It is newer than Python 3.11: use sum(a * b for a, b in zip(xs, ys)).',
        },
    ),
    'operator': Names(
        polyfill=(
            'abs add and_ attrgetter concat contains countOf eq floordiv ge getitem gt indexOf invert is_ is_not '
            'itemgetter le lshift lt mod mul ne neg not_ or_ pos pow rshift setitem sub truediv truth xor'
        ),
    ),
    'os': Names(
        monty='altsep curdir defpath devnull extsep fspath linesep name pardir path pathsep sep',
        refused={
            'environ': 'There is nothing of the computer to be seen here: call the functions you were given.',
            'getcwd': 'There is nothing of the computer to be seen here: call the functions you were given.',
            'getenv': 'There is nothing of the computer to be seen here: call the functions you were given.',
            'getpid': 'There is nothing of the computer to be seen here: call the functions you were given.',
            'listdir': NO_FILES,
            'makedirs': NO_FILES,
            'mkdir': NO_FILES,
            'popen': 'There is nothing of the computer to be seen here: call the functions you were given.',
            'remove': NO_FILES,
            'rename': NO_FILES,
            'rmdir': NO_FILES,
            'scandir': NO_FILES,
            'stat': NO_FILES,
            'system': 'There is nothing of the computer to be seen here: call the functions you were given.',
            'unlink': NO_FILES,
            'urandom': 'Use random.randbytes.',
            'walk': NO_FILES,
        },
    ),
    'os.path': Names(
        monty=(
            'altsep basename commonpath commonprefix curdir dirname extsep isabs join normcase normpath pardir '
            'relpath sep split splitdrive splitext'
        ),
        refused={
            'abspath': NO_FILES,
            'exists': NO_FILES,
            'expanduser': NO_FILES,
            'getmtime': NO_FILES,
            'getsize': NO_FILES,
            'isdir': NO_FILES,
            'isfile': NO_FILES,
        },
    ),
    'pathlib': Names(
        monty='Path',
        polyfill='PosixPath PurePath PurePosixPath',
    ),
    'pprint': Names(
        polyfill='pp pprint',
        host='pformat',
    ),
    'queue': Names(
        polyfill='Empty Full LifoQueue PriorityQueue Queue SimpleQueue',
    ),
    'random': Names(
        monty=(
            'Random betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate '
            'normalvariate paretovariate randbytes randint random randrange sample seed shuffle triangular '
            'uniform vonmisesvariate weibullvariate'
        ),
        refused={
            'SystemRandom': 'Use the functions of random.',
            'binomialvariate': 'It is newer than Python 3.11: use sum(random.random() < p for _ in range(n)).',
        },
    ),
    're': Names(
        polyfill=(
            'A ASCII DOTALL I IGNORECASE L LOCALE M MULTILINE Match NOFLAG Pattern S U UNICODE VERBOSE X compile '
            'error findall finditer fullmatch match search split sub subn'
        ),
        host='escape',
        members={'expand': 'Use the groups of the match: match.group(1).'},
    ),
    'secrets': Names(
        polyfill='choice randbelow randbits token_bytes token_hex token_urlsafe',
    ),
    'shlex': Names(
        host='join quote split',
    ),
    'statistics': Names(
        polyfill='StatisticsError linear_regression',
        host=(
            'correlation covariance fmean geometric_mean harmonic_mean mean median median_grouped median_high '
            'median_low mode multimode pstdev pvariance quantiles stdev variance'
        ),
        refused={'NormalDist': 'Use math.erf: 0.5 * (1 + math.erf((x - mu) / (sigma * math.sqrt(2)))) is the cdf.'},
    ),
    'string': Names(
        polyfill=(
            'Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits printable '
            'punctuation whitespace'
        ),
        refused={
            'Formatter': 'Use template.format(...), or template.format_map(values).',
        },
    ),
    'sys': Names(
        monty='byteorder float_info float_repr_style maxsize maxunicode stderr stdout',
        polyfill='getrecursionlimit platform setrecursionlimit version version_info',
        refused={
            'argv': 'There is no command line: set variables instead.',
            'exit': 'Put the rest into a function, and `return` from it.',
            'exc_info': 'Use `except Exception as error`: type(error) and error are the first two of it.',
            'getsizeof': 'How much memory a value takes cannot be seen here; len(repr(value)) counts its text.',
            'stdin': 'Nobody types anything here: set variables instead.',
        },
    ),
    'textwrap': Names(
        refused={'TextWrapper': 'Use textwrap.wrap or textwrap.fill with the same options.'},
        host='dedent fill indent shorten wrap',
    ),
    'time': Names(
        monty=(
            'altzone asctime ctime daylight gmtime localtime mktime monotonic monotonic_ns perf_counter '
            'perf_counter_ns process_time process_time_ns sleep strftime thread_time thread_time_ns time time_ns '
            'timezone tzname'
        ),
        refused={
            'strptime': 'Use datetime.strptime(text, format) of datetime, and .timetuple() where a tuple is wanted.',
        },
    ),
    'tomllib': Names(
        monty='TOMLDecodeError loads',
        refused={
            'load': 'Use tomllib.loads: there are no files here.',
        },
    ),
    'traceback': Names(transform='format_exc format_exception format_exception_only print_exc print_exception'),
    'types': Names(
        polyfill='NoneType SimpleNamespace',
        refused={
            'MappingProxyType': 'Give a copy: dict(d).',
        },
    ),
    'typing': Names(
        monty=(
            'Annotated Any Callable ClassVar Dict Final FrozenSet Generator Generic Iterable Iterator List '
            'Literal Mapping Never NoReturn Optional Protocol Self Sequence Set TYPE_CHECKING Tuple Type Union'
        ),
        polyfill=(
            'AnyStr AsyncGenerator AsyncIterable AsyncIterator Awaitable Collection Concatenate Container '
            'Coroutine Counter DefaultDict Deque Hashable IO ItemsView KeysView LiteralString Match '
            'MutableMapping MutableSequence MutableSet NamedTuple NewType NotRequired OrderedDict ParamSpec '
            'Pattern Required Reversible Sized SupportsFloat SupportsInt Text TextIO TypeAlias TypeGuard TypeVar '
            'TypedDict Unpack ValuesView assert_never cast final overload runtime_checkable'
        ),
        refused={
            'get_args': 'Keep what you need in a tuple or a list, and write the type beside it.',
            'get_origin': 'Look at values with `type`.',
            'get_type_hints': 'Look at values with `type`.',
        },
    ),
    'unicodedata': Names(
        monty='category combining is_normalized lookup name normalize unidata_version',
    ),
    'urllib.parse': Names(
        polyfill='urlencode urlparse urlsplit urlunparse urlunsplit',
        host='parse_qs parse_qsl quote quote_from_bytes quote_plus unquote unquote_plus unquote_to_bytes urljoin',
        refused={
            'urldefrag': "Use url.partition('#').",
            **dict.fromkeys(['ParseResult', 'SplitResult'], 'Use urlunparse or urlunsplit of the parts.'),
        },
    ),
    'uuid': Names(
        polyfill=('NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL UUID uuid3 uuid4 uuid5'),
        refused={'uuid1': 'Use uuid.uuid4().'},
        members=dict.fromkeys(['bytes_le', 'clock_seq', 'node', 'time_low', 'variant'], 'Use int, hex or bytes.'),
    ),
    'warnings': Names(
        polyfill='filterwarnings simplefilter warn',
    ),
    'xml.etree.ElementTree': Names(
        polyfill='Element ParseError SubElement fromstring tostring',
        refused={
            'ElementTree': 'Use the element itself.',
            'XML': 'Use fromstring.',
            'fromstringlist': "Use fromstring(''.join(parts)).",
            'indent': 'Set text and tail of the elements.',
            'iselement': 'Use isinstance(value, Element).',
            **dict.fromkeys(['iterparse', 'parse'], 'Use fromstring(text).'),
        },
    ),
    'zoneinfo': Names(
        polyfill='ZoneInfo ZoneInfoNotFoundError available_timezones',
    ),
}
"""What can be imported. A module of which a polyfill has names is imported only for what Monty has of it."""
PATHS = Names(
    polyfill='is_relative_to match relative_to',
    refused={'as_uri': "Write 'file://' + urllib.parse.quote(str(path))."},
)
"""The methods of paths that Monty lacks and that ask for no file; `polyfills/pathlib.py` has them."""
_NO_LINKS = 'There are no links here.'
_NO_OWNERS = 'Files have no owners and modes here.'
_NO_HOME = 'There is no home folder: write whole paths.'
FILES: Mapping[str, Names] = {
    'io': Names(refused={'open': 'Use `open`.'}),
    'os': Names(
        monty='getcwd listdir makedirs mkdir remove rename replace rmdir scandir stat unlink walk',
        refused={
            'open': 'Use `open`.',
            **dict.fromkeys(['link', 'readlink', 'symlink'], 'No links are made or followed here: write a copy.'),
            **dict.fromkeys(['chmod', 'chown', 'umask'], _NO_OWNERS),
        },
    ),
    'os.path': Names(
        monty='abspath exists getmtime getsize isdir isfile islink',
        refused={
            **dict.fromkeys(['lexists', 'realpath', 'samefile'], 'Links are not followed here.'),
            'expanduser': _NO_HOME,
        },
    ),
    'tomllib': Names(monty='load'),
    'pathlib.Path': Names(
        monty=(
            'absolute cwd exists glob is_dir is_file is_symlink iterdir mkdir read_bytes rename replace resolve rglob '
            'rmdir stat unlink write_bytes'
        ),
        polyfill='open read_text touch write_text',
        refused={
            **dict.fromkeys(['hardlink_to', 'lstat', 'readlink', 'samefile', 'symlink_to'], _NO_LINKS),
            **dict.fromkeys(['chmod', 'group', 'owner'], _NO_OWNERS),
            **dict.fromkeys(['expanduser', 'home'], _NO_HOME),
            'is_mount': '',
        },
    ),
    'open files': Names(
        polyfill='seek tell writelines',
        refused={
            'buffer': "For bytes, open it with 'rb'.",
            'errors': 'Keep what you gave to open.',
            'newlines': 'Open it with newline="", and look at what the lines end with.',
            'peek': 'Read it all, and look at the start of that.',
            'reconfigure': 'Open it with the encoding.',
            'truncate': 'Write what is to stay into it, opened anew.',
            **dict.fromkeys(['raw', 'read1', 'readinto'], 'Use read.'),
            **dict.fromkeys(['detach', 'fileno', 'isatty', 'line_buffering', 'write_through'], ''),
        },
    ),
    'glob': Names(refused={'*': 'Use Path(folder).glob(pattern).'}),
    'shutil': Names(
        refused={'*': 'Use Path(new).write_bytes(Path(old).read_bytes()), Path(old).rename(new), and unlink.'}
    ),
    'tempfile': Names(refused={'*': 'Use a file in a folder that you may write into.'}),
}
"""What is offered, or refused with other words, where the session has folders; `*` stands for the whole module."""


@lru_cache(maxsize=64)
def names_of_module(module: str, *, has_files: bool = False) -> Names:
    """The names of a module of the table, in a session with folders or without."""
    names, more = MODULES[module], FILES.get(module)
    if more is None or not has_files:
        return names
    return replace(names, monty=f'{names.monty} {more.monty}', refused={**names.refused, **more.refused})


BUILTINS = Names(
    polyfill='ascii bytearray callable',
    transform=(
        'aiter anext bytes classmethod enumerate filter hasattr issubclass iter map object pow reversed round '
        'staticmethod super zip'
    ),
    refused={
        'PythonFinalizationError': 'It is newer than Python 3.11: use `RuntimeError`.',
        **dict.fromkeys(
            ['BytesWarning', 'EncodingWarning', 'ImportWarning', 'ResourceWarning', 'UnicodeWarning'], 'Use `Warning`.'
        ),
        'TabError': 'Use `SyntaxError`.',
        'BytesWarning': 'Use `Warning`.',
        'EncodingWarning': 'Use `Warning`.',
        'ImportWarning': 'Use `Warning`.',
        'ResourceWarning': 'Use `Warning`.',
        'UnicodeWarning': 'Use `Warning`.',
        'UnicodeTranslateError': 'Use `UnicodeError`.',
        'breakpoint': 'Use `print`.',
        'memoryview': 'Use bytes or a bytearray, and slices of it.',
        'compile': 'Write the code itself.',
        'copyright': '',
        'credits': '',
        'license': '',
        'help': 'Functions are shown with their signatures; `print` shows values.',
        'dir': 'Use `type`, `hasattr` and `getattr`.',
        'eval': 'Write the code itself; `ast.literal_eval` reads literals.',
        'exec': 'Write the code itself.',
        'globals': 'Keep values under names in a dict.',
        'locals': 'Keep values under names in a dict.',
        'delattr': 'An attribute cannot be deleted here. Set it to None.',
        'vars': 'Name the attributes in a dict, or use asdict of a dataclass.',
        'exit': 'A script ends with its last line; `return` ends it earlier.',
        'quit': 'A script ends with its last line; `return` ends it earlier.',
        'input': 'Nobody types anything here: set variables instead.',
    },
)
"""The builtins that Monty lacks or has otherwise; all others are Monty's own."""
METHODS: Mapping[str, Names] = {
    'str': Names(polyfill='format_map translate'),
    'int': Names(
        polyfill='bit_count bit_length to_bytes',
        refused={
            'as_integer_ratio': 'Use `fractions.Fraction(x)`.',
            'real': 'It is the number itself.',
            'imag': 'It is 0.',
            'numerator': 'It is the number itself.',
            'denominator': 'It is 1.',
        },
    ),
    'float': Names(
        polyfill='is_integer',
        refused={
            'real': 'It is the number itself.',
            'imag': 'It is 0.0.',
            'as_integer_ratio': 'Use `fractions.Fraction(x)`.',
            'hex': 'Use `repr`, which loses nothing.',
            'fromhex': 'Use `float(text)` of a decimal number.',
        },
    ),
    'set': Names(polyfill='difference_update intersection_update symmetric_difference_update'),
    'dict': Names(polyfill='move_to_end'),
    'date': Names(polyfill='isocalendar timetuple toordinal'),
    'object': Names(polyfill='__add__ __contains__ __eq__ __getitem__ __len__ __mul__ __setitem__'),
    'slice': Names(polyfill='indices'),
    'bytes': Names(
        refused={
            'translate': 'Use `bytes(table[byte] for byte in data)`.',
            'expandtabs': 'Use `data.decode().expandtabs()`.',
        }
    ),
    'bytearray': Names(
        refused=dict.fromkeys(
            ['clear', 'copy', 'count', 'insert', 'remove', 'replace', 'reverse', 'startswith', 'endswith'],
            'Work on a list of numbers, and make bytes of it; or on bytes(data).',
        )
    ),
    'range': Names(
        refused={
            'start': 'Keep the number in a variable.',
            'stop': 'Keep the number in a variable.',
            'step': 'Keep the number in a variable.',
            'index': 'Write `list(...).index(...)`.',
            'count': 'Write `list(...).count(...)`.',
        }
    ),
}
"""The methods of builtin types that Monty lacks; `polyfills/methods.py` has them, but for those that are refused."""
CLASS_METHODS: Mapping[str, frozenset[str]] = {
    'builtins.str': frozenset(['maketrans']),
    'builtins.int': frozenset(['from_bytes']),
    'collections.OrderedDict': frozenset(['fromkeys']),
    'datetime.date': frozenset(['fromisocalendar', 'fromisoformat', 'fromordinal', 'fromtimestamp']),
    'datetime.datetime': frozenset(
        [
            *('combine', 'fromisocalendar', 'fromisoformat', 'fromordinal', 'fromtimestamp', 'strptime', 'today'),
            *('utcfromtimestamp', 'utcnow'),
        ]
    ),
}
"""Methods of types that a polyfill has: `maketrans` of `str` is `str_maketrans` there."""
CLASS_MEMBERS: Mapping[str, str] = {
    '__new__': 'Write a function, or a class method, that makes the object.',
    '__getattr__': 'Keep the values in a dict, and write a method that looks them up.',
    '__getattribute__': 'Use properties.',
    '__setattr__': 'Use a property with a setter, or @dataclass(frozen=True).',
    '__delattr__': 'Write a method that sets the attribute to None.',
    '__get__': 'There are no descriptors here: use properties.',
    '__set__': 'There are no descriptors here: use properties with setters.',
    '__delete__': 'There are no descriptors here: use properties.',
    '__set_name__': 'Give the name as an argument.',
    '__class_getitem__': 'Use Generic[T] as a base.',
    '__missing__': 'Use a defaultdict, or a method that fills the dict.',
    '__instancecheck__': 'Write a function that asks.',
    '__subclasshook__': 'Write a function that asks.',
    '__prepare__': 'There are no metaclasses here: use a class decorator.',
    '__del__': 'Use a context manager: __enter__ and __exit__.',
}
"""Methods that are not asked for objects of a script's class, with what to write instead."""
_CANCELLING = 'A function that catches asyncio.CancelledError raises it again.'
_LATER = 'Create a task of an `async def` function that sleeps first.'
ATTRIBUTES: Mapping[str, str] = {
    '__context__': 'Raise with `from`, and ask for __cause__.',
    '__suppress_context__': 'Ask for __cause__.',
    '__traceback__': 'Use traceback.format_exc() in the handler.',
    'with_traceback': 'Raise the exception itself.',
    'add_note': "Put the note into the text: raise ValueError(f'{error}: note') from error.",
    '__notes__': "Put notes into the text: raise ValueError(f'{error}: note') from error.",
    '__annotations__': 'Write the names in a list; fields() of dataclasses lists fields.',
    'call_at': _LATER,
    'call_later': _LATER,
    'call_soon': _LATER,
    'create_future': 'Wait for an asyncio.Event, and keep the value beside it, or put it into an asyncio.Queue.',
    'get_coro': 'Keep the coroutine in a variable.',
    'pop_all': 'Enter the contexts where they are left.',
    'cancelling': _CANCELLING,
    'remove_done_callback': 'Let the callback itself ask whether it is still wanted.',
    'uncancel': _CANCELLING,
    '__closure__': 'Keep the value in an attribute of an object.',
    '__code__': 'Pass what you need as an argument.',
    '__defaults__': 'Keep the value in a variable.',
    '__kwdefaults__': 'Keep the value in a variable.',
    '__func__': 'Call the function by its name in the class.',
    '__self__': 'Keep the object in a variable.',
    '__globals__': 'Keep values under names in a dict.',
    '__module__': 'Write the name itself.',
    '__qualname__': 'Use __name__.',
    '__dict__': 'Name the attributes in a dict, or use asdict of a dataclass.',
    '__doc__': 'Keep the text in a variable.',
    '__wrapped__': 'Keep the function under a name of its own.',
    '__mro__': 'Use isinstance or issubclass.',
    '__bases__': 'Use isinstance or issubclass.',
    '__subclasses__': 'Keep the classes in a list, which __init_subclass__ or a decorator fills.',
    '__slots__': 'Write the names in a list of another name.',
    '__weakref__': 'Keep the object itself, or its key in a dict.',
    'utctimetuple': 'Use .astimezone(timezone.utc).timetuple().',
}
"""Attributes that CPython's functions, classes and exceptions have and those here lack, with what to write instead."""
ADVICE: Mapping[str, str] = {
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
    'xml.dom': 'Use `xml.etree.ElementTree`.',
    'keyword': 'Write the words in a set.',
    'numbers': 'Use isinstance(x, (int, float)).',
    'bs4': 'Use `re` and `html.unescape`.',
    'gzip': 'Compression is not available.',
    'zlib': 'Compression is not available.',
}
"""What to use in place of a module that is not in the table."""
FORGOTTEN: Mapping[str, str] = {
    'defaultdict': 'collections',
    'Counter': 'collections',
    'deque': 'collections',
    'namedtuple': 'collections',
    'timedelta': 'datetime',
    'timezone': 'datetime',
    'dataclass': 'dataclasses',
    'field': 'dataclasses',
    'reduce': 'functools',
    'partial': 'functools',
    'lru_cache': 'functools',
    'groupby': 'itertools',
    'chain': 'itertools',
    'islice': 'itertools',
    'combinations': 'itertools',
    'permutations': 'itertools',
    'product': 'itertools',
    'zip_longest': 'itertools',
    'Any': 'typing',
    'Dict': 'typing',
    'List': 'typing',
    'Optional': 'typing',
    'Set': 'typing',
    'Tuple': 'typing',
    'Union': 'typing',
    'Callable': 'typing',
    'Literal': 'typing',
    'Decimal': 'decimal',
    'Path': 'pathlib',
    'deepcopy': 'copy',
    'sqrt': 'math',
    'ceil': 'math',
    'floor': 'math',
}
"""The modules of names that scripts use without importing them."""
