"""Each row of the table answers as the function of its name, by value or by error."""

import configparser
import difflib
import re
import string
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pkgutil import resolve_name
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from zoneinfo import ZoneInfo, available_timezones

import pytest

from toolscript_sandbox.host_library import HostLibrary, HostLibraryError
from toolscript_sandbox.host_library.table import functions, kind_of

pytestmark = pytest.mark.anyio

_NUMBERS = [3, 1, 4, 1, 5, 9, 2, 6]
_A, _B = ['the', 'quick', 'brown', 'fox'], ['the', 'quick', 'red', 'fox', 'jumps']
OWN: list[tuple[str, list[Any]]] = [
    ('ast.literal_eval', ["{'a': (1, 2.5, None, b'x')}"]),
    ('ast.literal_eval', ['[1']),
    ('builtins.format', [1234567.891, ',.2f']),
    ('builtins.format', [1, 'q']),
    ('builtins.format', [date(2024, 5, 6), '%d. %B']),
    ('calendar.timegm', [[2024, 1, 2, 3, 4, 5]]),
    ('calendar.calendar', [2024]),
    ('calendar.month', [2024, 2]),
    ('calendar.monthcalendar', [2024, 2]),
    ('calendar.leapdays', [1900, 2024]),
    *[
        (f'cmath.{name}', [1 + 2j])
        for name in ['acos', 'acosh', 'asin', 'asinh', 'atan', 'atanh', 'cos', 'cosh', 'exp']
    ],
    *[
        (f'cmath.{name}', [1 + 2j])
        for name in [
            'isfinite',
            'isinf',
            'isnan',
            'log',
            'log10',
            'phase',
            'polar',
            'sin',
            'sinh',
            'sqrt',
            'tan',
            'tanh',
        ]
    ],
    ('cmath.isclose', [1 + 2j, 1 + 2.0000000001j]),
    ('cmath.log', [0]),
    ('cmath.rect', [1.0, 2.0]),
    *[
        (f'colorsys.{name}', [0.1, 0.4, 0.7])
        for name in ['hls_to_rgb', 'hsv_to_rgb', 'rgb_to_hls', 'rgb_to_hsv', 'rgb_to_yiq', 'yiq_to_rgb']
    ],
    ('datetime.date.fromisoformat', ['2024-W01-1']),
    ('datetime.datetime.fromisoformat', ['20240102T030405Z']),
    ('datetime.datetime.fromisoformat', ['yesterday']),
    ('datetime.datetime.strptime', ['2 Jan 24 10:11 PM +0130', '%d %b %y %I:%M %p %z']),
    ('datetime.datetime.strptime', ['x', '%Y']),
    ('difflib.context_diff', [_A, _B, 'a', 'b']),
    ('difflib.get_close_matches', ['appel', ['ape', 'apple', 'peach']]),
    ('difflib.ndiff', [_A, _B]),
    ('difflib.restore', [['- a', '+ b'], 2]),
    ('difflib.unified_diff', [_A, _B]),
    ('fnmatch.filter', [['a.py', 'b.txt'], '*.py']),
    ('fnmatch.fnmatch', ['a.py', '*.PY']),
    ('fnmatch.fnmatchcase', ['a.py', '*.PY']),
    ('fnmatch.translate', ['[!a]*.py']),
    ('hmac.compare_digest', ['a', 'a']),
    ('hmac.digest', [b'key', b'text', 'sha256']),
    ('hmac.digest', [b'key', b'text', 'nosuch']),
    ('html.escape', ['<a href="x">']),
    ('html.unescape', ['&lt;&eacute;&#x41;&nosuch;']),
    ('json.dumps', [{'a': [1, None, True, 2.5, 'é']}]),
    ('json.dumps', [{1, 2}]),
    *[(f'math.{name}', [0.7]) for name in ['atanh', 'cbrt', 'erf', 'erfc', 'gamma', 'lgamma']],
    ('math.atanh', [2]),
    ('pprint.pformat', [{'a': list(range(40)), 'b': 'x' * 90}]),
    ('re.escape', ['a.b-c d']),
    ('shlex.join', [['a b', "c'd"]]),
    ('shlex.quote', ['a b']),
    ('shlex.split', ["a 'b c' d\\ e"]),
    ('shlex.split', ["a 'b"]),
    ('statistics.correlation', [_NUMBERS, [2 * x + 1 for x in _NUMBERS]]),
    ('statistics.covariance', [_NUMBERS, _NUMBERS[::-1]]),
    *[
        (f'statistics.{name}', [_NUMBERS])
        for name in ['fmean', 'geometric_mean', 'harmonic_mean', 'mean', 'median', 'median_grouped']
    ],
    *[
        (f'statistics.{name}', [_NUMBERS])
        for name in ['median_high', 'median_low', 'mode', 'multimode', 'pstdev', 'pvariance', 'quantiles']
    ],
    *[(f'statistics.{name}', [_NUMBERS]) for name in ['stdev', 'variance']],
    ('statistics.linear_regression', [_NUMBERS, _NUMBERS[::-1]]),
    ('statistics.mean', [[0.1, 0.2, 0.3]]),
    ('statistics.mean', [[Decimal('0.1'), Decimal('0.2')]]),
    ('statistics.mean', [[]]),
    ('statistics.mean', [['a']]),
    ('statistics.stdev', [[1]]),
    ('string.capwords', ['ab cd']),
    ('textwrap.dedent', ['  a\n    b']),
    ('textwrap.fill', ['the quick brown fox', 9]),
    ('textwrap.indent', ['a\nb', '> ']),
    ('textwrap.shorten', ['the quick brown fox', 12]),
    ('textwrap.wrap', ['the quick brown fox', 9]),
    ('textwrap.wrap', ['the quick brown fox', 0]),
    ('urllib.parse.parse_qs', ['a=1&a=2&b=']),
    ('urllib.parse.parse_qsl', ['a=1&a=2&b=']),
    ('urllib.parse.quote', ['a b/é?']),
    ('urllib.parse.quote_from_bytes', [b'a b\xff']),
    ('urllib.parse.quote_plus', ['a b/é?']),
    ('urllib.parse.unquote', ['a%20b%C3%A9']),
    ('urllib.parse.unquote_plus', ['a+b%C3%A9']),
    ('urllib.parse.unquote_to_bytes', ['a%FF']),
    ('urllib.parse.urljoin', ['http://a/b/c', '../d']),
    ('urllib.parse.urlparse', ['http://u:p@h:80/p;x?q#f']),
    ('urllib.parse.urlsplit', ['http://u:p@h:80/p;x?q#f']),
    ('urllib.parse.urlsplit', ['http://[h']),
    ('urllib.parse.urlunparse', [['http', 'h', '/p', 'x', 'q', 'f']]),
    ('urllib.parse.urlunsplit', [['http', 'h', '/p', 'q', 'f']]),
]
"""Rows that are CPython's own functions, and arguments."""


def _text(wanted: str, **options: Any) -> Any:
    parser = configparser.ConfigParser(**options)
    parser.read_string(wanted)
    shared = dict(parser.defaults())
    sections = {name: {**parser[name]} for name in parser.sections()}
    own = {name: {key: found[key] for key in found if key not in shared} for name, found in sections.items()}
    return shared, {name: (own[name], {key: found[key] for key in shared}) for name, found in sections.items()}


_INI = '[a]\nx = 1\ny = %(x)s2\n[b]\n[DEFAULT]\nz = 3\n'
_XML = '<a x="1">t<b><c/>u</b>v<b k="2"/></a>'
_LISTED: list[Any] = [
    'a',
    {'x': '1'},
    't',
    None,
    [['b', {}, None, 'v', [['c', {}, None, 'u', []]]], ['b', {'k': '2'}, None, None, []]],
]
_MATCHER = difflib.SequenceMatcher(None, _A, _B)
SHAPED: list[tuple[str, list[Any], Callable[[], Any]]] = [
    ('configparser.read', [_INI], lambda: _text(_INI)),
    ('configparser.read', [_INI, None, None], lambda: _text(_INI, interpolation=None)),
    ('configparser.read', ['x'], lambda: _text('x')),
    ('configparser.read', ['[a]\nx=%(y)s'], lambda: _text('[a]\nx=%(y)s')),
    ('codecs.convert', ['€é', 'cp1252', 'strict'], lambda: '€é'.encode('cp1252')),
    ('codecs.convert', [b'\x80', 'cp1252', 'strict'], lambda: '€'),
    ('codecs.convert', ['é', 'latin-1', 'strict'], lambda: b'\xe9'),
    ('codecs.convert', ['x', 'nosuch', 'strict'], lambda: 'x'.encode('nosuch')),
    ('difflib.SequenceMatcher', [_A, _B, [], True, 'ratio'], _MATCHER.ratio),
    ('difflib.SequenceMatcher', [_A, _B, [], True, 'get_opcodes'], _MATCHER.get_opcodes),
    (
        'difflib.SequenceMatcher',
        [_A, _B, [], True, 'get_matching_blocks'],
        lambda: [tuple(block) for block in _MATCHER.get_matching_blocks()],
    ),
    (
        'difflib.SequenceMatcher',
        ['ab cd', 'b cde', [' '], True, 'ratio'],
        difflib.SequenceMatcher(lambda char: char == ' ', 'ab cd', 'b cde').ratio,
    ),
    ('fractions.Fraction', ['3.25'], lambda: Fraction('3.25').as_integer_ratio()),
    ('fractions.Fraction', ['x'], lambda: Fraction('x')),
    ('fractions.Fraction', [0.1], lambda: Fraction(0.1).as_integer_ratio()),
    (
        'fractions.Fraction',
        [314159, 100, 100000],
        lambda: Fraction(314159, 100000).limit_denominator(100).as_integer_ratio(),
    ),
    ('json.pairs', ['{"a": [{"b": 1, "b": 2}]}'], lambda: (('a', [(('b', 1), ('b', 2))]),)),
    ('re.compile', ['(?P<x>a)(?i)'[:8], 2], lambda: (34, 1, {'x': 1})),
    ('re.compile', ['(', 0], lambda: re.compile('(')),
    ('re.method', ['(a)(b)?', 0, 'search', 'xa'], lambda: ([(1, 2), (1, 2), (-1, -1)], 1)),
    ('re.method', ['(a)(b)?', 0, 'search', 'x'], lambda: None),
    ('re.method', ['a*', 0, 'finditer', 'ba'], lambda: [([(0, 0)], None), ([(1, 2)], None), ([(2, 2)], None)]),
    ('re.method', ['(a)', 0, 'subn', r'<\1>', 'baa', 1], lambda: re.compile('(a)').subn(r'<\1>', 'baa', 1)),
    ('re.method', ['(,)', 0, 'split', 'a,b'], lambda: ['a', ',', 'b']),
    ('re.method', [b'a', 0, 'findall', b'aba'], lambda: [b'a', b'a']),
    (
        'string.Template',
        ['$a ${b} $$', {'a': 1, 'b': 'x'}],
        lambda: string.Template('$a ${b} $$').substitute(a=1, b='x'),
    ),
    ('string.Template', ['$a $c', {'a': 1}, True], lambda: '1 $c'),
    ('string.Template', ['$a', {}], lambda: string.Template('$a').substitute({})),
    ('urllib.parse.netloc', ['u:p@h:80'], lambda: ('u', 'p', 'h', 80)),
    ('urllib.parse.netloc', ['h:x'], lambda: (None, None, 'h', "Port could not be cast to integer value as 'x'")),
    (
        'urllib.parse.urlencode',
        [{'a': 'b c', 'd': [1, 2]}, True],
        lambda: urlencode({'a': 'b c', 'd': [1, 2]}, doseq=True),
    ),
    ('xml.etree.ElementTree.findall', [_LISTED, './/c'], lambda: [[0, 0]]),
    ('xml.etree.ElementTree.findall', [_LISTED, "b[@k='2']"], lambda: [[1]]),
    ('xml.etree.ElementTree.findall', [_LISTED, '//['], lambda: ElementTree.fromstring(_XML).findall('//[')),
    ('xml.etree.ElementTree.fromstring', [_XML], lambda: _LISTED),
    ('xml.etree.ElementTree.fromstring', ['<a>'], lambda: ElementTree.fromstring('<a>')),
    (
        'xml.etree.ElementTree.tostring',
        [_LISTED, 'unicode'],
        lambda: ElementTree.tostring(ElementTree.fromstring(_XML), 'unicode'),
    ),
    ('xml.etree.ElementTree.tostring', [_LISTED], lambda: ElementTree.tostring(ElementTree.fromstring(_XML))),
]
"""Rows with a shape of their own, arguments, and what CPython says."""


async def _asked(library: HostLibrary, name: str, args: list[Any], kwargs: dict[str, Any] | None = None) -> Any:
    try:
        return await library.call(name, args, kwargs or {}, seconds=5)
    except HostLibraryError as error:
        return error.kind, error.builtin, error.message


def _expected(function: Callable[[], Any]) -> Any:
    try:
        value = function()
    except Exception as error:
        return *kind_of(error), str(error.args[0]) if isinstance(error, KeyError) else str(error)
    if isinstance(value, Iterator):
        return [*value]
    return (*value,) if isinstance(value, tuple) else value


@pytest.mark.parametrize(('name', 'args'), OWN)
async def test_a_function_of_cpython_answers_as_it_does_there(library: HostLibrary, name: str, args: list[Any]) -> None:
    expected = _expected(lambda: resolve_name(name)(*args))
    found = await _asked(library, name, args)
    assert (type(found), found) == (type(expected), expected)


@pytest.mark.parametrize(('name', 'args', 'function'), SHAPED)
async def test_a_row_of_its_own_shape_says_what_cpython_says(
    library: HostLibrary, name: str, args: list[Any], function: Callable[[], Any]
) -> None:
    assert await _asked(library, name, args) == _expected(function)


def test_each_row_is_compared() -> None:
    assert functions.keys() == {name for name, *_ in [*OWN, *SHAPED]} | {'zoneinfo.changes'}


async def test_keywords_reach_the_function(library: HostLibrary) -> None:
    assert await _asked(library, 'statistics.quantiles', [_NUMBERS], {'n': 2}) == [3.5]
    assert await _asked(library, 'urllib.parse.urlencode', [{'a': 'b c'}], {'plus': False}) == urlencode(
        {'a': 'b c'}, quote_via=quote
    )
    assert (
        await _asked(library, 'json.dumps', [{'b': 1, 'a': 2}], {'sort_keys': True, 'indent': 1})
        == '{\n "a": 2,\n "b": 1\n}'
    )


async def test_wrong_arguments_raise_as_in_cpython(library: HostLibrary) -> None:
    assert await _asked(library, 'html.escape', []) == (
        'TypeError',
        'TypeError',
        "escape() missing 1 required positional argument: 's'",
    )


@pytest.mark.parametrize(
    'key',
    [
        'Europe/Berlin',
        'America/New_York',
        'Asia/Kolkata',
        'Africa/Casablanca',
        'UTC',
        'Australia/Lord_Howe',
        'Africa/Freetown',
        'America/Noronha',
        'Asia/Gaza',
    ],
)
async def test_the_changes_of_a_zone_say_what_holds_at_any_moment(library: HostLibrary, key: str) -> None:
    seconds, numbers, kinds = await library.call('zoneinfo.changes', [key], {}, seconds=5)
    zone = ZoneInfo(key)
    for second in range(-3_000_000_000, 4_000_000_000, 9_999_991):
        place = sum(change <= second for change in seconds)
        local = datetime.fromtimestamp(second, UTC).astimezone(zone)
        found = (local.utcoffset(), local.dst(), local.tzname())
        offset, summer, name = kinds[numbers[place - 1] if place else 0]
        assert (timedelta(seconds=offset), timedelta(seconds=summer), name) == found


async def test_zones_are_listed_and_unknown_ones_refused(library: HostLibrary) -> None:
    assert await library.call('zoneinfo.available_timezones', [], {}, seconds=5) == available_timezones()
    for key in ('Nope/Nope', '../../../etc/passwd', '/etc/passwd', 'tzdata.zi', '', 3, ['UTC']):
        assert await _asked(library, 'zoneinfo.changes', [key]) == (
            'zoneinfo.ZoneInfoNotFoundError',
            'KeyError',
            f'No time zone found with key {key}',
        )


def test_splitting_is_as_the_polyfill_reads_it() -> None:
    assert tuple(urlsplit('http://h/p')) == ('http', 'h', '/p', '', '')
