"""Converts every value from a script or a tool to objects that JSON can represent.

The value may be hostile. Fifty bytes of script can create a list whose shared parts become a terabyte of JSON; `str()`
and `model_dump()` of objects may raise, return garbage, or return another object like themselves; structures contain
themselves, or are deeper than the stack. So the walk counts what it has written and stops at a limit, counts shared
parts each time they are written, and tracks its depth. A large value that shares containers is measured before it is
copied, each container once, so that a bomb costs what it takes and not what it would become. Large values are walked
again on a thread, so small values do not pay for it.
"""

import base64
import datetime
import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, cast
from uuid import UUID

from pydantic_monty import MontyClassProxy

from toolscript_sandbox.contract.errors import ToolError
from toolscript_sandbox.contract.foreign_text import clean, name_of, text_of
from toolscript_sandbox.event_loop.on_threads import run_in_thread
from toolscript_sandbox.language.names import RESERVED

from .sizes import CONTAINERS, ENTRY_BYTES, ITEM_BYTES, MAX_SIZE, TEXT_BYTES, sizes_of, text_size

MAX_DEPTH = 150
"""Nesting beyond which a value becomes the name of its type; pydantic reads no state or history beyond 200 levels."""
MAX_BYTES = 100_000_000
"""The most bytes that `to_json` writes."""

Leaf: TypeAlias = Callable[[Any], Any]
"""Replaces a value that is neither plain nor a container. If the replacement is a container, it is walked."""


class TooLarge(Exception):
    """The value is larger than allowed, as JSON or in the memory of a script."""

    def __init__(self, size: int, max_bytes: int, *, exact: bool, unit: str = 'bytes') -> None:
        super().__init__(f'{"" if exact else "more than "}{size:,} {unit}, {max_bytes:,} are allowed')


class _Shared(Exception):
    """The value contains the same container in several places."""


class Serialized(NamedTuple):
    """A converted value."""

    value: Any
    """A fresh copy made of dicts with string keys, lists, strings, numbers, booleans and None."""
    size: int
    """The size as JSON, in bytes."""
    changes: tuple[str, ...] = ()
    """The changes made, a phrase each."""
    too_large: str = ''
    """If the value was too large, a text that says by how much; `value` then only says so."""

    def failure(self, function: str) -> ToolError:
        """Return the error for a result that is too large: with the text instead, the script would continue."""
        return ToolError(
            'RuntimeError',
            f'{function} has run, but its result is too large for a script: {self.too_large}. Request less at a '
            'time: use a filter, pages, or narrower arguments.',
        )


def to_json(value: Any) -> Any:
    """Return a copy made of dicts with string keys, lists, strings, numbers, booleans and None. Never raises.

    Tuples and sets become lists, dates their ISO text, bytes their text (or base64), NaN and the infinities their
    names, records (Pydantic models, dataclasses, instances) dicts, and everything else its `str`. A value of more than
    100 MB becomes a text that says so.
    """
    return serialized_or_described(value, MAX_BYTES).value


def plain_leaf(value: Any) -> Any:
    """Replace a value that is neither plain nor a container."""
    if isinstance(value, Enum):
        return value.value
    for kind, convert in _SCALARS.items():
        if isinstance(value, kind):
            return convert(value)
    record = _record(value)
    # The text is not cut: if it is too long, the value is refused as too large.
    return text_of(value, None) if record is None else record


def convert(value: Any, max_bytes: int, leaf: Leaf = plain_leaf, max_heap: int | None = None) -> Serialized:
    """Convert a value that may take `max_bytes` bytes as JSON, and `max_heap` bytes in a script. Raises `TooLarge`."""
    try:
        return _walked(value, max_bytes, leaf, max_heap, may_share=False)
    except _Shared:
        # Its JSON may be far larger than the value.
        sizes = sizes_of(value, max_heap)
    if max_heap is not None and sizes.held > max_heap:
        raise TooLarge(max_heap, max_heap, exact=False, unit=_OF_MEMORY)
    if sizes.written > max_bytes:
        raise TooLarge(sizes.written, max_bytes, exact=sizes.written < MAX_SIZE)
    return _walked(value, max_bytes, leaf, max_heap)


async def convert_call(
    args: tuple[Any, ...], kwargs: dict[str, Any], max_bytes: int
) -> tuple[list[Any], dict[str, Any]]:
    """Convert the arguments of a call as `convert_async` does. Raises `TooLarge`."""
    size = _plain_call_size(args, kwargs) if len(args) + len(kwargs) <= _MAX_AT_ONCE else None
    if size is not None and size <= min(max_bytes, _AT_ONCE):
        # In most calls nothing has to be converted, and checking each value is enough to know their size.
        return [*args], dict(kwargs)
    both = (await convert_async([args, kwargs], max_bytes)).value
    return both[0], both[1]


def _walked(
    value: Any, max_bytes: int, leaf: Leaf, max_heap: int | None = None, *, may_share: bool = True
) -> Serialized:
    """Convert a value. Raises `TooLarge`, and `_Shared` unless it may contain a container twice."""
    size = _plain_size(value)
    if size is not None and size <= max_bytes:
        return Serialized(value, size)
    walk = _Walk(max_bytes, leaf, max_heap, may_share=may_share)
    try:
        copy = walk.converted(value, 0)
    except RecursionError:
        # The stack was nearly full before the walk began.
        copy = walk.lost(value, 'something nested too deep is shown only by its type')
    return Serialized(copy, max_bytes - walk.left, tuple(walk.changes))


def serialized_or_described(
    value: Any, max_bytes: int, leaf: Leaf = plain_leaf, max_heap: int | None = None
) -> Serialized:
    """Convert a value, or return a text that says that it was too large."""
    try:
        return convert(value, max_bytes, leaf, max_heap)
    except TooLarge as error:
        text = f'<{name_of(value)}: too large, {error}>'
        return Serialized(text, len(text) + 2, (f'a value was too large ({error}) and is left out',), str(error))


async def convert_async(value: Any, max_bytes: int) -> Serialized:
    """Do the same as `convert` on an event loop: large values are walked on a thread."""
    try:
        return _walked(value, min(max_bytes, _AT_ONCE), plain_leaf)
    except TooLarge:
        return await run_in_thread(lambda: convert(value, max_bytes), long=True)


async def serialize(
    value: Any, max_bytes: int = MAX_BYTES, leaf: Leaf = plain_leaf, *, max_heap: int | None = None
) -> Serialized:
    """Convert a value as `to_json` does, without holding the event loop: large values are converted in a thread.

    A value of more than `max_bytes` bytes becomes a text that says so.
    """
    try:
        return _walked(value, min(max_bytes, _AT_ONCE), leaf, max_heap)
    except TooLarge:
        return await run_in_thread(lambda: serialized_or_described(value, max_bytes, leaf, max_heap), long=True)


async def copy_call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return a copy of converted arguments that shares no mutable objects with them."""
    if _FLAT.issuperset(map(type, (*args, *kwargs.values()))):
        return args, dict(kwargs)
    copy = (await serialize([args, kwargs])).value
    return tuple(copy[0]), copy[1]


def _plain_call_size(args: tuple[Any, ...], kwargs: dict[str, Any]) -> int | None:
    """Return the size as JSON of a call's arguments if they need no conversion; None if they must be walked."""
    whole = 10
    for value in args:
        if (size := _plain_size(value)) is None:
            return None
        whole += 2 + size
    for key, value in kwargs.items():
        if (size := _plain_size(value)) is None or not key.isascii():
            return None
        whole += 4 + len(key) + size
    return whole


def _plain_size(value: Any) -> int | None:
    """Return the size as JSON of a value that needs no conversion; None if it must be walked."""
    kind = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is str:
        return text_size(value) if len(value) <= _AT_ONCE and value.isascii() else None
    if value is None or kind is bool:
        return 4
    if kind is int:
        bits = value.bit_length()
        return 1 + int(bits * 0.302) if bits < _MAX_BITS else None
    return 8 if kind is float and math.isfinite(value) else None


_TEXTS = frozenset[type[Any]]([str, bytes, bytearray])


class _Walk:
    """The conversion of one value."""

    def __init__(self, max_bytes: int, leaf: Leaf, max_heap: int | None, *, may_share: bool) -> None:
        self.left = max_bytes
        self.changes = dict[str, None]()
        self._max_bytes = max_bytes
        self._leaf = leaf
        self._most_heap = max_heap
        self._heap = 0
        self._above = set[int]()
        self._seen = None if may_share else set[int]()
        self._numbers = dict[tuple[int, str], int]()

    def converted(self, value: Any, depth: int) -> Any:
        size = _plain_size(value)
        if size is not None:
            self._spend(size)
            return value
        kind = type(value)  # pyright: ignore[reportUnknownVariableType]
        if kind is str:
            return self._text(value)
        if kind is int:
            return self._text(f'<an integer of {value.bit_length()} bits>')
        if kind is float:
            self._spend(8)
            return 'NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity'
        if id(value) in self._above:
            return self.lost(value, "something that contains itself is shown as '...'", '...')
        if depth >= MAX_DEPTH:
            return self.lost(value, 'something nested too deep is shown only by its type')
        self._above.add(id(value))
        if self._seen is not None:
            if id(value) in self._seen:
                raise _Shared
            self._seen.add(id(value))
        try:
            # The most common cases. Copied first, because converting an item may change the container.
            if kind is dict:
                self._hold(len(value) * ENTRY_BYTES, 5 * len(value))
                return self._object(list(value.items()), depth + 1)
            if kind is list or kind is tuple:
                self._hold(len(value) * ITEM_BYTES, 2 * len(value))
                return self._array(list(value), depth + 1)
            return self._inner(value, depth + 1)
        finally:
            self._above.discard(id(value))

    def lost(self, value: Any, change: str, text: str = '') -> str:
        """Record a change and return the replacement of a value that cannot be copied."""
        self.changes[change] = None
        return self._text(text or f'<{name_of(value)}>')

    def _inner(self, value: Any, depth: int) -> Any:
        try:
            opened = self._opened(value)
        except TooLarge:
            raise
        except Exception:
            # The value is foreign: its methods may raise anything.
            return self.lost(value, 'something that cannot be written is shown only by its type')
        if isinstance(opened, _Items):
            return self._object(opened, depth)
        if isinstance(opened, _Array):
            return self._array(opened, depth)
        self._spend(1)
        return self.converted(opened, depth)

    def _opened(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            entries = cast('Mapping[Any, Any]', value)
            self._hold(len(entries) * ENTRY_BYTES, 5 * len(entries))
            return _Items(entries.items())
        if isinstance(value, (list, tuple, set, frozenset)):
            items = cast('Collection[Any]', value)
            self._hold(len(items) * ITEM_BYTES, 2 * len(items))
            return _Array(items if isinstance(value, (list, tuple)) else _ordered(items))
        # A record is converted in one piece, and nothing else runs meanwhile.
        attributes = cast('dict[str, Any]', getattr(value, '__dict__', {}))
        for part in (value, *attributes.values()):
            self._hold(0, 2 * len(part) if type(part) in CONTAINERS else len(part) if type(part) in _TEXTS else 0)
        return self._leaf(value)

    def _array(self, items: list[Any], depth: int) -> list[Any]:
        spent, held, converted = 3 + 2 * len(items), 0, list[Any]()
        for item in items:
            if (size := _plain_size(item)) is None:
                converted.append(self.converted(item, depth))
            else:
                spent += size
                held += TEXT_BYTES + 2 * size if type(item) is str else 0
                converted.append(item)
        self._hold(held, spent)
        self._spend(spent)
        return converted

    def _object(self, items: list[tuple[Any, Any]], depth: int) -> dict[str, Any]:
        spent, held, converted = 3, 0, dict[str, Any]()
        for key, item in items:
            text = key if type(key) is str and key.isascii() else self._key(key, depth)
            if text in converted:
                text = self._distinct_key(text, key, converted)
            if (size := _plain_size(item)) is None:
                spent += 4 + len(text)
                converted[text] = self.converted(item, depth)
            else:
                spent += 4 + len(text) + size
                held += TEXT_BYTES + 2 * size if type(item) is str else 0
                converted[text] = item
        self._hold(held, spent)
        self._spend(spent)
        return converted

    def _distinct_key(self, text: str, key: Any, taken: dict[str, Any]) -> str:
        """Return another name for a key, so that 1 and '1' stay distinct. The search starts at the last one found."""
        self.changes['keys that are equal in JSON got other names'] = None
        other = numbered = repr(key) if type(key) is str else f'{text} ({name_of(key)})'
        number = self._numbers.get((id(taken), other), 1)
        while numbered in taken:
            number += 1
            numbered = f'{other} {number}'
        self._numbers[id(taken), other] = number
        return numbered

    def _key(self, key: Any, depth: int) -> str:
        if type(key) is str:
            return self._clean(key)
        if key is None or isinstance(key, bool):
            return {None: 'null', True: 'true', False: 'false'}[key]
        plain = self.converted(key, depth)
        return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)

    def _text(self, text: str) -> str:
        # A text that is too long anyway is not scanned.
        self._hold(2 * len(text), len(text))
        self._spend(text_size(text))
        return self._clean(text)

    def _clean(self, text: str) -> str:
        cleaned = clean(text)
        if cleaned != text:
            self.changes["half of a surrogate pair is shown as '?'"] = None
        return cleaned

    def _hold(self, heap: int, least: int) -> None:
        """Count a container before it is copied: its memory in a script, and the least number of bytes written."""
        self._heap += heap
        if self._most_heap is not None and self._heap > self._most_heap:
            raise TooLarge(self._most_heap, self._most_heap, exact=False, unit=_OF_MEMORY)
        if least > self.left:
            raise TooLarge(self._max_bytes, self._max_bytes, exact=False)

    def _spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise TooLarge(self._max_bytes, self._max_bytes, exact=False)


class _Array(list[Any]):
    """The items of a list, tuple or set."""


class _Items(list[tuple[Any, Any]]):
    """The items of a mapping."""


def _record(value: Any) -> Any:
    if isinstance(value, MontyClassProxy):
        attributes = {name: kept for name, kept in value.attributes.items() if not _is_gone(kept)}
        attributes.pop('_names_', None)
        if '__error__' in attributes:
            return _error(attributes)
        if (shown := _OF_POLYFILLS.get(value.name)) is not None:
            return shown(attributes)
        if RESERVED.fullmatch(value.name) and any(name[0] == '_' for name in attributes):
            return f'<{value.name.rpartition("__")[2]} object>'
        # Members of enums that a script defines.
        return attributes['_value_'] if attributes.keys() >= {'_name_', '_value_'} else attributes
    if isinstance(value, type):
        return None
    dump = getattr(value, 'model_dump', None)
    if callable(dump):
        return dump(mode='json')
    if is_dataclass(value):
        return {field.name: getattr(value, field.name, None) for field in fields(value)}
    return None


def _is_gone(value: Any) -> bool:
    """Return whether this value marks an attribute that a script deleted."""
    return isinstance(value, MontyClassProxy) and value.name == '_classes__Gone'


def _ordered(values: Collection[Any]) -> list[Any]:
    # The order of sets of strings differs in every process, so results could not be cached or tested.
    try:
        return sorted(values)
    except Exception:
        return sorted(values, key=lambda value: (name_of(value), text_of(value)))


def _bytes(value: bytes | bytearray) -> str:
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()


def _byte_array(attributes: dict[str, Any]) -> Any:
    values: list[Any] = [*attributes['_values']] if isinstance(attributes.get('_values'), list) else [None]
    numbers = [value for value in values if isinstance(value, int) and 0 <= value < 256]
    # A class of the script may have the same name as the polyfill's.
    return _bytes(bytes(numbers)) if len(numbers) == len(values) else attributes


def _error(attributes: Mapping[str, Any]) -> str:
    """Describe an exception of the script, whose `__str__` was called when it was raised."""
    args = attributes.get('args', ())
    text = attributes.get('__text__', args[0] if len(args) == 1 else args or '')
    return f'{attributes["__error__"]}: {text_of(text, None)}'


_SCALARS: dict[type[Any] | tuple[type[Any], ...], Callable[[Any], Any]] = {
    str: str.__str__,
    int: int.__index__,
    float: float.__float__,
    (bytes, bytearray): _bytes,
    (datetime.date, datetime.time): lambda value: value.isoformat(),
    datetime.timedelta: lambda value: value.total_seconds(),
    BaseException: lambda value: f'{name_of(value)}: {text_of(value, None)}',
}
_OF_POLYFILLS: dict[str, Callable[[dict[str, Any]], Any]] = {
    '_builtins__bytearray': _byte_array,
    '_collections__ChainMap': lambda it: {key: layer[key] for layer in reversed(it['maps']) for key in layer},
    '_types__SimpleNamespace': dict,
    '_fractions__Fraction': lambda it: str(Fraction(it['numerator'], it['denominator'])),
    '_urllib_parse___Parts': lambda it: dict(zip(it['_fields'], it['_parts'], strict=True)),
    '_uuid__UUID': lambda it: str(UUID(hex=it['hex'])),
    '_zoneinfo__ZoneInfo': lambda it: it['key'],
}
"""Convert objects of polyfills to their equivalents in Python."""
_OF_MEMORY = "bytes of a script's memory"
_FLAT = frozenset[type[Any]]([str, int, float, bool, type(None)])
_MAX_BITS = 14_000
"""Beyond 4,300 digits Python refuses to write an int as decimal text."""
_AT_ONCE = 50_000
"""The most bytes converted on the event loop, which takes a few milliseconds."""
_MAX_AT_ONCE = 1_000
"""The most arguments of a call that are checked on the event loop."""
