"""JSON Schema as Python types."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolscript_signatures.schemas.composition import (
    REFERENCES,
    flat,
    is_flat,
    last_segment,
    reference_of,
    resolve,
    unwrapped,
    without,
)
from toolscript_signatures.types.json_values import (
    Schema,
    array_at,
    is_array,
    is_number,
    is_object,
    names_at,
    object_at,
    source_or_text,
    text_at,
)
from toolscript_signatures.types.notes import NOTED_KEYWORDS, note, words
from toolscript_signatures.types.pytypes import (
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
    Value,
    optional,
    union,
)

ALTERNATIVES = ('anyOf', 'oneOf')
"""They differ in whether a value may match two branches, which a type cannot express."""


class Place(NamedTuple):
    """The place of a schema in a document."""

    at: str
    """A JSON pointer, or the reference to this place."""
    hint: str
    """The preferred name of a type that is defined here."""
    path: tuple[str, ...] = ()
    """The names of the properties that lead here."""
    described: bool = False
    """Whether the description is shown beside the property, so the type does not show it."""

    def under(self, *segments: str) -> 'Place':
        """An inner place with the same name."""
        return Place('/'.join((self.at, *segments)), self.hint, self.path)

    def item(self, segment: str) -> 'Place':
        """The place of an item of this array or dictionary."""
        return Place(f'{self.at}/{segment}', _singular(self.hint), self.path)

    def key(self, name: str) -> 'Place':
        """The place of a property, whose description is shown beside it."""
        escaped = name.replace('~', '~0').replace('/', '~1')
        return Place(f'{self.at}/properties/{escaped}', name, (*self.path, name), described=True)


class Reading(NamedTuple):
    """A schema as a type, with what the type does not express."""

    type: PyType
    phrases: tuple[str, ...] = ()
    """Ranges, formats and the like."""
    description: str = ''
    """The description, unless the type shows it."""

    @property
    def note(self) -> str:
        """All that the type does not express, on one line."""
        return note(self.description, self.phrases)


_NOTHING_KNOWN = Reading(ANY)


def _singular(name: str) -> str:
    """The singular of a plural, as the name of one item: `entries` becomes `entry`."""
    if name.endswith('ies') and len(name) > 4:
        return f'{name[:-3]}y'
    return name[:-1] if name.endswith('s') and not name.endswith('ss') and len(name) > 3 else name


_PLAIN: Mapping[object, PyType] = {
    **dict.fromkeys(('string', 'str', 'text'), STR),
    **dict.fromkeys(('integer', 'int', 'int32', 'int64', 'long'), INT),
    **dict.fromkeys(('number', 'float', 'double', 'decimal'), FLOAT),
    **dict.fromkeys(('boolean', 'bool'), BOOL),
    **dict.fromkeys(('null', 'none', 'None', 'NoneType'), NONE),
}
"""The types other than arrays and objects, by their names in schemas."""
_ARRAYS = frozenset({'array', 'list', 'tuple', 'set'})
_OBJECTS = frozenset({'object', 'dict', 'map'})

_OBJECT_WORDS = frozenset({'properties', 'additionalProperties', 'patternProperties'})
"""Keywords of objects: a schema with one of these describes objects even without a `type`."""
_ARRAY_WORDS = frozenset({'items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'})

_COMPOUND = frozenset({'$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'not', 'nullable'})

_SHARED = frozenset(('type', 'required', *_OBJECT_WORDS, 'items'))
_ONLY_REQUIRES = frozenset({'required', 'description', 'title', 'type'})

_MAX_NODES = 5_000
_MAX_RECORDS = 500
_DEEPEST = 60

_ANNOTATIONS = ('title', 'description', 'default')
_IDENTIFIERS = ('$schema', '$id', 'id', '$comment', '$defs', 'definitions')
_SIBLINGS = NOTED_KEYWORDS.union(REFERENCES, _ANNOTATIONS, _IDENTIFIERS, ('nullable',))
"""Keywords beside a reference that do not change its type."""


class _Start(NamedTuple):
    """A schema that is being read."""

    at: str
    open: int
    """The number of records that were being read when it began."""


@dataclass
class SchemaReader:
    """Reads the schemas of one document; never raises, whatever the document contains."""

    root: object
    base: str = ''
    """The prefix of every place, which distinguishes the places of two documents."""
    records: dict[str, Record] = field(default_factory=dict[str, Record])
    """The `TypedDict`s found so far, by place, inner ones first."""
    _open: list[str] = field(default_factory=list[str])
    """The places of records that are being read."""
    _starts: dict[int, _Start] = field(default_factory=dict[int, _Start])
    """The schemas that are being read, by identity."""
    _nodes: int = 0

    def read(self, schema: object, place: Place) -> Reading:
        """The type of a schema, with its notes."""
        if not is_object(schema):
            return Reading(NEVER) if schema is False else _NOTHING_KNOWN
        if plain := _read_plain(schema):
            return plain
        self._nodes += 1
        if self._nodes > _MAX_NODES or len(self._starts) > _DEEPEST:
            return _NOTHING_KNOWN
        return self._read_once(schema, place)

    def _read_once(self, schema: Schema, place: Place) -> Reading:
        """The reading, unless the same schema is being read already: a cycle ends at a record, which is named."""
        before = self._starts.get(id(schema))
        if before and before.at in self._open:
            return _maybe_null(RecordRef(before.at), schema)
        if before and before.open == len(self._open):
            return _NOTHING_KNOWN
        self._starts[id(schema)] = _Start(place.at, len(self._open))
        try:
            return self._read_flat(schema, place) if is_flat(schema) else self._read_composed(unwrapped(schema), place)
        finally:
            if before:
                self._starts[id(schema)] = before
            else:
                del self._starts[id(schema)]

    def _read_composed(self, schema: Schema, place: Place) -> Reading:
        reference = reference_of(schema)
        target = None if reference is None else resolve(self.root, reference)
        if reference is None or (schema.keys() - _SIBLINGS and target is not None):
            return self._read_flat(flat(schema, self.root), place)
        described = text_at(schema, 'description')
        if target is None:
            found = self._read_flat(flat(without(schema, REFERENCES), self.root), place)
            return found._replace(phrases=(last_segment(reference), *found.phrases))
        found = self.read(target, Place(f'{self.base}{reference}', last_segment(reference) or place.hint, place.path))
        phrases = () if isinstance(found.type, RecordRef) else found.phrases
        return _maybe_null(found.type, schema, (*phrases, *words(schema)), described or found.description)

    def _read_flat(self, schema: Schema, place: Place) -> Reading:
        found = self._read_kind(schema, place)
        is_shown = place.described or not isinstance(found.type, RecordRef)
        description = text_at(schema, 'description') if is_shown else ''
        return _maybe_null(found.type, schema, (*found.phrases, *words(schema)), description)

    def _read_kind(self, schema: Schema, place: Place) -> Reading:
        if 'const' in schema:
            return read_constants([schema['const']])
        if 'enum' in schema and array_at(schema, 'enum'):
            return _read_enum(schema)
        if 'not' in schema and schema['not'] in (True, {}):
            return Reading(NEVER)
        for key in ALTERNATIVES:
            if key in schema and (branches := array_at(schema, key)):
                return self._read_alternatives(schema, key, branches, place)
        return self._read_types(schema, place)

    def _read_alternatives(self, schema: Schema, key: str, branches: Sequence[Any], place: Place) -> Reading:
        """The union of the branches. Keywords beside the branches apply to each."""
        base = without(schema, (key,))
        if needed := _requirement(branches):
            inner = self._read_kind(base, place)
            return Reading(inner.type, (*inner.phrases, needed))
        beside = {name: value for name, value in schema.items() if name in _SHARED}
        readings = [
            self.read(_with(beside, branch), place.under(key, str(index))) for index, branch in enumerate(branches)
        ]
        type_ = union([reading.type for reading in readings])
        return Reading(type_, tuple(_notes(readings))) if type_ != NEVER else self._read_types(base, place)

    def _read_types(self, schema: Schema, place: Place) -> Reading:
        names = schema.get('type')
        if not is_array(names):
            return self._read_type(schema, names, place)
        readings = [self._read_type(schema, name, place) for name in names]
        phrases = dict.fromkeys(phrase for reading in readings for phrase in reading.phrases)
        return Reading(union([reading.type for reading in readings]) if readings else ANY, tuple(phrases))

    def _read_type(self, schema: Schema, name: object, place: Place) -> Reading:
        word = name.lower() if isinstance(name, str) else None
        if word in _PLAIN:
            return Reading(_PLAIN[word])
        if word in _OBJECTS or (word is None and not _OBJECT_WORDS.isdisjoint(schema)):
            return self._read_mapping(schema, place)
        # A list of `items` without a type does not describe an array: its authors mean one of these objects.
        means_array = word is None and not _ARRAY_WORDS.isdisjoint(schema) and not is_array(schema.get('items'))
        if word in _ARRAYS or means_array:
            return self._read_array(schema, place)
        if word is None or word == 'any':
            return _NOTHING_KNOWN
        return Reading(ANY, (str(name),))

    def _read_mapping(self, schema: Schema, place: Place) -> Reading:
        named = object_at(schema, 'properties') or names_at(schema, 'required')
        if named and len(self.records) + len(self._open) < _MAX_RECORDS:
            return self._read_record(schema, place)
        value, phrases = self.read_other_values(schema, place)
        return Reading(DictOf(ANY if value in (None, NEVER) else value), phrases)

    def _read_record(self, schema: Schema, place: Place) -> Reading:
        if place.at not in self.records and place.at not in self._open:
            self._open.append(place.at)
            fields = tuple(self.read_fields(schema, place))
            others, phrases = self.read_other_values(schema, place)
            shown = note('' if place.described else text_at(schema, 'description'), phrases)
            self.records[place.at] = Record(place.hint, place.path, fields, others, shown)
            self._open.remove(place.at)
        return Reading(RecordRef(place.at))

    def _read_array(self, schema: Schema, place: Place) -> Reading:
        """A list, or a tuple if its length is fixed and each item has its own schema."""
        items = schema.get('items')
        firsts = array_at(schema, 'prefixItems') or (list(items) if is_array(items) else [])
        if firsts:
            rest = schema.get('additionalItems', True) if is_array(items) else schema.get('items', True)
            return self._read_tuple(schema, firsts, rest, place)
        if not is_object(items):
            return Reading(ListOf(ANY))
        inner = self.read(items, place.item('items'))
        each = (f'each: {inner.note}',) if inner.note else ()
        return Reading(ListOf(inner.type if inner.type != NEVER else ANY), each)

    def _read_tuple(self, schema: Schema, firsts: Sequence[object], rest: object, place: Place) -> Reading:
        readings = [self.read(first, place.under('prefixItems', str(index))) for index, first in enumerate(firsts)]
        types = [reading.type for reading in readings]
        notes = tuple(f'[{index}]: {reading.note}' for index, reading in enumerate(readings) if reading.note)
        if rest is False and schema.get('minItems') == len(firsts):
            return Reading(TupleOf(tuple(types)), notes)
        more = [] if rest is False else [self.read(rest, place.under('items')).type]
        return Reading(ListOf(union([*types, *more])), notes)

    def read_fields(self, schema: Schema, place: Place) -> Iterator[Field]:
        """The properties of an object, in order, then names that are only in `required`."""
        properties = object_at(schema, 'properties')
        required = names_at(schema, 'required')
        if not is_array(schema.get('required')):  # draft 3 has a flag in each property
            required = [str(name) for name in properties if object_at(properties, name).get('required') is True]
        for name, inner in properties.items():
            if field := self._field(str(name), inner, name in required, place):
                yield field
        yield from (Field(name, ANY, True) for name in required if name not in properties)

    def _field(self, name: str, schema: object, required: bool, place: Place) -> Field | None:
        """The field of a property; `None` if no value is valid."""
        plain = _read_plain(schema) if is_object(schema) else None  # most properties need no place
        found = plain or self.read(schema, place.key(name))
        if found.type == NEVER and not required:
            return None
        described = found.description or (_useful_title(schema, name) if is_object(schema) else '')
        return Field(name, ANY if found.type == NEVER else found.type, required, note(described, found.phrases))

    def read_other_values(self, schema: Schema, place: Place) -> tuple[PyType | None, tuple[str, ...]]:
        """The type of the values of keys that are not named, if the schema mentions such keys; and notes about them."""
        patterns = object_at(schema, 'patternProperties')
        found = [self.read(inner, place.under('patternProperties', str(key))).type for key, inner in patterns.items()]
        notes = [f'keys /{key}/' for key in patterns]
        further = schema.get('additionalProperties')
        if further is True:
            found.append(ANY)
        elif is_object(further):
            inner = self.read(further, place.item('additionalProperties'))
            found.append(inner.type)
            notes += [f'values: {inner.note}'] if inner.note else []
        return (union(found) if found else None), tuple(notes)


def _read_plain(schema: Schema) -> Reading | None:
    """The reading of a schema whose type is one word, as most are; else None."""
    name = schema.get('type')
    plain = _PLAIN.get(name) if isinstance(name, str) and _COMPOUND.isdisjoint(schema) else None
    return plain and Reading(plain, words(schema), text_at(schema, 'description'))


def _read_enum(schema: Schema) -> Reading:
    """One of the values of `enum`. In the schema of an array, some authors mean its items."""
    values = array_at(schema, 'enum')
    kind = schema.get('type')
    if isinstance(kind, str) and kind in _ARRAYS and not any(map(is_array, values)):
        return Reading(ListOf(read_constants(values).type))
    return read_constants(values)


def read_constants(values: Sequence[object]) -> Reading:
    """One of these values; those that `Literal` does not accept become their type and a phrase."""
    types: list[PyType] = []
    choices: list[tuple[type, Value]] = []
    others: list[str] = []
    for value in values:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is None:
            types.append(NONE)
        elif isinstance(value, str | int):
            choices.append((type(value), value))
        else:
            types.append(FLOAT if is_number(value) else ListOf(ANY) if is_array(value) else DictOf(ANY))
            others.append(source_or_text(value))
    chosen = [Choice(tuple(dict.fromkeys(choices)))] if choices else []
    return Reading(union([*chosen, *types]), (f'one of {", ".join(others)}',) if others else ())


def _useful_title(schema: Schema, name: str) -> str:
    """The title, if it adds something to the name."""
    title = text_at(schema, 'title')
    return title if ' ' in title and _letters(title) != _letters(name) else ''


def _letters(text: str) -> str:
    return ''.join(filter(str.isalnum, text)).lower()


def _maybe_null(type_: PyType, schema: Schema, phrases: tuple[str, ...] = (), description: str = '') -> Reading:
    """A reading, including `None` if the schema is `nullable`."""
    nullable = schema.get('nullable') is True and type_ != NEVER
    return Reading(optional(type_) if nullable else type_, phrases, description)


def _with(beside: Schema, branch: object) -> object:
    if not beside or not is_object(branch):
        return branch
    return {**branch, 'allOf': [*array_at(branch, 'allOf'), beside]}


def _requirement(branches: Sequence[object]) -> str:
    """The note for branches that only require keys: `needs a or b and c`; empty if a branch does more."""
    needed = [
        names_at(branch, 'required') if is_object(branch) and branch.keys() <= _ONLY_REQUIRES else []
        for branch in branches
    ]
    return f'needs {" or ".join(map(" and ".join, needed))}' if all(needed) else ''


def _notes(readings: Sequence[Reading]) -> Iterator[str]:
    """The notes of the branches, each after its type if there are several besides `null`."""
    several = sum(reading.type not in (NONE, NEVER) for reading in readings) > 1
    for reading in readings:
        if notes := reading.note:
            label = _label(reading.type) if several else ''
            yield f'{label}: {notes}' if label else notes


def _label(type_: PyType) -> str:
    if isinstance(type_, Choice):
        return ' or '.join(source_or_text(value) for _, value in type_.values)
    return type_.name if isinstance(type_, Plain) else ''
