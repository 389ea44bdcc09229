"""Alternatives, constants, arrays and objects, each by its keywords."""

from collections.abc import Iterator, Sequence

from toolscript_signatures.schemas.reading import ARRAYS, OBJECT_WORDS, Place, Read, Reading, read_plain
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
from toolscript_signatures.types.notes import note
from toolscript_signatures.types.pytypes import (
    ANY,
    FLOAT,
    NEVER,
    NONE,
    Choice,
    DictOf,
    Field,
    ListOf,
    Plain,
    PyType,
    TupleOf,
    Value,
    union,
)

ALTERNATIVES = ('anyOf', 'oneOf')
"""The keywords. They differ in whether a value may fit two branches, which no type can say."""

_CARRIED = frozenset(('type', 'required', *OBJECT_WORDS, 'items'))
_ONLY_REQUIRES = frozenset({'required', 'description', 'title', 'type'})


def read_alternatives(schema: Schema, key: str, place: Place, read: Read) -> Reading:
    """A union of the branches; `Never` if none can be. What is beside the branches holds in each."""
    beside = {name: value for name, value in schema.items() if name in _CARRIED}
    readings = [
        read(_with(beside, branch), place.under(key, str(index))) for index, branch in enumerate(array_at(schema, key))
    ]
    return Reading(union([reading.type for reading in readings]), tuple(_notes(readings)))


def _with(beside: Schema, branch: object) -> object:
    if not beside or not is_object(branch):
        return branch
    return {**branch, 'allOf': [*array_at(branch, 'allOf'), beside]}


def requirement(branches: Sequence[object]) -> str:
    """What branches say that only say which keys go together: `needs a or b and c`; nothing of other branches."""
    needed = [
        names_at(branch, 'required') if is_object(branch) and branch.keys() <= _ONLY_REQUIRES else []
        for branch in branches
    ]
    return f'needs {" or ".join(map(" and ".join, needed))}' if all(needed) else ''


def _notes(readings: Sequence[Reading]) -> Iterator[str]:
    """What the branches say, each with its type in front if there is more than one beside `null`."""
    several = sum(reading.type not in (NONE, NEVER) for reading in readings) > 1
    for reading in readings:
        if notes := reading.note:
            label = _label(reading.type) if several else ''
            yield f'{label}: {notes}' if label else notes


def _label(type_: PyType) -> str:
    match type_:
        case Plain(name):
            return name
        case Choice(values):
            return ' or '.join(source_or_text(value) for _, value in values)
        case _:
            return ''


def read_enum(schema: Schema) -> Reading:
    """One of the values of `enum`. Some authors of arrays mean the items by it."""
    values = array_at(schema, 'enum')
    kind = schema.get('type')
    if isinstance(kind, str) and kind in ARRAYS and not any(map(is_array, values)):
        return Reading(ListOf(read_constants(values).type))
    return read_constants(values)


def read_constants(values: Sequence[object]) -> Reading:
    """One of some values; those that `Literal` cannot hold become their type, and a phrase."""
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
    """A list; a tuple, if its length is fixed and each item has a schema of its own."""
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
    """The named properties of an object, in order, then those that are only required."""
    properties = object_at(schema, 'properties')
    required = required_names(schema)
    for name, inner in properties.items():
        if field := _field(str(name), inner, name in required, place, read):
            yield field
    yield from (Field(name, ANY, True) for name in required if name not in properties)


def required_names(schema: Schema) -> list[str]:
    """The names an object must have; draft 3 says so with a flag in each property."""
    if is_array(schema.get('required')):
        return names_at(schema, 'required')
    properties = object_at(schema, 'properties')
    return [str(name) for name, inner in properties.items() if is_object(inner) and inner.get('required') is True]


def _field(name: str, schema: object, required: bool, place: Place, read: Read) -> Field | None:
    """The field of a property; `None` if the schema rules it out."""
    plain = read_plain(schema) if is_object(schema) else None  # it needs no place
    found = plain or read(schema, place.key(name))
    if found.type == NEVER and not required:
        return None
    described = found.description or (_speaking_title(schema, name) if is_object(schema) else '')
    return Field(name, ANY if found.type == NEVER else found.type, required, note(described, found.phrases))


def _speaking_title(schema: Schema, name: str) -> str:
    """The title, if it says more than the name."""
    title = text_at(schema, 'title')
    return title if ' ' in title and _letters(title) != _letters(name) else ''


def _letters(text: str) -> str:
    return ''.join(filter(str.isalnum, text)).lower()


def read_other_values(schema: Schema, place: Place, read: Read) -> tuple[PyType | None, tuple[str, ...]]:
    """The type of values under keys without a name, if the schema speaks of such; and what else it says of them."""
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
