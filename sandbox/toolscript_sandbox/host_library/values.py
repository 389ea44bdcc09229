"""Plain values as JSON, which a script and the host library exchange.

Numbers, strings, booleans, None and lists are JSON's own. Everything else is an object with one key, its tag, so that
a dict of the script cannot be mistaken for a tag. Decoding creates only plain values, whatever the text contains.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

MAX_DEPTH = 100
_MAX_DECIMAL_BITS = 4096
"""Longer integers are sent in hexadecimal, because reading decimal digits takes quadratic time."""
_MIN_BYTES = 2
"""What each value takes as JSON at least: a digit and a comma."""
_CONTAINER_BYTES = 32
"""What a container or an object counts. A value that holds one list many times is written with as many lists."""


class ValueTooLarge(Exception):
    """The value takes more bytes than allowed, or is nested too deeply."""


def dumped(value: object, max_bytes: int) -> bytes:
    """Convert a value to JSON. Raises `ValueTooLarge`, `TypeError` if it is not plain, or `UnicodeEncodeError`."""
    text = json.dumps(_Encoder(max_bytes).encoded(value, 0), separators=(',', ':')).encode()
    if len(text) > max_bytes:
        raise ValueTooLarge(f'the values take more than {max_bytes:,} bytes')
    return text


def loaded(text: bytes) -> Any:
    return json.loads(text, object_hook=_decoded)


class _Encoder:
    """Counts bytes while it encodes, so that a value that is too large costs no more than the limit."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._left = max_bytes

    def encoded(self, value: Any, depth: int) -> Any:
        size, whole = _MIN_BYTES, value
        match value:
            case None | bool():
                shown = value
            case float():
                shown = float(value)
            case int():
                bits = value.bit_length()
                size += bits // 4
                shown = int(value) if bits < _MAX_DECIMAL_BITS else {'i': f'{value:x}'}
            case str():
                size += len(value)
                if not value.isascii():
                    value.encode()
                shown = str(value)
            case list():
                shown = self._all(value, depth)
            case dict():
                shown = {'d': [self._all(item, depth) for item in whole.items()]}
            case tuple() | set() | frozenset():
                tag = next(tag for tag, kind in _CONTAINERS.items() if isinstance(value, kind))
                shown = {tag: self._all(value, depth)}
            case _:
                size = _CONTAINER_BYTES + (len(value) if isinstance(value, bytes) else 0)
                shown = _tagged(value)
        self._left -= size
        if self._left < 0:
            raise ValueTooLarge(f'the values take more than {self._max_bytes:,} bytes')
        return shown

    def _all(self, values: Any, depth: int) -> list[Any]:
        if depth >= MAX_DEPTH:
            raise ValueTooLarge(f'the values are nested more than {MAX_DEPTH} levels deep')
        self._left -= _CONTAINER_BYTES
        if len(values) > self._left:
            raise ValueTooLarge(f'the values take more than {self._max_bytes:,} bytes')
        return [self.encoded(value, depth + 1) for value in values]


def _tagged(value: object) -> dict[str, Any]:
    for tag, (kind, write, _) in _TAGS.items():
        if isinstance(value, kind):
            return {tag: write(value)}
    # An object of a script has its class's name, with a prefix if a polyfill defines it.
    name = getattr(value, 'name', type(value).__name__)
    raise TypeError(f'{name.rpartition("__")[2]} is not a plain value')


def _clock(moment: datetime | time) -> list[Any]:
    return [moment.hour, moment.minute, moment.second, moment.microsecond, _offset(moment.tzinfo)]


def _offset(zone: object) -> list[Any] | None:
    if zone is None:
        return None
    if not isinstance(zone, timezone):
        raise TypeError(f'{type(zone).__name__} is not a plain value')
    return [zone.utcoffset(None) / timedelta(microseconds=1), zone.tzname(None)]


def _zone(given: list[Any] | None) -> timezone | None:
    if given is None:
        return None
    plain = timezone(timedelta(microseconds=given[0]))
    return plain if plain.tzname(None) == given[1] else timezone(plain.utcoffset(None), given[1])


_CONTAINERS: dict[str, type[Any]] = {'t': tuple, 's': set, 'f': frozenset}
_TAGS: dict[str, tuple[type[Any], Callable[[Any], Any], Callable[[Any], Any]]] = {
    'b': (bytes, lambda data: b64encode(data).decode(), b64decode),
    'T': (
        datetime,
        lambda moment: [moment.year, moment.month, moment.day, *_clock(moment)],
        lambda parts: datetime(*parts[:-1], tzinfo=_zone(parts[-1])),
    ),
    'D': (date, lambda day: [day.year, day.month, day.day], lambda parts: date(*parts)),
    'C': (time, _clock, lambda parts: time(*parts[:-1], tzinfo=_zone(parts[-1]))),
    'E': (timedelta, lambda span: [span.days, span.seconds, span.microseconds], lambda parts: timedelta(*parts)),
    'Z': (timezone, _offset, _zone),
    'n': (Decimal, str, Decimal),
    'c': (complex, lambda number: [number.real, number.imag], lambda parts: complex(*parts)),
}
"""For each tag: a type, and functions that convert its values to JSON and back. `datetime` is before `date`."""
_READERS: dict[str, Callable[[Any], Any]] = {
    'i': lambda text: int(text, 16),
    'd': dict,
    **_CONTAINERS,
    **{tag: read for tag, (_, _, read) in _TAGS.items()},
}


def _decoded(tagged: dict[str, Any]) -> Any:
    ((tag, value),) = tagged.items()
    return _READERS[tag](value)
