"""The parameters of a tool."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from toolscript_signatures.schemas.composition import any_properties, flat, merge, without
from toolscript_signatures.schemas.reader import ALTERNATIVES, Place, SchemaReader
from toolscript_signatures.types.identifiers import distinct
from toolscript_signatures.types.json_values import Schema, array_at, is_object, names_at, object_at
from toolscript_signatures.types.notes import note, words
from toolscript_signatures.types.pytypes import ANY, Field, PyType

MISSING: Final[Any] = object()
"""The default of a parameter without a default."""


class Parameter(NamedTuple):
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
    """What the type does not express, on one line."""


class ParameterList(NamedTuple):
    """All parameters of a tool, in the order in which they are shown: required ones first."""

    named: tuple[Parameter, ...]
    extra: PyType | None
    """The type of further keywords, if the schema mentions them."""
    closed: bool
    """Whether the schema forbids further keywords."""
    note: str = ''
    """What the schema says about the arguments as a whole."""


def read_parameters(reader: SchemaReader, schema: object, variadic: str | None = None) -> ParameterList:
    """The parameters in the JSON schema of an arguments object; if it is malformed, any keywords.

    `variadic` is the array property that a function takes as `*args`. It is optional, and separates positional
    parameters from keyword-only ones.
    """
    if not is_object(schema):
        return ParameterList((), None if schema is False else ANY, schema is False)
    whole, notes = _whole(reader, flat(schema, reader.root), 0)
    place = Place('#', '')
    fields = list(reader.read_fields(whole, place))
    extra, phrases = reader.read_other_values(whole, place)
    if 'properties' in whole and not is_object(whole['properties']):
        extra = ANY
    closed = whole.get('additionalProperties') is False
    described = note('', (*phrases, *words(whole), *notes))
    return ParameterList(tuple(_parameters(fields, whole, variadic)), extra, closed, described)


def _parameters(fields: Sequence[Field], schema: Schema, variadic: str | None) -> list[Parameter]:
    keys = [field.key for field in fields]
    middle = keys.index(variadic) if variadic in keys else len(keys)
    parts = [fields[:middle], fields[middle : middle + 1], fields[middle + 1 :]]
    ordered = [one for part in parts for one in sorted(part, key=lambda field: not field.required)]
    properties = object_at(schema, 'properties')
    return [
        Parameter(
            name=name,
            key=one.key,
            required=one.required and one.key != variadic,
            type=one.type,
            default=object_at(properties, one.key).get('default', MISSING),
            note=one.note,
        )
        for name, one in zip(distinct(field.key for field in ordered), ordered, strict=True)
    ]


def _whole(reader: SchemaReader, schema: Schema, depth: int) -> tuple[Schema, list[str]]:
    """An arguments schema as one object: with the properties of all alternatives, required if all require them."""
    for key in ALTERNATIVES:
        if key not in schema:
            continue
        branches = [flat(branch, reader.root) for branch in array_at(schema, key) if is_object(branch)]
        branches = [_whole(reader, branch, depth + 1)[0] for branch in branches] if depth < 5 else []
        if branches:
            required = [dict.fromkeys(names_at(branch, 'required')) for branch in branches]
            common = [name for name in required[0] if all(name in names for names in required)]
            rest = [' and '.join(name for name in names if name not in common) for names in required]
            needed = [f'needs {" or ".join(rest)}'] if all(rest) else []
            further = [
                inner for branch in branches if (inner := branch.get('additionalProperties', False)) is not False
            ]
            joined = {'properties': any_properties(branches), 'required': common}
            joined |= {'additionalProperties': {'anyOf': further}} if further else {}
            joined = merge([without(schema, (key,)), joined])
            whole, notes = _whole(reader, joined, depth + 1)
            return whole, [*needed, *notes]
    return schema, []
