"""JSON Schema as Python types."""

from collections.abc import Iterator, Sequence
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
from toolscript_signatures.schemas.keywords import (
    ALTERNATIVES,
    ARRAY_WORDS,
    ARRAYS,
    NOTHING_KNOWN,
    OBJECT_WORDS,
    OBJECTS,
    PLAIN,
    Place,
    Reading,
    read_array,
    read_constants,
    read_enum,
    read_fields,
    read_other_values,
    read_plain,
)
from toolscript_signatures.types.json_values import (
    Schema,
    array_at,
    is_array,
    is_object,
    names_at,
    object_at,
    source_or_text,
    text_at,
)
from toolscript_signatures.types.notes import NOTED_KEYWORDS, note, words
from toolscript_signatures.types.pytypes import (
    ANY,
    NEVER,
    NONE,
    Choice,
    DictOf,
    Plain,
    PyType,
    Record,
    RecordRef,
    optional,
    union,
)

_SHARED = frozenset(('type', 'required', *OBJECT_WORDS, 'items'))
_ONLY_REQUIRES = frozenset({'required', 'description', 'title', 'type'})

_MOST_NODES = 5_000
_MOST_RECORDS = 500
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
            return Reading(NEVER) if schema is False else NOTHING_KNOWN
        if plain := read_plain(schema):
            return plain
        self._nodes += 1
        if self._nodes > _MOST_NODES or len(self._starts) > _DEEPEST:
            return NOTHING_KNOWN
        return self._read_once(schema, place)

    def _read_once(self, schema: Schema, place: Place) -> Reading:
        """The reading, unless the same schema is being read already: a cycle ends at a record, which is named."""
        before = self._starts.get(id(schema))
        if before and before.at in self._open:
            return _maybe_null(RecordRef(before.at), schema)
        if before and before.open == len(self._open):
            return NOTHING_KNOWN
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
            return read_enum(schema)
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
        if word in PLAIN:
            return Reading(PLAIN[word])
        if word in OBJECTS or (word is None and not OBJECT_WORDS.isdisjoint(schema)):
            return self._read_mapping(schema, place)
        # A list of `items` without a type does not describe an array: its authors mean one of these objects.
        means_array = word is None and not ARRAY_WORDS.isdisjoint(schema) and not is_array(schema.get('items'))
        if word in ARRAYS or means_array:
            return read_array(schema, place, self.read)
        if word is None or word == 'any':
            return NOTHING_KNOWN
        return Reading(ANY, (str(name),))

    def _read_mapping(self, schema: Schema, place: Place) -> Reading:
        named = object_at(schema, 'properties') or names_at(schema, 'required')
        if named and len(self.records) + len(self._open) < _MOST_RECORDS:
            return self._read_record(schema, place)
        value, phrases = read_other_values(schema, place, self.read)
        return Reading(DictOf(ANY if value in (None, NEVER) else value), phrases)

    def _read_record(self, schema: Schema, place: Place) -> Reading:
        if place.at not in self.records and place.at not in self._open:
            self._open.append(place.at)
            fields = tuple(read_fields(schema, place, self.read))
            others, phrases = read_other_values(schema, place, self.read)
            shown = note('' if place.described else text_at(schema, 'description'), phrases)
            self.records[place.at] = Record(place.hint, place.path, fields, others, shown)
            self._open.remove(place.at)
        return Reading(RecordRef(place.at))


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
