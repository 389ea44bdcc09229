"""The types of a tool, read from its schemas, and their definitions with holes for names."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from toolscript_signatures.render.template import TypeNames, TypeText, fill_names, name_hole
from toolscript_signatures.render.writing import TERSE, Definition, Style, record_references, write
from toolscript_signatures.schemas.parameters import ParameterList, read_parameters
from toolscript_signatures.schemas.reader import Place, SchemaReader
from toolscript_signatures.types.json_values import is_object, text_at
from toolscript_signatures.types.observed import ObservedShape
from toolscript_signatures.types.pytypes import ANY, PyType, Record
from toolscript_signatures.types.spec import ToolSpec


@dataclass(frozen=True)
class ToolShape:
    """The parameters and the result of a tool as Python types."""

    parameters: ParameterList
    returns: PyType
    returns_note: str
    records: Mapping[str, Record]
    """The `TypedDict`s of parameters and result by place, inner ones first."""

    @cached_property
    def later(self) -> Mapping[str, frozenset[str]]:
        """By place, the records that it refers to before they are defined."""
        order = {at: index for index, at in enumerate(self.records)}
        return {
            at: frozenset(inner for inner in record_references(record) if order.get(inner, 0) >= order[at])
            for at, record in self.records.items()
        }


def read_tool(spec: ToolSpec) -> ToolShape:
    """The shape of a tool. Reads any schema, and never raises."""
    try:
        return _read(spec)
    except Exception:  # one unforeseen schema must not break the rest of the catalog
        return ToolShape(ParameterList((), ANY, False), ANY, '', {})


def _read(spec: ToolSpec) -> ToolShape:
    takes = SchemaReader(spec.parameters)
    parameters = read_parameters(takes, spec.parameters, spec.variadic)
    gives = SchemaReader(spec.returns, 'result:')
    title = text_at(spec.returns, 'title') if is_object(spec.returns) else ''
    hint = title if title.isidentifier() and title[0].isupper() else f'{spec.name}Result'
    result = gives.read(spec.returns, Place('result:#', hint))
    return ToolShape(parameters, result.type, result.note, {**takes.records, **gives.records})


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
    """A key for each record; records that are equal up to names, with all they refer to, have equal keys.

    For records in a cycle, or that lead to one, the names on the way must be equal too.
    """
    inner = {at: record_references(record) for at, record in records.items()}
    keys: dict[str, str] = {}
    for at, places in inner.items():
        if all(place in keys for place in places):
            keys[at] = _digest(fill_names(sources[at], [keys.get(place, '') for place in records]))
    return keys if len(keys) == len(records) else {**_cycle_keys(records, inner, style), **keys}


def _cycle_keys(records: Mapping[str, Record], inner: Mapping[str, Sequence[str]], style: Style) -> dict[str, str]:
    holes = {at: name_hole(index) for index, at in enumerate(records)}
    sources = {at: Definition(record, holes.__getitem__, style).source('') for at, record in records.items()}
    keys: dict[str, str] = {}
    for start in records:
        numbers = _reached(start, inner)
        names = [f'{records[at].hint}/{numbers[at]}' if at in numbers else '' for at in records]
        keys[start] = _digest('\n'.join(fill_names(sources[at], names) for at in numbers))
    return keys


def _reached(start: str, inner: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The places that are reachable from a place, numbered in the order of a breadth-first search."""
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


_MAX_LEVELS = 6


def observed_text(name: str, shape: ObservedShape, *, longest: int = 2_000) -> str:
    """The observed return type of the function `name`, with its types, as Python that is marked as observed.

    It has about `longest` characters at most: inner levels of larger shapes are left out.
    """
    for depth in range(_MAX_LEVELS, 0, -1):
        text = _text(name, shape.cut(depth))
        if len(text) <= longest:
            return text
    return _text(name, shape.cut(0))


def _text(name: str, shape: ObservedShape) -> str:
    read = read_tool(ToolSpec(name, {}, returns=shape.shape))
    texts = type_texts(read, TERSE)
    names = TypeNames(reserved={name}).of(texts, name)
    definitions = dict.fromkeys(fill_names(text.source, names) for text in texts)
    returned = write(read.returns, dict(zip(read.records, names, strict=True)).__getitem__, bare=True)
    return '\n'.join([f'# {name}() -> {returned}, observed, not promised', *definitions])
