"""A function or a JSON schema as a plain Python signature."""

import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from toolscript_signatures.render.docstrings import FunctionDocs, docstring, read_docstring
from toolscript_signatures.render.function_text import parameter_note, shown_default
from toolscript_signatures.render.tool_types import ToolShape, read_tool
from toolscript_signatures.render.writing import CLASSIC, Definition, NameOf, write
from toolscript_signatures.schemas.annotations import AnnotationReader, described
from toolscript_signatures.schemas.parameters import Parameter
from toolscript_signatures.types.identifiers import distinct, identifier, type_name
from toolscript_signatures.types.json_values import literal
from toolscript_signatures.types.pytypes import Record, optional
from toolscript_signatures.types.spec import ToolSpec


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
    text = _docstring_text(description, shape)
    return FunctionSignature(
        f'{head}\n{docstring(text, indent="    ", block=True)}' if text else f'{head} ...', list(definitions.values())
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


def _docstring_text(description: str | None, shape: ToolShape) -> str:
    notes = {parameter.name: parameter_note(parameter) for parameter in shape.parameters.named}
    text = '\n\n'.join(filter(None, [(description or '').strip(), shape.parameters.note]))
    return FunctionDocs(text, notes, shape.returns_note).as_text()


def signature_from_function(
    func: Callable[..., Any],
    *,
    name: str | None = None,
    description: str | None = None,
    include_return_type: bool = True,
) -> FunctionSignature:
    """The Python signature of a function, as a model should see it.

    A first parameter that is annotated as `RunContext` is left out, as is `self` of a bound method; `async def` stays.
    Of a docstring in Google, NumPy or Sphinx style the text, parameters, result and errors are shown;
    `description` takes the place of the text.
    """
    reader = AnnotationReader()
    name_of = _Names(reader.records)
    signature = _signature(func)
    parameters = list(signature.parameters.values())
    if parameters and _is_context(parameters[0].annotation):
        del parameters[0]
    shown = inspect.Signature([_shown(one, reader, name_of) for one in parameters])
    returns = '' if not include_return_type else f' -> {_annotated(signature.return_annotation, reader, name_of)}'
    word = 'async def' if inspect.iscoroutinefunction(inspect.unwrap(func)) else 'def'
    called = name or getattr(func, '__name__', type(func).__name__)
    head = f'{word} {identifier(called, fallback="tool")}{shown}{returns}:'
    docs = read_docstring(func)
    notes = {one.name: docs.parameters.get(one.name) or described(one.annotation) for one in parameters}
    text = docs.text if description is None else description.strip()
    text = replace(docs, text=text, parameters=notes).as_text()
    body = f'\n{docstring(text, indent="    ", block=True)}' if text else ' ...'
    return FunctionSignature(f'{head}{body}', list(_definitions(reader.records, name_of)))


def _signature(func: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(func, eval_str=True)
    except ValueError:  # a builtin that does not say what it takes
        return inspect.signature(_takes_anything)
    except Exception:  # annotations that are strings and cannot be resolved here, for whatever reason
        return inspect.signature(func)


def _takes_anything(*args: Any, **kwargs: Any) -> Any: ...


def _is_context(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.split('[')[0].rpartition('.')[2] == 'RunContext'
    return getattr(typing.get_origin(annotation) or annotation, '__name__', '') == 'RunContext'


class _Source:
    """Source text, which `inspect.Signature` writes as it is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _shown(parameter: inspect.Parameter, reader: AnnotationReader, name_of: NameOf) -> inspect.Parameter:
    """The parameter with the source of its annotation and of its default."""
    shown = parameter.replace(annotation=_Source(_annotated(parameter.annotation, reader, name_of)))
    value = parameter.default
    if value is inspect.Parameter.empty:
        return shown
    value = getattr(value, 'default', value) if type(value).__name__ == 'FieldInfo' else value
    value = value.value if isinstance(value, Enum) else value
    return shown.replace(default=_Source(literal(value) or '...'))


def _annotated(annotation: Any, reader: AnnotationReader, name_of: NameOf) -> str:
    if annotation is inspect.Parameter.empty:
        return 'Any'
    if isinstance(annotation, str):
        return annotation if _parses(annotation) else 'Any'
    return write(reader.read(annotation), name_of)


def _parses(source: str) -> bool:
    try:
        compile(source, '<annotation>', 'eval')
    except (SyntaxError, ValueError):
        return False
    return True


class _Names:
    """Names for the types of a function: each class its own, with a number where two have the same one."""

    def __init__(self, records: Mapping[str, Record]) -> None:
        self._records = records
        self._names: dict[str, str] = {}

    def __call__(self, at: str) -> str:
        if at not in self._names:
            hint = (
                self._records[at].hint if at in self._records else at.removesuffix('#').rstrip(':').rpartition('.')[2]
            )
            self._names[at] = distinct([type_name(hint)], taken=self._names.values())[0]
        return self._names[at]


def _definitions(records: Mapping[str, Record], name_of: NameOf) -> Iterator[str]:
    places = list(records)
    for index, at in enumerate(places):
        yield Definition(records[at], name_of, CLASSIC, places[index:]).source(name_of(at))
