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
    'zoneinfo': 'Use `timezone(timedelta(hours=...))` from `datetime`.',
    'pytz': 'Use `timezone(timedelta(hours=...))` from `datetime`.',
    'dateutil': 'Use `datetime.fromisoformat`, `strptime` and `timedelta`.',
    'threading': 'Use `asyncio.gather` to make calls at the same time.',
    'concurrent': 'Use `asyncio.gather` to make calls at the same time.',
    'multiprocessing': 'Use `asyncio.gather` to make calls at the same time.',
    'queue': 'Use `collections.deque`.',
    'fractions': 'Use `decimal.Decimal`, or a pair of ints and `math.gcd`.',
    'pydantic': 'Use dicts or `dataclasses`.',
    'struct': 'Use `int.to_bytes` and bytes.',
    'pickle': 'Use `json`.',
    'inspect': 'Look at values with `type` and `dir`.',
    'shutil': 'There are no files here.',
    'tempfile': 'There are no files here.',
    'glob': 'There are no files here.',
    'sqlite3': 'Use lists and dicts.',
    'yaml': 'Use `json`, or split the lines.',
    'xml': 'Use `re`.',
    'bs4': 'Use `re` and `html.unescape`.',
    'itertools': '',
    'gzip': 'Compression is not available.',
    'zlib': 'Compression is not available.',
}
"""What to use in place of a module that cannot be offered."""
