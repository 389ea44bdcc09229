"""JSON Schema as Python types."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .identifiers import singular
from .json_values import Schema, array_at, is_array, is_number, is_object, names_at, object_at, text_at
from .literals import source_or_text
from .merging import merge
from .notes import note, words
from .pytypes import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    STR,
    Choice,
    DictOf,
    Field,
    ListOf,
    Plain,
    PyType,
    Record,
    RecordRef,
    TupleOf,
    optional,
    union,
)
from .references import last_segment, resolve

_MOST_NODES = 5_000
_MOST_RECORDS = 500
_DEEPEST = 60

_PLAIN: dict[str, PyType] = {
    **dict.fromkeys(('string', 'str', 'text'), STR),
    **dict.fromkeys(('integer', 'int', 'int32', 'int64', 'long'), INT),
    **dict.fromkeys(('number', 'float', 'double', 'decimal'), FLOAT),
    **dict.fromkeys(('boolean', 'bool'), BOOL),
    **dict.fromkeys(('null', 'none', 'None', 'NoneType'), NONE),
}
_ARRAYS = frozenset({'array', 'list', 'tuple', 'set'})
_OBJECTS = frozenset({'object', 'dict', 'map'})
_OBJECT_WORDS = ('properties', 'additionalProperties', 'patternProperties')
_ARRAY_WORDS = ('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems')
_COMPOUND = frozenset({'$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'not', 'nullable'})
_ONLY_REQUIRES = frozenset({'required', 'description', 'title', 'type'})


class Place(NamedTuple):
    """Where in a document a schema stands."""

    at: str
    """A JSON pointer, or the reference that led here."""
    hint: str
    """What a type that is defined here should be called."""
    path: tuple[str, ...] = ()
    """The property names that lead here."""
    told: bool = False
    """Whether the description of what stands here is shown where it is used, so that the type itself need not."""

    def under(self, *segments: str) -> 'Place':
        return self._replace(at='/'.join((self.at, *segments)), told=False)


class Reading(NamedTuple):
    """A schema as a type, with phrases for what the type does not say."""

    type: PyType
    phrases: tuple[str, ...] = ()


NOTHING_KNOWN = Reading(ANY)


@dataclass
class Reader:
    """Reads the schemas of one document; never raises, whatever the document holds."""

    root: object
    base: str = ''
    """Goes before every place, to keep the places of two documents apart."""
    records: dict[str, Record] = field(default_factory=dict[str, Record])
    """The `TypedDict`s found so far, by place, inner ones first."""
    _open: list[str] = field(default_factory=list[str])
    _active: list[str] = field(default_factory=list[str])
    _nodes: int = 0
    _depth: int = 0

    def read(self, schema: object, place: Place) -> Reading:
        """The type of a schema, and what else it says."""
        self._nodes += 1
        if self._nodes > _MOST_NODES or len(self._active) > _DEEPEST or self._depth > _DEEPEST:
            return NOTHING_KNOWN
        self._depth += 1
        try:
            return self._read(schema, place)
        finally:
            self._depth -= 1

    def _read(self, schema: object, place: Place) -> Reading:
        if schema is False:
            return Reading(NEVER)
        if not is_object(schema):
            return NOTHING_KNOWN
        if isinstance(schema.get('$ref'), str):
            return self._read_reference(schema, place)
        return self._read_object(self.flat(schema), place)

    def flat(self, schema: Schema) -> Schema:
        """A schema with its `allOf` and any `$ref` at its top merged in."""
        if 'allOf' not in schema and '$ref' not in schema:
            return schema
        seen: set[str] = set()
        while is_array(schema.get('allOf')) or isinstance(schema.get('$ref'), str):
            parts = [{key: value for key, value in schema.items() if key not in ('allOf', '$ref')}]
            parts += [dict(part) for part in array_at(schema, 'allOf') if is_object(part)]
            reference = schema.get('$ref')
            if isinstance(reference, str) and reference not in seen:
                seen.add(reference)
                target = resolve(self.root, reference)
                parts += [dict(target)] if is_object(target) else []
            schema = merge(self._unreferenced(part, seen) for part in parts)
            self._nodes += 1
            if self._nodes > _MOST_NODES:
                return parts[0]
        return schema

    def _unreferenced(self, schema: Schema, seen: set[str]) -> Schema:
        """A part of an `allOf` with the target of its `$ref` beside it, where it can be merged."""
        reference = schema.get('$ref')
        if not isinstance(reference, str):
            return schema
        rest = {key: value for key, value in schema.items() if key != '$ref'}
        target = None if reference in seen else resolve(self.root, reference)
        seen.add(reference)
        return merge([rest, target]) if is_object(target) else rest

    def _read_reference(self, schema: Schema, place: Place) -> Reading:
        reference: str = schema['$ref']
        target = resolve(self.root, reference)
        beside = {key: value for key, value in schema.items() if key not in ('$ref', 'description', 'title', 'default')}
        told = (text_at(schema, 'description'),)
        if beside and is_object(target) and not beside.keys() <= {'$defs', 'definitions', '$schema', '$id', 'nullable'}:
            return self._read_beside(beside, target, reference, place)
        if target is None or (reference in self._active and not self._ends_at(reference)):
            return Reading(ANY, told)
        with self._inside(reference):
            hint = last_segment(reference) or place.hint
            inner = self.read(target, Place(f'{self.base}{reference}', hint, place.path))
        phrases = inner.phrases if not isinstance(inner.type, RecordRef) else ()
        return Reading(optional(inner.type) if schema.get('nullable') is True else inner.type, phrases)

    def _read_beside(self, beside: Schema, target: Schema, reference: str, place: Place) -> Reading:
        if reference in self._active:
            return NOTHING_KNOWN
        with self._inside(reference):
            return self.read({**beside, 'allOf': [target]}, place)

    @contextmanager
    def _inside(self, reference: str) -> Generator[None]:
        self._active.append(reference)
        try:
            yield
        finally:
            self._active.pop()

    def _ends_at(self, reference: str) -> bool:
        """Whether going round again comes to a record that is being read, whose name then ends the circle."""
        start = f'{self.base}{reference}'
        return any(at == start or at.startswith(f'{start}/') for at in self._open)

    def _read_object(self, schema: Schema, place: Place) -> Reading:
        found = self._read_kind(schema, place)
        phrases = (*found.phrases, *words(schema))
        made = optional(found.type) if schema.get('nullable') is True and found.type != NEVER else found.type
        return Reading(made, phrases)

    def _read_kind(self, schema: Schema, place: Place) -> Reading:
        if 'const' in schema:
            return _constants([schema['const']])
        if 'enum' in schema and array_at(schema, 'enum'):
            return self._read_enum(schema, place)
        if refused := schema.get('not'):
            if refused is True:
                return Reading(NEVER)
        elif refused == {} and 'not' in schema:
            return Reading(NEVER)
        for key in ('anyOf', 'oneOf'):
            if key in schema and array_at(schema, key):
                return self._read_alternatives(schema, key, place)
        return self._read_types(schema, place)

    def _read_enum(self, schema: Schema, place: Place) -> Reading:
        values = array_at(schema, 'enum')
        kind = schema.get('type')
        if isinstance(kind, str) and kind in _ARRAYS and not any(map(is_array, values)):
            return Reading(ListOf(_constants(values).type))
        return _constants(values)

    def _read_alternatives(self, schema: Schema, key: str, place: Place) -> Reading:
        branches = array_at(schema, key)
        base = {name: value for name, value in schema.items() if name != key}
        if _only_require(branches) and not array_at(base, 'enum'):
            inner = self._read_kind(base, place)
            return Reading(inner.type, (*inner.phrases, _requirement(branches)))
        carried = {name: value for name, value in base.items() if name in ('type', 'required', *_OBJECT_WORDS, 'items')}
        readings = [
            self.read(_beside(carried, branch), place.under(key, str(index))) for index, branch in enumerate(branches)
        ]
        if all(reading.type == NEVER for reading in readings):
            return self._read_types(base, place)
        return Reading(union([reading.type for reading in readings]), tuple(_told(branches, readings)))

    def _read_types(self, schema: Schema, place: Place) -> Reading:
        names = schema.get('type')
        if is_array(names):
            readings = [self._read_type(schema, name, place) for name in names]
            phrases = dict.fromkeys(phrase for reading in readings for phrase in reading.phrases)
            return Reading(union([reading.type for reading in readings]) if readings else ANY, tuple(phrases))
        return self._read_type(schema, names, place)

    def _read_type(self, schema: Schema, name: object, place: Place) -> Reading:
        lowered = name.lower() if isinstance(name, str) else None
        if lowered in _PLAIN:
            return Reading(_PLAIN[lowered])
        if lowered in _OBJECTS or (lowered is None and _has_any(schema, _OBJECT_WORDS)):
            return self._read_mapping(schema, place)
        if lowered in _ARRAYS or (lowered is None and _has_any(schema, _ARRAY_WORDS)):
            return self._read_array(schema, place)
        if lowered is None:
            return NOTHING_KNOWN
        return Reading(ANY, () if lowered == 'any' else (str(name),))

    def _read_array(self, schema: Schema, place: Place) -> Reading:
        items = schema.get('items')
        firsts = array_at(schema, 'prefixItems') or (list(items) if is_array(items) else [])
        rest = schema.get('additionalItems', True) if is_array(items) else schema.get('items', True)
        if firsts:
            return self._read_tuple(schema, firsts, rest, place)
        if items is False or items is None or not is_object(items):
            return Reading(ListOf(ANY))
        inner = self.read(items, Place(f'{place.at}/items', singular(place.hint), place.path))
        told = note('' if isinstance(inner.type, RecordRef) else text_at(items, 'description'), inner.phrases)
        return Reading(ListOf(inner.type if inner.type != NEVER else ANY), (f'each: {told}',) if told else ())

    def _read_tuple(self, schema: Schema, firsts: Sequence[object], rest: object, place: Place) -> Reading:
        readings = [self.read(first, place.under('prefixItems', str(index))) for index, first in enumerate(firsts)]
        types = [reading.type for reading in readings]
        told = [
            f'[{index}]: {text}'
            for index, (first, reading) in enumerate(zip(firsts, readings, strict=True))
            if (text := note(text_at(first, 'description') if is_object(first) else '', reading.phrases))
        ]
        if rest is False and schema.get('minItems') == len(firsts):
            return Reading(TupleOf(tuple(types)), tuple(told))
        more = [] if rest is False else [self.read(rest, place.under('items')).type]
        return Reading(ListOf(union([*types, *more])), tuple(told))

    def _read_mapping(self, schema: Schema, place: Place) -> Reading:
        fields = list(object_at(schema, 'properties'))
        if (fields or names_at(schema, 'required')) and len(self.records) + len(self._open) < _MOST_RECORDS:
            return self._read_record(schema, place)
        value, told = self.extra_values(schema, place)
        return Reading(DictOf(ANY if value in (None, NEVER) else value), told)

    def _read_record(self, schema: Schema, place: Place) -> Reading:
        if place.at not in self.records and place.at not in self._open:
            self._open.append(place.at)
            fields = tuple(self.fields(schema, place))
            extra, phrases = self.extra_values(schema, place)
            shown = note('' if place.told else text_at(schema, 'description'), phrases)
            self.records[place.at] = Record(place.hint, place.path, fields, extra, shown)
            self._open.remove(place.at)
        return Reading(RecordRef(place.at))

    def fields(self, schema: Schema, place: Place) -> Iterator[Field]:
        """The named properties of an object, in order, then those that are only required."""
        properties = object_at(schema, 'properties')
        required = required_names(schema)
        for name, inner in properties.items():
            if field := self._field(str(name), inner, str(name) in required, place):
                yield field
        yield from (Field(name, ANY, True) for name in required if name not in properties)

    def _field(self, name: str, schema: object, required: bool, place: Place) -> Field | None:
        if is_object(schema) and (plain := _plain_type(schema)):
            return Field(name, plain, required, note(_description(schema, name), words(schema)))
        at = f'{place.at}/properties/{name.replace("~", "~0").replace("/", "~1")}'
        found = self.read(schema, Place(at, name, (*place.path, name), told=True))
        told = _description(schema, name)
        if is_object(schema):
            told = told or self._target_description(schema)
        if found.type == NEVER:
            return Field(name, ANY, required, note(told, found.phrases)) if required else None
        return Field(name, found.type, required, note(told, found.phrases))

    def _target_description(self, schema: Schema) -> str:
        reference = schema.get('$ref')
        target = resolve(self.root, reference) if isinstance(reference, str) else None
        if is_object(target) and not target.get('properties'):
            return text_at(target, 'description')
        return ''

    def extra_values(self, schema: Schema, place: Place) -> tuple[PyType | None, tuple[str, ...]]:
        """The type of values under keys without a name, if the schema speaks of such; and what else it says of them."""
        patterns = object_at(schema, 'patternProperties')
        found = [self.read(inner, place.under('patternProperties', str(key))) for key, inner in patterns.items()]
        told = [f'keys /{key}/' for key in patterns]
        further = schema.get('additionalProperties')
        if further is True or is_object(further):
            inner = self.read(further, Place(f'{place.at}/additionalProperties', singular(place.hint), place.path))
            found.append(inner)
            text = note(text_at(further, 'description') if is_object(further) else '', inner.phrases)
            told += [f'values: {text}'] if text else []
        return (union([reading.type for reading in found]) if found else None), tuple(told)


def required_names(schema: Schema) -> list[str]:
    """The names an object must have; draft 3 says so with a flag in each property."""
    if is_array(schema.get('required')):
        return names_at(schema, 'required')
    properties = object_at(schema, 'properties')
    return [str(name) for name, inner in properties.items() if is_object(inner) and inner.get('required') is True]


def _plain_type(schema: Schema) -> PyType | None:
    """The type of a schema that says it in one word, as most properties do."""
    name = schema.get('type')
    return _PLAIN.get(name) if isinstance(name, str) and _COMPOUND.isdisjoint(schema) else None


def _constants(values: Sequence[object]) -> Reading:
    choices: list[PyType] = []
    others: list[str] = []
    for value in values:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is None:
            choices.append(NONE)
        elif isinstance(value, bool | int | str):
            choices.append(Choice(((type(value), value),)))
        else:
            choices.append(FLOAT if is_number(value) else ListOf(ANY) if is_array(value) else DictOf(ANY))
            others.append(source_or_text(value))
    return Reading(union(choices), (f'one of {", ".join(others)}',) if others else ())


def _only_require(branches: Sequence[object]) -> bool:
    return all(
        is_object(branch) and branch.keys() <= _ONLY_REQUIRES and names_at(branch, 'required') for branch in branches
    )


def _requirement(branches: Sequence[Any]) -> str:
    return f'needs {" or ".join(" and ".join(names_at(branch, "required")) for branch in branches)}'


def _beside(carried: Schema, branch: object) -> object:
    if not carried or not is_object(branch):
        return branch
    return {**branch, 'allOf': [*array_at(branch, 'allOf'), carried]}


def _told(branches: Sequence[object], readings: Sequence[Reading]) -> Iterator[str]:
    """What the branches say, each with its type in front if there is more than one beside `null`."""
    several = sum(reading.type not in (NONE, NEVER) for reading in readings) > 1
    for branch, reading in zip(branches, readings, strict=True):
        described = text_at(branch, 'description') if is_object(branch) else ''
        if told := note('' if isinstance(reading.type, RecordRef) else described, reading.phrases):
            label = _label(reading.type) if several else ''
            yield f'{label}: {told}' if label else told


def _label(type_: PyType) -> str:
    match type_:
        case Plain(name):
            return name
        case Choice(values):
            return ' or '.join(source_or_text(value) for _, value in values)
        case _:
            return ''


def _description(schema: object, name: str) -> str:
    """The description, or a title that says more than the name."""
    if not is_object(schema):
        return ''
    if told := text_at(schema, 'description'):
        return told
    title = text_at(schema, 'title')
    return title if ' ' in title and _letters(title) != _letters(name) else ''


def _letters(text: str) -> str:
    return ''.join(filter(str.isalnum, text)).lower()


def _has_any(schema: Schema, keys: Sequence[str]) -> bool:
    return any(key in schema for key in keys)
