"""A JSON schema as a plain Python signature."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .docstrings.docstring_text import docstring
from .schemas.parameters import Parameter
from .shapes.identifiers import identifier, type_name
from .shapes.literals import literal
from .shapes.pytypes import Record, optional
from .shapes.spec import ToolSpec
from .writing.function_text import parameter_note, shown_default
from .writing.tool_shape import ToolShape, read_tool
from .writing.writing import CLASSIC, Definition, write


@dataclass(frozen=True)
class FunctionSignature:
    """A function as source text."""

    signature: str
    """The definition; with its docstring if there is one, else with `...` as its body."""
    type_definitions: list[str]
    """The types that it names, inner ones first."""


def signature_from_schema(
    *,
    name: str,
    parameters_json_schema: Mapping[str, Any],
    description: str | None = None,
    return_json_schema: Mapping[str, Any] | None = None,
) -> FunctionSignature:
    """The Python signature of a tool that is described by JSON schemas.

    Reads draft 4 to 2020-12 and OpenAPI 3 schemas. Never raises: what is malformed becomes `Any`.
    """
    shape = read_tool(ToolSpec(name, parameters_json_schema, description, return_json_schema))
    names = _type_names(name, shape)
    definitions = {
        at: Definition(record, names.__getitem__, CLASSIC, shape.later[at]).source(names[at])
        for at, record in shape.records.items()
    }
    returns = write(shape.returns, names.__getitem__)
    head = f'def {identifier(name, fallback="tool")}({_parameters(shape, names)}) -> {returns}:'
    told = _told(description, shape)
    return FunctionSignature(
        f'{head}\n{docstring(told, indent="    ", block=True)}' if told else f'{head} ...', list(definitions.values())
    )


def _type_names(name: str, shape: ToolShape) -> dict[str, str]:
    names: dict[str, str] = {}
    for at, record in shape.records.items():
        wanted = _wanted(name, at, record)
        number, free = 2, wanted
        while free in names.values():
            number, free = number + 1, f'{wanted}{number}'
        names[at] = free
    return names


def _wanted(name: str, at: str, record: Record) -> str:
    if not at.startswith(('#/properties', 'result:#/properties')) and at != 'result:#':
        return type_name(record.hint)
    return type_name(name, *(('return',) if at.startswith('result:') else ()), *record.path)


def _parameters(shape: ToolShape, names: dict[str, str]) -> str:
    shown = [_parameter(parameter, names) for parameter in shape.parameters.named]
    if shape.parameters.extra is not None:
        shown.append(f'**kwargs: {write(shape.parameters.extra, names.__getitem__)}')
    return ', '.join(shown)


def _parameter(parameter: Parameter, names: dict[str, str]) -> str:
    default = shown_default(parameter)
    if parameter.required:
        return f'{parameter.name}: {write(parameter.type, names.__getitem__)}'
    if default is None or default == literal(None):
        return f'{parameter.name}: {write(optional(parameter.type), names.__getitem__)} = None'
    return f'{parameter.name}: {write(parameter.type, names.__getitem__)} = {default}'


def _told(description: str | None, shape: ToolShape) -> str:
    notes = [(parameter.name, parameter_note(parameter)) for parameter in shape.parameters.named]
    lines = [f'    {name}: {told}' for name, told in notes if told]
    parts = [
        (description or '').strip(),
        shape.parameters.note,
        '\n'.join(['Args:', *lines]) if lines else '',
        f'Returns:\n    {shape.returns_note}' if shape.returns_note else '',
    ]
    return '\n\n'.join(filter(None, parts))
