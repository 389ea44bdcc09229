"""All functions of the host library that scripts can call.

A polyfill calls `_host__(name, *arguments, **keywords)`; a name that is not here is refused.
Arguments and results are plain values: None, bool, int, float, complex, str, bytes, Decimal, date, datetime, time,
timedelta, timezone, and lists, tuples, dicts and sets of them. No function takes callbacks, runs code or uses files.
Those of `language/dialect.toml` are CPython's own, called directly, except that iterators are returned as lists and
named tuples as tuples; the others return what a thin class of a polyfill needs.
"""

import configparser
import difflib
import io
import json
import pprint
import re
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import make_dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus, urlencode, urlsplit
from zoneinfo import ZoneInfo

Function = TypeVar('Function', bound=Callable[..., Any])

_DIALECT = tomllib.loads((Path(__file__).parents[1] / 'language' / 'dialect.toml').read_text('utf-8'))
_OF_POLYFILLS = (
    'datetime.date.fromisoformat datetime.datetime.fromisoformat datetime.datetime.strptime '
    'datetime.time.fromisoformat '
    'statistics.linear_regression urllib.parse.urlparse urllib.parse.urlsplit urllib.parse.urlunparse '
    'urllib.parse.urlunsplit'
)
"""Functions whose results polyfills convert for scripts."""

functions: dict[str, Callable[..., Any]] = {
    name: resolve_name(name)
    for name in (
        *(f'{home}.{name}' for home, row in _DIALECT['modules'].items() for name in row.get('host', '').split()),
        *_OF_POLYFILLS.split(),
    )
}
"""The table: each function under the name that polyfills use."""


def _row(name: str) -> Callable[[Function], Function]:
    def added(function: Function) -> Function:
        functions[name] = function
        return function

    return added


def _method(holder: object, method: str, allowed: str) -> Callable[..., Any]:
    if method not in allowed.split():
        raise ValueError(f'{method!r} is not supported; use one of {allowed}')
    return getattr(holder, method)


@_row('configparser.read')
def _config_read(
    texts: list[str],
    keeps_case: bool,
    defaults: dict[str, str] | None = None,
    interpolation: str | None = 'basic',
    **options: Any,
) -> dict[str, dict[str, list[str | None]]]:
    """Return, for 'DEFAULT' and each section, what is known about each option: its text, the interpolated text, and the
    error of the interpolation. `interpolation` is 'basic' or None.
    """
    kind = None if interpolation is None else configparser.BasicInterpolation()
    parsers = _CaseKeepingParser if keeps_case else configparser.RawConfigParser
    parser = parsers(defaults, interpolation=kind, **options)
    for text in texts:
        parser.read_string(text)
    return {name: {option: _config_option(parser, name, option) for option in parser[name]} for name in parser}


class _CaseKeepingParser(configparser.RawConfigParser):
    def optionxform(self, optionstr: str) -> str:
        return optionstr


def _config_option(parser: configparser.RawConfigParser, section: str, option: str) -> list[str | None]:
    text = parser.get(section, option, raw=True)
    try:
        return [text, parser.get(section, option), None]
    except configparser.InterpolationError as error:
        return [text, None, str(error)]


@_row('difflib.SequenceMatcher')
def _sequence_matcher(a: Sequence[Any], b: Sequence[Any], junk: Sequence[Any], autojunk: bool, method: str) -> Any:
    """Return the result of one method of a matcher; `junk` are the elements of b to leave out."""
    made = difflib.SequenceMatcher(set(junk).__contains__ if junk else None, a, b, autojunk)
    return _method(made, method, 'ratio get_opcodes get_matching_blocks')()


@_row('codecs.convert')
def _convert(value: str | bytes, encoding: str, errors: str) -> str | bytes:
    """Encode or decode a text, in a text encoding."""
    try:
        return value.encode(encoding, errors) if isinstance(value, str) else value.decode(encoding, errors)
    except OSError:
        raise LookupError(f'unknown encoding: {encoding}') from None


@_row('pprint.pformat')
def _pformat(described: Any, *args: Any, **options: Any) -> str:
    """Return the result of `pformat`, for a value that the polyfill describes."""
    return pprint.pformat(_of_description(described), *args, **options)


class _Shown:
    """An object of a script, of which only the `repr` is known."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def __call__(self) -> None:
        """Pass for the factory of a defaultdict."""


def _of_description(described: Any) -> Any:
    match described:
        case ['object', text]:
            return _Shown(text)
        case ['dataclass', name, fields, values]:
            return make_dataclass(name, fields, eq=False)(*map(_of_description, values))
        case ['defaultdict' | 'Counter' | 'dict' as kind, keys, values, factory]:
            pairs = zip(map(_of_description, keys), map(_of_description, values), strict=True)
            return defaultdict(_Shown(factory), pairs) if kind == 'defaultdict' else _KINDS[kind](dict(pairs))
        case ['deque', items, maxlen]:
            return deque(map(_of_description, items), maxlen)
        case [kind, items, _]:
            return _KINDS[kind](map(_of_description, items))
        case _:
            return described


_KINDS: dict[str, Callable[..., Any]] = {kind.__name__: kind for kind in (Counter, dict, list, tuple, set, frozenset)}


@_row('json.pairs')
def _json_pairs(text: str | bytes, strict: bool) -> Any:
    """Return the result of `loads`, with a tuple of pairs instead of each dict."""
    return json.loads(text, object_pairs_hook=tuple, strict=strict)


@_row('fractions.Fraction')
def _fraction(value: float | str | Decimal, limit: int | None = None, denominator: int = 1) -> tuple[int, int]:
    """Return numerator and denominator of `Fraction(value) / denominator`, after `limit_denominator` if given."""
    made = Fraction(value) / denominator
    return (made if limit is None else made.limit_denominator(limit)).as_integer_ratio()


@_row('re.compile')
def _re_compile(pattern: str | bytes, flags: int) -> tuple[int, int, dict[str, int]]:
    """Return the pattern's `flags`, `groups` and `groupindex`."""
    made = re.compile(pattern, flags)
    return int(made.flags), made.groups, dict(made.groupindex)


@_row('re.method')
def _re_method(pattern: str | bytes, flags: int, method: str, *args: Any) -> Any:
    """Return the result of a pattern's method; a match becomes a tuple of all groups' spans, and `lastindex`."""
    found: Any = _method(re.compile(pattern, flags), method, 'search match fullmatch finditer findall split sub subn')(
        *args
    )
    if method == 'finditer':
        return [_match(one) for one in found]
    return _match(found) if isinstance(found, re.Match) else found


def _match(found: Any) -> tuple[list[tuple[int, int]], int | None]:
    return [found.span(group) for group in range(found.re.groups + 1)], found.lastindex


@_row('urllib.parse.urlencode')
def _urlencode(query: Any, *args: Any, plus: bool = True, **options: Any) -> str:
    """Call `urlencode` with `quote_via=quote_plus`, or `quote` if not `plus`."""
    return urlencode(query, *args, quote_via=quote_plus if plus else quote, **options)


@_row('urllib.parse.netloc')
def _netloc(netloc: str) -> tuple[str | None, str | None, str | None, int | str | None]:
    """Return `username`, `password`, `hostname` and `port`, or the message of the port's `ValueError`."""
    split = urlsplit(f'//{netloc}')
    try:
        port = split.port
    except ValueError as error:
        port = str(error)
    return split.username, split.password, split.hostname, port


@_row('xml.etree.ElementTree.fromstring')
def _xml_fromstring(text: str | bytes) -> list[Any]:
    """Return the root as [tag, attributes, text, tail, children]."""
    return _listed(ElementTree.fromstring(text))


@_row('xml.etree.ElementTree.findall')
def _xml_findall(element: list[Any], path: str, namespaces: dict[str, str] | None = None) -> list[list[int]]:
    """Return, for each element that `findall` finds, the path of child indices that leads to it."""
    made, places = _built(element), dict[ElementTree.Element, list[int]]()
    waiting = [(made, list[int]())]
    while waiting:
        parent, place = waiting.pop()
        places[parent] = place
        waiting += [(child, [*place, number]) for number, child in enumerate(parent)]
    return [places[found] for found in made.findall(path, namespaces)]


def _listed(element: ElementTree.Element) -> list[Any]:
    return [element.tag, element.attrib, element.text, element.tail, [_listed(child) for child in element]]


def _built(given: list[Any]) -> ElementTree.Element:
    tag, attributes, text, tail, children = given
    made = ElementTree.Element(tag, attributes)
    made.text, made.tail = text, tail
    made.extend([_built(child) for child in children])
    return made


_STEP = 3 * 86400
"""Seconds within which no zone has ever changed twice: the shortest time between two changes is almost four days."""
_FIRST, _LAST = (int((datetime(year, 1, 1) - datetime(1970, 1, 1)).total_seconds()) for year in (1840, 2100))


@_row('zoneinfo.changes')
@lru_cache(maxsize=256)
def _zone_changes(key: str, data: bytes) -> tuple[list[int], list[int], list[tuple[int, int, str]]]:
    """Return the changes of a time zone from 1840 to 2100: their moments in seconds since 1970 in UTC, the index of the
    kind of time that then applies, and the kinds: offset and daylight saving time in it (in seconds), and name.

    The first kind applies before the first change. Polyfills pass only the key; the client adds the zone's file.
    """
    zone, kinds = ZoneInfo.from_file(io.BytesIO(data), key), dict[tuple[int, int, str], int]()
    seconds, numbers = list[int](), list[int]()

    def kind(moment: int) -> int:
        local = datetime.fromtimestamp(moment, zone)
        offset, summer = local.utcoffset() or timedelta(), local.dst() or timedelta()
        found = offset // timedelta(seconds=1), summer // timedelta(seconds=1), local.tzname() or ''
        return kinds.setdefault(found, len(kinds))

    known = kind(_FIRST)
    for second in range(_FIRST + _STEP, _LAST, _STEP):
        if (now := kind(second)) != known:
            low, high = second - _STEP, second
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if kind(middle) == known else (low, middle)
            seconds.append(high)
            numbers.append(now)
            known = now
    return seconds, numbers, list(kinds)
