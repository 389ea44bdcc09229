"""A tool as a Python function."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from toolscript_signatures.catalog.bounded import bounded, fits
from toolscript_signatures.catalog.validation import ComparisonTooLong, Validation
from toolscript_signatures.render.docstrings import share_beginnings
from toolscript_signatures.render.function_text import Detail, FunctionText, function_text, signature, stub_text
from toolscript_signatures.render.template import Notes, TypeNames, TypeText, fill_names
from toolscript_signatures.render.tool_types import ToolShape, read_tool, type_texts
from toolscript_signatures.render.writing import CHECKED
from toolscript_signatures.schemas.parameters import Parameter, ParameterList
from toolscript_signatures.types.pytypes import admits_none
from toolscript_signatures.types.spec import ToolSpec


@dataclass(eq=False)
class Rendering:
    """The texts of a tool under one Python name."""

    spec: ToolSpec
    name: str
    whole: bool = False
    """Whether texts are not shortened."""
    _texts: dict[Detail, FunctionText] = field(default_factory=dict[Detail, FunctionText])
    _costs: dict[Detail, int] = field(default_factory=dict[Detail, int])

    @cached_property
    def _bounded_spec(self) -> ToolSpec:
        return self.spec if self.whole else bounded(self.spec)

    @cached_property
    def shape(self) -> ToolShape:
        """The types of the tool."""
        return read_tool(self.spec)

    @cached_property
    def _bounded(self) -> ToolShape:
        """The types within the limits."""
        return self.shape if self._bounded_spec is self.spec else read_tool(self._bounded_spec)

    @cached_property
    def _checked_types(self) -> tuple[TypeText, ...]:
        return type_texts(self.shape, CHECKED)

    @cached_property
    def _type_names(self) -> dict[str, str]:
        return self._named(self.shape, self._checked_types)

    def _named(self, shape: ToolShape, types: tuple[TypeText, ...]) -> dict[str, str]:
        return dict(zip(shape.records, TypeNames(reserved={self.name}).of(types, self.spec.name), strict=True))

    @cached_property
    def signature(self) -> str:
        """The definition on one line."""
        shape = self._bounded
        names = self._type_names if shape is self.shape else self._named(shape, type_texts(shape, CHECKED))
        line = f'{signature(self._bounded_spec, shape, self.name, names)} ...'
        return line if self.whole or fits(line) else f'{_outline(self.spec, self.name).head} ...'

    @cached_property
    def stub(self) -> str:
        """The `.pyi` module."""
        names = list(self._type_names.values())
        types = dict.fromkeys(fill_names(text.source, names) for text in self._checked_types)
        return stub_text(self.spec, self.shape, self.name, self._type_names, types)

    def validation(self) -> Validation:
        """A validation against the types of the stub."""
        return Validation(self.shape.records, self._type_names.__getitem__)

    def text(self, detail: Detail) -> FunctionText:
        """The text, with holes."""
        if detail not in self._texts:
            self._texts[detail] = self._text(detail)
        return self._texts[detail]

    def _text(self, detail: Detail) -> FunctionText:
        text = function_text(self._bounded_spec, self._bounded, self.name, detail)
        if self.whole or fits(f'{"".join(type_.source for type_ in text.types)}{text.head}{text.body}'):
            return text
        return self._text('signature') if detail == 'full' else _outline(self.spec, self.name)

    def cost(self, detail: Detail) -> int:
        """The estimated tokens of the text alone."""
        if detail not in self._costs:
            self._costs[detail] = estimate_tokens(render_all((self,), detail, TypeNames(), Notes()))
        return self._costs[detail]


rendering_of = lru_cache(maxsize=40_000)(Rendering)
"""The rendering of a tool under a Python name, cached."""


def _outline(spec: ToolSpec, name: str) -> FunctionText:
    """The text of a tool that is too large to show."""
    head = f'{"" if spec.sequential else "async "}def {name}(**arguments: Any) -> Any:'
    return FunctionText((), head, ' ... # too long to show')


def render_all(
    renderings: Sequence[Rendering], detail: Detail, names: TypeNames, notes: Notes, known: Iterable[Rendering] = ()
) -> str:
    """The text of tools, types first, without the types of `known` ones."""
    for rendering in known:
        names.of(rendering.text(detail).types, rendering.spec.name)
    written = set(names.names)
    types: list[str] = []
    texts = [rendering.text(detail) for rendering in renderings]
    named = [names.of(text.types, rendering.spec.name) for rendering, text in zip(renderings, texts, strict=True)]
    for text, own in zip(texts, named, strict=True):
        for type_, name in zip(text.types, own, strict=True):
            if type_.key not in written:
                written.add(type_.key)
                types.append(notes.fill(type_.source, own, name))
    functions = [
        before + notes.fill(text.head, own, rendering.name) + body
        for rendering, text, own, (before, body) in zip(
            renderings, texts, named, share_beginnings([text.body for text in texts]), strict=True
        )
    ]
    blocks = [*types, ('\n' if detail == 'brief' else '\n\n').join(functions)]
    return '\n\n'.join(blocks) if functions else ''


@dataclass(frozen=True, eq=False)
class ToolFunction:
    """One tool as a Python function."""

    spec: ToolSpec
    name: str
    """The Python identifier."""

    @cached_property
    def rendering(self) -> Rendering:
        """The texts of the tool, shared by all functions of its spec and name."""
        return rendering_of(self.spec, self.name)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in the order of positional arguments: required ones first."""
        return self._takes.named

    def arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON arguments object of a Python call.

        Keywords may be Python names or JSON names. `None` for an optional parameter whose schema does not accept `null`
        means its default, and is left out.

        Raises `TypeError` if the call does not match the parameters, with a message for its author.
        """
        given = self._positional(args) if args else {}
        for word, value in kwargs.items():
            key = self._keys[word] if word in self._keys else self._passed(word, kwargs)
            if key in given:
                raise self._error(f'got two values for {word!r}')
            given[key] = value
        missing = [name for key, name in self._required.items() if key not in given]
        if missing:
            unknown = [word for word in kwargs if word not in self._keys] if self._takes.extra is None else []
            rest = f'; it has no parameter {_listed(unknown)}' if unknown else ''
            raise self._error(f'is missing {_listed(missing)}{rest}')
        if self._default_by_none:
            given = {
                key: value for key, value in given.items() if value is not None or key not in self._default_by_none
            }
        return given if self.spec.variadic is None else {self.spec.variadic: list[Any](), **given}

    def validate(self, name: str, value: Any) -> str | None:
        """What is wrong with a JSON value for the parameter with this Python name; empty if nothing is.

        `None` if that is unknown: there is no such parameter, or the comparison takes too many steps.
        """
        parameter = self._named.get(name)
        if parameter and not parameter.required and value is None:  # this means the default
            return ''
        type_ = parameter.type if parameter else self._takes.extra
        if type_ is None:
            return None
        try:
            found = self.rendering.validation().mismatch(value, type_)
        except ComparisonTooLong:
            return None
        if found is None:
            return ''
        return f'at {".".join(map(str, found.path))}: {found.message}' if found.path else found.message

    @cached_property
    def _takes(self) -> ParameterList:
        return self.rendering.shape.parameters

    @cached_property
    def _named(self) -> Mapping[str, Parameter]:
        return {one.name: one for one in self.parameters}

    @cached_property
    def _fixed(self) -> list[str]:
        """The keys of positional parameters. Those after `*args` are keyword-only."""
        keys = [parameter.key for parameter in self.parameters]
        return keys[: keys.index(self.spec.variadic)] if self.spec.variadic in keys else keys

    @cached_property
    def _required(self) -> dict[str, str]:
        """The names of required parameters, by key."""
        return {parameter.key: parameter.name for parameter in self.parameters if parameter.required}

    @cached_property
    def _keys(self) -> dict[str, str]:
        """Keys by keyword: the Python name of a parameter, or its key."""
        named = self.parameters
        return {one.key: one.key for one in reversed(named)} | {one.name: one.key for one in reversed(named)}

    @cached_property
    def _default_by_none(self) -> frozenset[str]:
        """The keys of optional parameters that do not accept `null`: there, `None` means the default."""
        optional = (one for one in self.parameters if not one.required)
        return frozenset(one.key for one in optional if not admits_none(one.type))

    def _positional(self, args: Sequence[Any]) -> dict[str, Any]:
        fixed = self._fixed
        if len(args) > len(fixed) and self.spec.variadic is None:
            raise self._error(f'takes at most {len(fixed)} positional arguments, got {len(args)}')
        given = dict(zip(fixed, args, strict=False))
        rest = list(args[len(fixed) :])
        return {**given, self.spec.variadic: rest} if self.spec.variadic is not None and rest else given

    def _passed(self, word: str, kwargs: Mapping[str, Any]) -> str:
        """The key of a keyword that is not a parameter. Raises `TypeError` if it is not allowed."""
        if self._takes.extra is None:
            free = [parameter.name for parameter in self.parameters if parameter.name not in kwargs]
            if self._takes.closed or difflib.get_close_matches(word, free, n=1, cutoff=0.8):
                names = {parameter.name.lower(): parameter.name for parameter in self.parameters}
                close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.5)
                meant = f', did you mean {names[close[0]]!r}?' if close else ''
                raise self._error(f'has no parameter {word!r}{meant}')
        return word

    def _error(self, problem: str) -> TypeError:
        return TypeError(f'{self.name}() {problem}\n{self.signature}')

    def render(self, detail: Detail = 'full', *, whole: bool = False) -> str:
        """The text for a model, with its types; shortened, with a note on what is left out, unless `whole`."""
        rendering = rendering_of(self.spec, self.name, whole=True) if whole else self.rendering
        return render_all((rendering,), detail, TypeNames(reserved={self.name}), Notes())

    @property
    def signature(self) -> str:
        """The definition on one line, without docstring."""
        return self.rendering.signature

    @property
    def stub(self) -> str:
        """A `.pyi` module for type checkers: imports, types, one function."""
        return self.rendering.stub


def _listed(names: Sequence[str]) -> str:
    return ', '.join(map(repr, names))


def estimate_tokens(text: str) -> int:
    """The estimated tokens of a text: words by length, three digits, two other characters per token."""
    return sum(map(_cost, _PIECES.findall(text)))


def _cost(piece: str) -> int:
    first = piece[0]
    if not first.isascii():
        return (len(piece) + 1) // 2
    if first.isalpha():
        return (len(piece) + 7) // 8
    return (len(piece) + 2) // 3 if first.isdigit() else 1 if first.isspace() else (len(piece) + 1) // 2


_PIECES = re.compile(r'[A-Za-z]+|[0-9]+|[^\W\d_]+|_+|\s*\n\s*|[^\w\s]+')
