"""A tool as source text, for models at each level of detail, and for type checkers."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from toolscript_signatures.render.docstrings import docstring
from toolscript_signatures.render.template import TypeText, name_hole, note_hole
from toolscript_signatures.render.tool_types import ToolShape, type_texts
from toolscript_signatures.render.writing import BARE, TERSE, accepted, write
from toolscript_signatures.schemas.parameters import MISSING, Parameter
from toolscript_signatures.types.identifiers import distinct
from toolscript_signatures.types.json_values import literal
from toolscript_signatures.types.notes import one_line
from toolscript_signatures.types.pytypes import NEVER, ListOf, PyType, optional
from toolscript_signatures.types.spec import ToolSpec

Detail = Literal['brief', 'signature', 'full']
"""What a model sees of a tool: its name and one line; its signature and types; or those with all notes."""

Names = Mapping[str, str]
"""The names of `TypedDict`s, by the place in the schema that defines them."""


class FunctionText(NamedTuple):
    """One function and its types, with holes for names and notes."""

    types: tuple[TypeText, ...]
    head: str
    """Up to the colon."""
    body: str


def function_text(spec: ToolSpec, shape: ToolShape, name: str, detail: Detail) -> FunctionText:
    """The text of a tool at a level of detail."""
    if detail == 'brief':
        first = one_line(next(iter((spec.description or '').strip().splitlines()), ''))
        return FunctionText((), '', f'{name} # {first[:_LONGEST_LINE]}' if first else name)
    notes = detail == 'full'
    holes = {at: name_hole(index) for index, at in enumerate(shape.records)}
    types = type_texts(shape, TERSE if notes else BARE)
    head = _head(spec, shape, name, holes) if notes else signature(spec, shape, name, holes)
    return FunctionText(types, head, _body(spec, shape) if notes else ' ...')


_LONGEST_LINE = 200


def signature(spec: ToolSpec, shape: ToolShape, name: str, names: Names) -> str:
    """The function on one line, up to its colon."""
    return f'{_start(spec, name)}{", ".join(_shown(spec, shape, names))}{_end(shape, names)}'


def _head(spec: ToolSpec, shape: ToolShape, name: str, names: Names) -> str:
    """The function up to its colon, with a line for each parameter if any has a note."""
    notes = [note_hole(parameter.key, parameter_note(parameter)) for parameter in shape.parameters.named]
    if not any(notes):
        return signature(spec, shape, name, names)
    shown = _shown(spec, shape, names)
    commas = [*(',' for _ in shown[1:]), '']
    # The last parameter may be `**extra`, which has no note.
    lines = [f' {text}{comma}{note}' for text, comma, note in zip(shown, commas, [*notes, ''], strict=False)]
    return '\n'.join([_start(spec, name), *lines, _end(shape, names)])


def _start(spec: ToolSpec, name: str) -> str:
    return f'{"" if spec.sequential else "async "}def {name}('


def _end(shape: ToolShape, names: Names) -> str:
    return f') -> {write(shape.returns, names.__getitem__, bare=True)}:'


def _shown(spec: ToolSpec, shape: ToolShape, names: Names, *, checked: bool = False) -> list[str]:
    """The parameters as source; if `checked`, with the types that calls may use and without defaults.

    If the schema forbids further keywords, their type is `Never` for checkers.
    """
    takes = shape.parameters

    def written(type_: PyType) -> str:
        return write(accepted(type_) if checked else type_, names.__getitem__, bare=not checked)

    def parameter(one: Parameter) -> str:
        if one.key == spec.variadic and isinstance(one.type, ListOf):
            return f'*{one.name}: {written(one.type.item)}'
        default = None if checked else shown_default(one)
        or_none = not one.required if checked else default == 'None'
        source = f'{one.name}: {written(optional(one.type) if or_none else one.type)}'
        return source if one.required else f'{source} = {default or "..."}'

    shown = list(map(parameter, takes.named))
    extra = NEVER if checked and takes.closed and takes.extra is None else takes.extra
    if extra is not None:
        name = distinct(['extra'], taken={one.name for one in takes.named})[0]
        shown.append(f'**{name}: {written(extra)}')
    return shown


def shown_default(parameter: Parameter) -> str | None:
    """The source of the default, or `None` if there is no default or no source for it."""
    return None if parameter.default is MISSING else literal(parameter.default)


def parameter_note(parameter: Parameter) -> str:
    """The note about a parameter, after its JSON name if that differs."""
    if parameter.name == parameter.key:
        return parameter.note
    key = one_line(parameter.key)
    return f'{key}: {parameter.note}' if parameter.note else key


def _body(spec: ToolSpec, shape: ToolShape) -> str:
    described, note = (spec.description or '').strip(), shape.parameters.note
    returns = f'Returns: {shape.returns_note}' if shape.returns_note else ''
    text = '\n\n'.join(filter(None, [described, '' if note in described else note, returns]))
    flags = [word for word, flag in (('read-only', spec.read_only), ('destructive', spec.destructive)) if flag]
    comment = f' # {", ".join(flags)}' if flags else ''
    return f'{comment}\n{docstring(text, indent=" ")}' if text else f' ...{comment}'


def stub_text(spec: ToolSpec, shape: ToolShape, name: str, names: Names, types: Iterable[str]) -> str:
    """A complete `.pyi` module with the function and its types."""
    shown = ', '.join(_shown(spec, shape, names, checked=True))
    returns = write(shape.returns, names.__getitem__)
    return '\n'.join([_IMPORTS, *types, f'{_start(spec, name)}{shown}) -> {returns}: ...', ''])


_IMPORTS = 'from typing import Any, Literal, Never, NotRequired, Required, TypedDict'
