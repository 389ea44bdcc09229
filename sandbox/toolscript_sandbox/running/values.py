"""Any value as objects that JSON can carry."""

from __future__ import annotations

import base64
import datetime
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast

from pydantic_monty import MontyClassProxy

MAX_DEPTH = 200
"""Nesting beyond which a value becomes its `str`; Python's own JSON writer gives up near 1,000."""


def to_json(value: Any) -> Any:
    """A fresh copy made of dicts with string keys, lists, strings, numbers, booleans and None; never an error.

    Tuples and sets become lists, dates their ISO text, bytes their text (or base64), NaN and the infinities their
    names, records (Pydantic models, dataclasses, instances) dicts, and whatever is left its `str`.
    """
    return _convert(value, 0, ())


def json_size(value: Any) -> int:
    """Length of a JSON-able value as JSON."""
    return len(json.dumps(value, ensure_ascii=False))


def _convert(value: Any, depth: int, above: tuple[int, ...]) -> Any:
    if value is None or value is True or value is False:
        return value
    kind = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is str:
        return _clean(value)
    if kind is int:
        return _integer(value)
    if kind is float:
        return _float(value)
    if id(value) in above or depth >= MAX_DEPTH:
        return '...' if id(value) in above else _text(value)
    return _container(value, depth, (*above, id(value)))


def _container(value: Any, depth: int, above: tuple[int, ...]) -> Any:
    if isinstance(value, Mapping):
        return _object(cast('Mapping[Any, Any]', value).items(), depth, above)
    if isinstance(value, (list, tuple)):
        return [_convert(item, depth + 1, above) for item in cast('list[Any]', value)]
    if isinstance(value, (set, frozenset)):
        return [_convert(item, depth + 1, above) for item in _ordered(cast('set[Any]', value))]
    return _scalar(value, depth, above)


def _scalar(value: Any, depth: int, above: tuple[int, ...]) -> Any:
    if isinstance(value, Enum):
        return _convert(value.value, depth + 1, above)
    for kind, convert in _SCALARS.items():
        if isinstance(value, kind):
            return convert(value)
    record = _record(value)
    return _text(value) if record is None else _convert(record, depth + 1, above)


def _record(value: Any) -> Any:
    if isinstance(value, MontyClassProxy):
        attributes = dict(value.attributes)
        # Members of enumerations that a script defines.
        return attributes['value'] if '__enum__' in attributes else attributes
    if isinstance(value, type):
        return None
    dump = getattr(value, 'model_dump', None)
    if callable(dump):
        return _attempt(lambda: dump(mode='json'))
    if is_dataclass(value):
        return {field.name: getattr(value, field.name, None) for field in fields(value)}
    return None


def _object(items: Iterable[tuple[Any, Any]], depth: int, above: tuple[int, ...]) -> dict[str, Any]:
    result = dict[str, Any]()
    for key, item in items:
        text = _key(key)
        result[repr(key) if text in result else text] = _convert(item, depth + 1, above)
    return result


def _key(key: Any) -> str:
    if isinstance(key, str):
        return _clean(key)
    if key is None or isinstance(key, bool):
        return {None: 'null', True: 'true', False: 'false'}[key]
    plain = _convert(key, 0, ())
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _ordered(values: set[Any]) -> list[Any]:
    # Sets of strings come in another order in every process, which nobody can cache or test.
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=repr)


def _clean(text: str) -> str:
    # Lone surrogates are no Unicode: neither UTF-8 nor Monty takes them.
    return text if text.isascii() else text.encode('utf-8', 'replace').decode()


def _integer(value: int) -> int | str:
    # Beyond 4,300 digits Python refuses to write an int as decimal text.
    return value if value.bit_length() < 14_000 else f'<an integer of {value.bit_length()} bits>'


def _float(value: float) -> float | str:
    if math.isnan(value):
        return 'NaN'
    if math.isinf(value):
        return 'Infinity' if value > 0 else '-Infinity'
    return value


def _bytes(value: bytes | bytearray) -> str:
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()


def _exception(value: BaseException) -> str:
    return f'{type(value).__name__}: {_text_of(value)}'


def _text(value: Any) -> str:
    return _clean(_text_of(value))


def _text_of(value: Any) -> str:
    text = _attempt(lambda: str(value))
    return text if isinstance(text, str) else f'<{type(value).__name__}>'


def _attempt(action: Callable[[], Any]) -> Any:
    # The value is foreign: its methods may raise whatever they like.
    try:
        return action()
    except Exception:
        return None


_SCALARS: dict[type[Any] | tuple[type[Any], ...], Callable[[Any], Any]] = {
    str: lambda value: _clean(str.__str__(value)),
    int: lambda value: _integer(int(value)),
    float: lambda value: _float(float(value)),
    (bytes, bytearray): _bytes,
    (datetime.date, datetime.time): lambda value: value.isoformat(),
    datetime.timedelta: lambda value: value.total_seconds(),
    BaseException: _exception,
}
