"""The definitions of a tool's types, before they have names."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .pytypes import Record
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
    keys: dict[str, str] = {}
    for at, record in records.items():
        inner = [place for place in record_references(record) if place in records]
        if all(place in keys and not keys[place].startswith('circle:') for place in inner):
            keys[at] = _digest(fill_names(sources[at], _known(keys, records)))
        else:
            keys[at] = f'circle:{_digest(_closure(at, records, style))}'
    return keys


def _known(keys: Mapping[str, str], records: Iterable[str]) -> Sequence[str]:
    return [keys.get(at, '') for at in records]


def _closure(start: str, records: Mapping[str, Record], style: Style) -> str:
    found = [start]
    for at in found:
        found += [place for place in record_references(records[at]) if place in records and place not in found]

    def name_of(place: str) -> str:
        return f'{records[place].hint}/{found.index(place)}'

    return '\n'.join(Definition(records[at], name_of, style).source('') for at in found)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode('utf-8', 'surrogatepass'), digest_size=12).hexdigest()
