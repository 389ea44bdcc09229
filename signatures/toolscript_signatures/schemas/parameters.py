"""The parameters of a tool."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from toolscript_signatures.schemas.composition import flat, merge
from toolscript_signatures.schemas.keywords import ALTERNATIVES, read_fields, read_other_values
from toolscript_signatures.schemas.reader import SchemaReader
from toolscript_signatures.schemas.reading import Place
from toolscript_signatures.types.identifiers import distinct
from toolscript_signatures.types.json_values import Schema, array_at, is_object, names_at, object_at
from toolscript_signatures.types.notes import note, words
from toolscript_signatures.types.pytypes import ANY, Field, PyType


@dataclass(frozen=True, slots=True)
class Missing:
    """The default of a parameter that has none."""


MISSING: Final = Missing()


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool's Python function."""

    name: str
    """The Python identifier."""
    key: str
    """The name in the JSON arguments object."""
    required: bool
    type: PyType
    default: Any = MISSING
    """The JSON default, or `MISSING`."""
    note: str = ''
    """What the type cannot say, on one line."""
    annotation: str = ''
    """The type as source."""


@dataclass(frozen=True, slots=True)
class ParameterList:
    """All parameters of a tool, in the order shown: required ones first."""

    named: tuple[Parameter, ...]
    extra: PyType | None
    """The type of further keywords, if the schema speaks of them."""
    closed: bool
    """Whether the schema rules further keywords out. One that is silent neither invites nor forbids them."""
    note: str = ''
    """What the schema says of the arguments as a whole."""


def read_parameters(reader: SchemaReader, schema: object, variadic: str | None = None) -> ParameterList:
    """The parameters that a JSON schema of an arguments object describes; of anything else, any keywords.

    `variadic` is the array property that a function takes as `*args`: it may be left out, and parts the parameters that
    may be given by place from those that are given by name.
    """
    if not is_object(schema):
        return ParameterList((), None if schema is False else ANY, schema is False)
    whole, notes = _whole(reader, flat(schema, reader.root), 0)
    place = Place('#', '')
    fields = list(read_fields(whole, place, reader.read))
    extra, phrases = read_other_values(whole, place, reader.read)
    if 'properties' in whole and not is_object(whole['properties']):
        extra = ANY
    described = [text for text in (note('', (*phrases, *words(whole), *notes)),) if text]
    closed = whole.get('additionalProperties') is False
    return ParameterList(tuple(_parameters(fields, whole, variadic)), extra, closed, ' '.join(described))


def _parameters(fields: Sequence[Field], schema: Schema, variadic: str | None) -> list[Parameter]:
    keys = [field.key for field in fields]
    middle = keys.index(variadic) if variadic in keys else len(keys)
    fields = [field._replace(required=field.required and field.key != variadic) for field in fields]
    places = [(index > middle) - (index < middle) for index in range(len(fields))]
    ordered = [
        field for _, field in sorted(zip(places, fields, strict=True), key=lambda one: (one[0], not one[1].required))
    ]
    names = distinct(field.key for field in ordered)
    properties = object_at(schema, 'properties')
    return [
        Parameter(name, field.key, field.required, field.type, _default(properties, field), field.note)
        for name, field in zip(names, ordered, strict=True)
    ]


def _default(properties: Schema, field: Field) -> Any:
    schema = properties.get(field.key)
    return schema['default'] if is_object(schema) and 'default' in schema else MISSING


def _whole(reader: SchemaReader, schema: Schema, depth: int) -> tuple[Schema, list[str]]:
    """An arguments schema as one object: of alternatives all properties, and required what all of them require."""
    for key in ALTERNATIVES:
        if key not in schema:
            continue
        branches = [flat(branch, reader.root) for branch in array_at(schema, key) if is_object(branch)]
        branches = [_whole(reader, branch, depth + 1)[0] for branch in branches] if depth < 5 else []
        base = {name: value for name, value in schema.items() if name != key}
        if branches:
            required = [set(names_at(branch, 'required')) for branch in branches]
            common = [name for name in names_at(branches[0], 'required') if all(name in names for names in required)]
            rest = [
                ' and '.join(name for name in names_at(branch, 'required') if name not in common) for branch in branches
            ]
            needed = [f'needs {" or ".join(rest)}'] if all(rest) else []
            joined = merge([base, {'properties': _joined(branches), 'required': common}])
            whole, notes = _whole(reader, joined, depth + 1)
            return whole, [*needed, *notes]
    return schema, []


def _joined(branches: Sequence[Schema]) -> Schema:
    found: dict[str, list[Any]] = {}
    for branch in branches:
        for name, schema in object_at(branch, 'properties').items():
            if schema not in found.setdefault(name, []):
                found[name].append(schema)
    return {name: schemas[0] if len(schemas) == 1 else {'anyOf': schemas} for name, schemas in found.items()}
