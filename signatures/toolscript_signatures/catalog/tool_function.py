"""A tool as a Python function."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from toolscript_signatures.catalog.bounded import bounded, fits
from toolscript_signatures.catalog.calls import CallBinder
from toolscript_signatures.catalog.validation import ComparisonTooLong, Validation
from toolscript_signatures.render.docstrings import share_beginnings
from toolscript_signatures.render.function_text import Detail, FunctionText, function_text, signature, stub_text
from toolscript_signatures.render.template import Notes, TypeNames, TypeText, fill_names
from toolscript_signatures.render.tool_types import ToolShape, read_tool, type_texts
from toolscript_signatures.render.writing import CHECKED
from toolscript_signatures.schemas.parameters import Parameter
from toolscript_signatures.types.spec import ToolSpec

_KEPT = 40_000


class _Content(NamedTuple):
    """A spec that is equal to every spec with the same content."""

    content: bytes
    spec: ToolSpec = field(compare=False)


@dataclass(eq=False)
class Work:
    """The texts of a tool under one Python name. All specs with the same content share one."""

    spec: ToolSpec
    name: str
    whole: bool = False
    """Whether texts have no bounds."""
    _texts: dict[Detail, FunctionText] = field(default_factory=dict[Detail, FunctionText])
    _costs: dict[Detail, int] = field(default_factory=dict[Detail, int])

    @cached_property
    def _bounded_spec(self) -> ToolSpec:
        return self.spec if self.whole else bounded(self.spec)

    @cached_property
    def shape(self) -> ToolShape:
        """The schemas, read."""
        return read_tool(self.spec)

    @cached_property
    def _bounded(self) -> ToolShape:
        """The schemas within the bounds."""
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
        """Of a value, against the types of the stub."""
        return Validation(self.shape.records, self._type_names.__getitem__)

    def text(self, detail: Detail) -> FunctionText:
        """The text, types not named yet."""
        if detail not in self._texts:
            self._texts[detail] = self._text(detail)
        return self._texts[detail]

    def _text(self, detail: Detail) -> FunctionText:
        text = function_text(self._bounded_spec, self._bounded, self.name, detail)
        if self.whole or fits(f'{"".join(type_.source for type_ in text.types)}{text.head}{text.body}'):
            return text
        return self._text('signature') if detail == 'full' else _outline(self.spec, self.name)

    def cost(self, detail: Detail) -> int:
        """The tokens that the text alone takes, about."""
        if detail not in self._costs:
            self._costs[detail] = estimate_tokens(render_works((self,), detail, TypeNames(), Notes()))
        return self._costs[detail]


def work_of(spec: ToolSpec, name: str, *, whole: bool = False) -> Work:
    """The work about a tool under a Python name. `whole`: its texts have no bounds."""
    return _work(_Content(spec.content, spec), name, whole)


def _outline(spec: ToolSpec, name: str) -> FunctionText:
    """A tool that is too large to be shown."""
    head = f'{"" if spec.sequential else "async "}def {name}(**arguments: Any) -> Any:'
    return FunctionText((), head, ' ... # too long to show')


@lru_cache(maxsize=_KEPT)
def _work(content: _Content, name: str, whole: bool) -> Work:
    return Work(content.spec, name, whole)


def render_works(
    works: Sequence[Work], detail: Detail, names: TypeNames, notes: Notes, known: Iterable[Work] = ()
) -> str:
    """The text of works, types first; of types not those that `known` works have."""
    for work in known:
        names.of(work.text(detail).types, work.spec.name)
    written = set(names.names)
    types: list[str] = []
    texts = [work.text(detail) for work in works]
    named = [names.of(text.types, work.spec.name) for work, text in zip(works, texts, strict=True)]
    for text, own in zip(texts, named, strict=True):
        for type_, name in zip(text.types, own, strict=True):
            if type_.key not in written:
                written.add(type_.key)
                types.append(notes.fill(type_.source, own, name))
    functions = [
        before + notes.fill(text.head, own, work.name) + body
        for work, text, own, (before, body) in zip(
            works, texts, named, share_beginnings([text.body for text in texts]), strict=True
        )
    ]
    blocks = [*types, ('\n' if detail == 'brief' else '\n\n').join(functions)]
    return '\n\n'.join(blocks) if functions else ''


@dataclass(frozen=True, eq=False)
class ToolFunction:
    """One tool, as it is called from Python."""

    spec: ToolSpec
    name: str
    """The Python identifier."""

    @cached_property
    def work(self) -> Work:
        """What is computed about the tool, shared by all functions of its name and content."""
        return work_of(self.spec, self.name)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in the order shown, which is the order of positional arguments: required ones first."""
        return self.work.shape.parameters.named

    def arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON arguments object of a Python call.

        Keywords may be Python names or JSON names. An optional parameter that is given `None` though its schema refuses
        `null` is left out: that is how callers say "the default".

        Raises `TypeError` if the call cannot be meant for this function, with a message for anyone who wrote the call.
        """
        return self._calls.arguments(args, kwargs)

    def validate(self, name: str, value: Any) -> str | None:
        """What is wrong with a JSON value for the parameter of that Python name, in words; the empty text for nothing.

        `None` where no type says: the name is no parameter's, or the comparison takes too many steps.
        """
        parameter = self._named.get(name)
        if parameter and not parameter.required and value is None:  # which says "the default"
            return ''
        type_ = parameter.type if parameter else self.work.shape.parameters.extra
        if type_ is None:
            return None
        try:
            found = self.work.validation().mismatch(value, type_)
        except ComparisonTooLong:
            return None
        if found is None:
            return ''
        return f'at {".".join(map(str, found.path))}: {found.message}' if found.path else found.message

    @cached_property
    def _named(self) -> Mapping[str, Parameter]:
        return {one.name: one for one in self.parameters}

    @cached_property
    def _calls(self) -> CallBinder:
        return CallBinder(self.name, self.work.signature, self.work.shape.parameters, self.spec.variadic)

    def render(self, detail: Detail = 'full', *, whole: bool = False) -> str:
        """The text for a model, with the types it needs; bounded, with a note on what is left out, unless `whole`."""
        work = work_of(self.spec, self.name, whole=True) if whole else self.work
        return render_works((work,), detail, TypeNames(reserved={self.name}), Notes())

    @property
    def signature(self) -> str:
        """The definition on one line, without docstring."""
        return self.work.signature

    @property
    def stub(self) -> str:
        """A `.pyi` module for a type checker: imports, types, one function. What was only observed is `Any`."""
        return self.work.stub


def estimate_tokens(text: str) -> int:
    """Tokens of a text, estimated: words by length, digits in threes, other marks and letters beyond ASCII in pairs."""
    return sum(map(_cost, _PIECES.findall(text)))


def _cost(piece: str) -> int:
    first = piece[0]
    if not first.isascii():
        return (len(piece) + 1) // 2
    if first.isalpha():
        return (len(piece) + 7) // 8
    return (len(piece) + 2) // 3 if first.isdigit() else 1 if first.isspace() else (len(piece) + 1) // 2


_PIECES = re.compile(r'[A-Za-z]+|[0-9]+|[^\W\d_]+|_+|\s*\n\s*|[^\w\s]+')
