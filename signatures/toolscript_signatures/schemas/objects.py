"""Objects."""

from collections.abc import Iterator

from toolscript_signatures.shapes.json_values import Schema, is_array, is_object, names_at, object_at, text_at
from toolscript_signatures.shapes.notes import note
from toolscript_signatures.shapes.pytypes import ANY, NEVER, Field, PyType, union

from .reading import Place, Read
from .type_words import read_plain


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
    told = found.told or (_speaking_title(schema, name) if is_object(schema) else '')
    return Field(name, ANY if found.type == NEVER else found.type, required, note(told, found.phrases))


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
    told = [f'keys /{key}/' for key in patterns]
    further = schema.get('additionalProperties')
    if further is True:
        found.append(ANY)
    elif is_object(further):
        inner = read(further, place.item('additionalProperties'))
        found.append(inner.type)
        told += [f'values: {inner.note}'] if inner.note else []
    return (union(found) if found else None), tuple(told)
