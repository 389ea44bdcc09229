"""A tool as source text with holes where the names of types go."""

import re
from dataclasses import dataclass
from typing import Literal

from .docstring_text import docstring
from .identifiers import distinct
from .literals import literal
from .parameters import MISSING, Parameter
from .pytypes import ListOf, admits_none, optional
from .spec import ToolSpec
from .tool_shape import ToolShape, type_keys
from .writing import Definition, accepted, write

Detail = Literal['brief', 'signature', 'full']

_HOLE = re.compile('\x01(\\d+)\x02')


@dataclass(frozen=True, slots=True)
class Hole:
    """A type definition without its names."""

    key: str
    hint: str
    source: str
    """With `\\x01i\\x02` where the name of the tool's type `i` goes."""


@dataclass(frozen=True, slots=True)
class FunctionText:
    """One function and its types, ready to be named."""

    types: tuple[Hole, ...]
    head: str
    """With holes; the definition up to its docstring."""
    tail: str

    def filled(self, names: list[str]) -> str:
        """The function under the names of its types."""
        return fill(self.head, names) + self.tail


def fill(source: str, names: list[str]) -> str:
    """Source with its holes filled."""
    return _HOLE.sub(lambda match: names[int(match[1])], source) if names else source


def function_text(spec: ToolSpec, shape: ToolShape, name: str, detail: Detail) -> FunctionText:
    """The text of a tool at a level of detail."""
    if detail == 'brief':
        first = next(iter((spec.description or '').strip().splitlines()), '')
        return FunctionText((), '', f'{name}  # {" ".join(first.split())}' if first.strip() else name)
    notes = detail == 'full'
    places = list(shape.records)
    holes = {at: f'\x01{index}\x02' for index, at in enumerate(places)}
    keys = type_keys(shape.records, notes=notes)
    types = tuple(
        Hole(
            keys[at],
            record.hint,
            Definition(record, holes.__getitem__, notes=notes, checker=False, later=shape.later(at)).source(holes[at]),
        )
        for at, record in shape.records.items()
    )
    head = _head(spec, shape, name, holes, notes)
    return FunctionText(types, head, _body(spec, shape) if notes else ' ...')


def signature_line(spec: ToolSpec, shape: ToolShape, name: str, holes: dict[str, str]) -> str:
    """The function on one line, up to its colon."""
    return _head(spec, shape, name, holes, False)


def _head(spec: ToolSpec, shape: ToolShape, name: str, holes: dict[str, str], notes: bool) -> str:
    shown = [_parameter(parameter, spec, holes) for parameter in shape.parameters.named]
    comments = [parameter_note(parameter) if notes else '' for parameter in shape.parameters.named]
    if shape.parameters.extra is not None:
        shown.append(f'**{_extra_name(shape)}: {write(shape.parameters.extra, holes.__getitem__)}')
        comments.append('')
    arrow = f' -> {write(shape.returns, holes.__getitem__)}:'
    start = f'{"" if spec.sequential else "async "}def {name}('
    if not any(comments):
        return f'{start}{", ".join(shown)}){arrow}'
    lines = [f'    {text},' + (f'  # {told}' if told else '') for text, told in zip(shown, comments, strict=True)]
    return '\n'.join([start, *lines, f'){arrow}'])


def _extra_name(shape: ToolShape) -> str:
    names = {parameter.name for parameter in shape.parameters.named}
    return distinct(['extra'], taken=names)[0]


def _parameter(parameter: Parameter, spec: ToolSpec, holes: dict[str, str]) -> str:
    if parameter.key == spec.variadic and isinstance(parameter.type, ListOf):
        return f'*{parameter.name}: {write(parameter.type.item, holes.__getitem__)}'
    source = f'{parameter.name}: {write(parameter.type, holes.__getitem__)}'
    if parameter.required:
        return source
    default = shown_default(parameter)
    if default == 'None' and not admits_none(parameter.type):
        return f'{parameter.name}: {write(optional(parameter.type), holes.__getitem__)} = None'
    return f'{source} = {default or "..."}'


def shown_default(parameter: Parameter) -> str | None:
    """Source of the default, if there is one and source can say it."""
    return None if parameter.default is MISSING else literal(parameter.default)


def parameter_note(parameter: Parameter) -> str:
    """The comment behind a parameter, with its JSON name where that is another one."""
    if parameter.name == parameter.key:
        return parameter.note
    key = ' '.join(repr(parameter.key).split())
    return f'{key}: {parameter.note}' if parameter.note else key


def _body(spec: ToolSpec, shape: ToolShape) -> str:
    told = [(spec.description or '').strip()]
    if shape.parameters.note and shape.parameters.note not in told[0]:
        told.append(shape.parameters.note)
    if shape.returns_note:
        told.append(f'Returns: {shape.returns_note}')
    flags = [word for word, flag in (('read-only', spec.read_only), ('destructive', spec.destructive)) if flag]
    tail = (['observed result, not promised'] if shape.observed else []) + flags
    text = '\n\n'.join(filter(None, told))
    comment = f'  # {", ".join(tail)}' if tail else ''
    return f'{comment}\n{docstring(text)}\n    ...' if text else f' ...{comment}'


def stub_text(spec: ToolSpec, shape: ToolShape, name: str, type_names: dict[str, str]) -> str:
    """A `.pyi` module with the function and its types, complete in itself."""
    name_of = type_names.__getitem__
    types = [
        Definition(record, name_of, notes=False, checker=True, later=()).source(type_names[at])
        for at, record in shape.records.items()
    ]
    shown = [_checked(parameter, spec, type_names) for parameter in shape.parameters.named]
    if shape.parameters.extra is not None:
        shown.append(f'**{_extra_name(shape)}: {write(accepted(shape.parameters.extra), name_of)}')
    returns = 'Any' if shape.observed else write(shape.returns, name_of)
    head = f'{"" if spec.sequential else "async "}def {name}({", ".join(shown)}) -> {returns}: ...'
    return '\n'.join(['from typing import Any, Literal, Never, NotRequired, Required, TypedDict', *types, head, ''])


def _checked(parameter: Parameter, spec: ToolSpec, type_names: dict[str, str]) -> str:
    if parameter.key == spec.variadic and isinstance(parameter.type, ListOf):
        return f'*{parameter.name}: {write(accepted(parameter.type.item), type_names.__getitem__)}'
    type_ = accepted(parameter.type if parameter.required else optional(parameter.type))
    return f'{parameter.name}: {write(type_, type_names.__getitem__)}{"" if parameter.required else " = ..."}'
