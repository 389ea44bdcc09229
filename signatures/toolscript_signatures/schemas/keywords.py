"""Types, constants, arrays and objects, read from their keywords."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

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
from toolscript_signatures.types.notes import note, words
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
    PyType,
    TupleOf,
    Value,
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
        return Place(f'{self.at}/{segment}', singular(self.hint), self.path)

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


Read = Callable[[object, Place], Reading]
"""Reads the schema at a place."""

NOTHING_KNOWN = Reading(ANY)


def singular(name: str) -> str:
    """The singular of a plural, as the name of one item: `entries` becomes `entry`."""
    if name.endswith('ies') and len(name) > 4:
        return f'{name[:-3]}y'
    return name[:-1] if name.endswith('s') and not name.endswith('ss') and len(name) > 3 else name


PLAIN: Mapping[object, PyType] = {
    **dict.fromkeys(('string', 'str', 'text'), STR),
    **dict.fromkeys(('integer', 'int', 'int32', 'int64', 'long'), INT),
    **dict.fromkeys(('number', 'float', 'double', 'decimal'), FLOAT),
    **dict.fromkeys(('boolean', 'bool'), BOOL),
    **dict.fromkeys(('null', 'none', 'None', 'NoneType'), NONE),
}
"""The types other than arrays and objects, by their names in schemas."""
ARRAYS = frozenset({'array', 'list', 'tuple', 'set'})
OBJECTS = frozenset({'object', 'dict', 'map'})

OBJECT_WORDS = frozenset({'properties', 'additionalProperties', 'patternProperties'})
"""Keywords of objects: a schema with one of these describes objects even without a `type`."""
ARRAY_WORDS = frozenset({'items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'})

_COMPOUND = frozenset({'$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'not', 'nullable'})


def read_plain(schema: Schema) -> Reading | None:
    """The reading of a schema whose type is one word, as most are; else None."""
    name = schema.get('type')
    plain = PLAIN.get(name) if isinstance(name, str) and _COMPOUND.isdisjoint(schema) else None
    return plain and Reading(plain, words(schema), text_at(schema, 'description'))


def read_enum(schema: Schema) -> Reading:
    """One of the values of `enum`. In the schema of an array, some authors mean its items."""
    values = array_at(schema, 'enum')
    kind = schema.get('type')
    if isinstance(kind, str) and kind in ARRAYS and not any(map(is_array, values)):
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


def read_array(schema: Schema, place: Place, read: Read) -> Reading:
    """A list, or a tuple if its length is fixed and each item has its own schema."""
    items = schema.get('items')
    firsts = array_at(schema, 'prefixItems') or (list(items) if is_array(items) else [])
    if firsts:
        rest = schema.get('additionalItems', True) if is_array(items) else schema.get('items', True)
        return _read_tuple(schema, firsts, rest, place, read)
    if not is_object(items):
        return Reading(ListOf(ANY))
    inner = read(items, place.item('items'))
    each = (f'each: {inner.note}',) if inner.note else ()
    return Reading(ListOf(inner.type if inner.type != NEVER else ANY), each)


def _read_tuple(schema: Schema, firsts: Sequence[object], rest: object, place: Place, read: Read) -> Reading:
    readings = [read(first, place.under('prefixItems', str(index))) for index, first in enumerate(firsts)]
    types = [reading.type for reading in readings]
    notes = tuple(f'[{index}]: {reading.note}' for index, reading in enumerate(readings) if reading.note)
    if rest is False and schema.get('minItems') == len(firsts):
        return Reading(TupleOf(tuple(types)), notes)
    more = [] if rest is False else [read(rest, place.under('items')).type]
    return Reading(ListOf(union([*types, *more])), notes)


def read_fields(schema: Schema, place: Place, read: Read) -> Iterator[Field]:
    """The properties of an object, in order, then names that are only in `required`."""
    properties = object_at(schema, 'properties')
    required = names_at(schema, 'required')
    if not is_array(schema.get('required')):  # draft 3 has a flag in each property
        required = [str(name) for name in properties if object_at(properties, name).get('required') is True]
    for name, inner in properties.items():
        if field := _field(str(name), inner, name in required, place, read):
            yield field
    yield from (Field(name, ANY, True) for name in required if name not in properties)


def _field(name: str, schema: object, required: bool, place: Place, read: Read) -> Field | None:
    """The field of a property; `None` if no value is valid."""
    plain = read_plain(schema) if is_object(schema) else None  # most properties need no place
    found = plain or read(schema, place.key(name))
    if found.type == NEVER and not required:
        return None
    described = found.description or (_useful_title(schema, name) if is_object(schema) else '')
    return Field(name, ANY if found.type == NEVER else found.type, required, note(described, found.phrases))


def _useful_title(schema: Schema, name: str) -> str:
    """The title, if it adds something to the name."""
    title = text_at(schema, 'title')
    return title if ' ' in title and _letters(title) != _letters(name) else ''


def _letters(text: str) -> str:
    return ''.join(filter(str.isalnum, text)).lower()


def read_other_values(schema: Schema, place: Place, read: Read) -> tuple[PyType | None, tuple[str, ...]]:
    """The type of the values of keys that are not named, if the schema mentions such keys; and notes about them."""
    patterns = object_at(schema, 'patternProperties')
    found = [read(inner, place.under('patternProperties', str(key))).type for key, inner in patterns.items()]
    notes = [f'keys /{key}/' for key in patterns]
    further = schema.get('additionalProperties')
    if further is True:
        found.append(ANY)
    elif is_object(further):
        inner = read(further, place.item('additionalProperties'))
        found.append(inner.type)
        notes += [f'values: {inner.note}'] if inner.note else []
    return (union(found) if found else None), tuple(notes)
