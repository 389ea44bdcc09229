"""The definitions of a tool's types, before they have names."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolscript_signatures.shapes.pytypes import Record

from .template import fill_names, name_hole
from .tool_shape import ToolShape
from .writing import Definition, Style, record_references


@dataclass(frozen=True, slots=True)
class TypeText:
    """The definition of a type that is not named yet."""

    key: str
    """Equal for types that are equal."""
    hint: str
    source: str
    """With holes."""


def type_texts(shape: ToolShape, style: Style) -> tuple[TypeText, ...]:
    """The definitions of all types of a tool, in their order."""
    records = shape.records
    holes = {at: name_hole(index) for index, at in enumerate(records)}
    sources = {
        at: Definition(record, holes.__getitem__, style, () if style.checker else shape.later[at]).source(holes[at])
        for at, record in records.items()
    }
    keys = _keys(records, sources, style)
    return tuple(TypeText(keys[at], record.hint, sources[at]) for at, record in records.items())


def _keys(records: Mapping[str, Record], sources: Mapping[str, str], style: Style) -> dict[str, str]:
    """A key for each record, equal for records that are equal with all they refer to, whatever their names.

    Records on a circle, or that lead to one, are equal only if the names along the way are equal too.
    """
    inner = {at: [place for place in record_references(record) if place in records] for at, record in records.items()}
    keys: dict[str, str] = {}
    for at, places in inner.items():
        if all(place in keys for place in places):
            keys[at] = _digest(fill_names(sources[at], [keys.get(place, '') for place in records]))
    return keys if len(keys) == len(records) else {**_circle_keys(records, inner, style), **keys}


def _circle_keys(records: Mapping[str, Record], inner: Mapping[str, Sequence[str]], style: Style) -> dict[str, str]:
    holes = {at: name_hole(index) for index, at in enumerate(records)}
    sources = {at: Definition(record, holes.__getitem__, style).source('') for at, record in records.items()}
    keys: dict[str, str] = {}
    for start in records:
        numbers = _reached(start, inner)
        names = [f'{records[at].hint}/{numbers[at]}' if at in numbers else '' for at in records]
        keys[start] = _digest('\n'.join(fill_names(sources[at], names) for at in numbers))
    return keys


def _reached(start: str, inner: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The places that a place leads to, each with its number on the way."""
    found = [start]
    numbers = {start: 0}
    for at in found:
        for place in inner[at]:
            if place not in numbers:
                numbers[place] = len(found)
                found.append(place)
    return numbers


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode('utf-8', 'surrogatepass'), digest_size=12).hexdigest()
