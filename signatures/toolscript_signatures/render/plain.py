"""A function or a JSON schema as a plain Python signature."""

import inspect
import typing
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from toolscript_signatures.render.docstrings import FunctionDocs, docstring, read_docstring
from toolscript_signatures.render.function_text import parameter_note, shown_default
from toolscript_signatures.render.tool_types import ToolShape, read_tool
from toolscript_signatures.render.writing import CLASSIC, Definition, write
from toolscript_signatures.schemas.annotations import AnnotationReader, described
from toolscript_signatures.schemas.parameters import Parameter
from toolscript_signatures.types.identifiers import identifier, numbered, type_name
from toolscript_signatures.types.json_values import literal
from toolscript_signatures.types.pytypes import optional
from toolscript_signatures.types.spec import ToolSpec


@dataclass(frozen=True)
class FunctionSignature:
    """A function as source text."""

    signature: str
    """The definition, with its docstring or `...` as its body."""
    type_definitions: list[str]
    """The types that it uses, inner ones first."""


def signature_from_schema(
    *,
    name: str,
    parameters_json_schema: Mapping[str, Any],
    description: str | None = None,
    return_json_schema: Mapping[str, Any] | None = None,
) -> FunctionSignature:
    """The Python signature of a tool with JSON schemas.

    Reads draft 3 to 2020-12 and OpenAPI 3 schemas. Never raises: malformed schemas become `Any`.
    """
    shape = read_tool(ToolSpec(name, parameters_json_schema, description, return_json_schema))
    names = _type_names(name, shape)
    definitions = [
        Definition(record, names.__getitem__, CLASSIC, shape.later[at]).source(names[at])
        for at, record in shape.records.items()
    ]
    shown = [_parameter(parameter, names) for parameter in shape.parameters.named]
    if shape.parameters.extra is not None:
        shown.append(f'**kwargs: {write(shape.parameters.extra, names.__getitem__)}')
    returns = write(shape.returns, names.__getitem__)
    head = f'def {identifier(name, fallback="tool")}({", ".join(shown)}) -> {returns}:'
    text = '\n\n'.join(filter(None, [(description or '').strip(), shape.parameters.note]))
    notes = {parameter.name: parameter_note(parameter) for parameter in shape.parameters.named}
    return FunctionSignature(_with_docs(head, FunctionDocs(text, notes, shape.returns_note)), definitions)


def _type_names(name: str, shape: ToolShape) -> dict[str, str]:
    names: dict[str, str] = {}
    for at, record in shape.records.items():
        has_path = at == 'result:#' or at.removeprefix('result:').startswith('#/properties')
        path = ('return', *record.path) if at.startswith('result:') else record.path
        names[at] = numbered(type_name(name, *path) if has_path else type_name(record.hint), names.values())
    return names


def _parameter(parameter: Parameter, names: dict[str, str]) -> str:
    default = shown_default(parameter) or 'None'
    or_none = not parameter.required and default == 'None'
    source = write(optional(parameter.type) if or_none else parameter.type, names.__getitem__)
    return f'{parameter.name}: {source}' + ('' if parameter.required else f' = {default}')


def _with_docs(head: str, docs: FunctionDocs) -> str:
    text = docs.as_text()
    return f'{head}\n{docstring(text, indent="    ", block=True)}' if text else f'{head} ...'


def signature_from_function(
    func: Callable[..., Any],
    *,
    name: str | None = None,
    description: str | None = None,
    include_return_type: bool = True,
) -> FunctionSignature:
    """The Python signature of a function, for models.

    A first parameter that is annotated as `RunContext` is left out, as is `self` of a bound method; `async def` stays.
    The docstring may have Google, NumPy or Sphinx style; its text, parameters, result and errors are shown.
    `description` replaces its text.
    """
    reader = AnnotationReader()
    signature = _signature(func)
    parameters = list(signature.parameters.values())
    if parameters and _is_context(parameters[0].annotation):
        del parameters[0]
    shown = inspect.Signature([_shown(one, reader) for one in parameters])
    returns = '' if not include_return_type else f' -> {_annotated(signature.return_annotation, reader)}'
    word = 'async def' if inspect.iscoroutinefunction(inspect.unwrap(func)) else 'def'
    called = name or getattr(func, '__name__', type(func).__name__)
    head = f'{word} {identifier(called, fallback="tool")}{shown}{returns}:'
    docs = read_docstring(inspect.getdoc(func) or '')
    notes = {one.name: docs.parameters.get(one.name) or described(one.annotation) for one in parameters}
    text = docs.text if description is None else description.strip()
    places = list(reader.records)
    definitions = [
        Definition(record, reader.name_of, CLASSIC, places[index:]).source(reader.name_of(at))
        for index, (at, record) in enumerate(reader.records.items())
    ]
    return FunctionSignature(_with_docs(head, replace(docs, text=text, parameters=notes)), definitions)


def _signature(func: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(func, eval_str=True)
    except ValueError:  # a builtin without a signature
        return inspect.signature(lambda *args, **kwargs: None)
    except Exception:  # annotations that are strings and cannot be resolved here
        return inspect.signature(func)


def _is_context(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.split('[')[0].rpartition('.')[2] == 'RunContext'
    return getattr(typing.get_origin(annotation) or annotation, '__name__', '') == 'RunContext'


class _Source:
    """Source text that `inspect.Signature` writes unchanged."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _shown(parameter: inspect.Parameter, reader: AnnotationReader) -> inspect.Parameter:
    """The parameter with its annotation and default as source."""
    shown = parameter.replace(annotation=_Source(_annotated(parameter.annotation, reader)))
    value = parameter.default
    if value is inspect.Parameter.empty:
        return shown
    value = getattr(value, 'default', value) if type(value).__name__ == 'FieldInfo' else value
    value = value.value if isinstance(value, Enum) else value
    return shown.replace(default=_Source(literal(value) or '...'))


def _annotated(annotation: Any, reader: AnnotationReader) -> str:
    if annotation is inspect.Parameter.empty:
        return 'Any'
    if isinstance(annotation, str):
        with suppress(SyntaxError, ValueError):
            compile(annotation, '<annotation>', 'eval')
            return annotation
        return 'Any'
    return write(reader.read(annotation), reader.name_of)
