"""A tool as a Python function."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from .calls import Call
from .function_text import Detail, FunctionText, function_text, signature, stub_text
from .parameters import Parameter
from .spec import ToolSpec
from .template import Telling
from .tool_shape import ToolShape, read_tool, type_keys
from .type_names import TypeNames
from .writing import BARE, write

_KEPT = 40_000


@dataclass(frozen=True, eq=False)
class ToolFunction:
    """One tool, as it is called from Python."""

    spec: ToolSpec
    name: str
    """The Python identifier."""

    @cached_property
    def _work(self) -> 'Work':
        return work_of(self.spec, self.name)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in the order shown, which is the order of positional arguments: required ones first."""
        return self._work.parameters

    def arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON arguments object of a Python call.

        Keywords may be Python names or JSON names. An optional parameter that is given `None` though its schema refuses
        `null` is left out: that is how callers say "the default".

        Raises `TypeError` if the call cannot be meant for this function, with a message for whoever wrote the call.
        """
        work = self._work
        return Call(self.name, work.signature, work.shape.parameters, self.spec.variadic).arguments(args, kwargs)

    def render(self, detail: Detail = 'full') -> str:
        """The text for a model, with the types it needs."""
        return self._work.rendered(detail)

    @property
    def signature(self) -> str:
        """The definition on one line, without docstring."""
        return self._work.signature

    @property
    def stub(self) -> str:
        """A `.pyi` module for a type checker: imports, types, one function. What was only observed is `Any`."""
        return self._work.stub

    def text(self, detail: Detail) -> FunctionText:
        """The text with holes for the names of types."""
        return self._work.text(detail)


class Work:
    """What can be computed about a tool under one name, each part at most once."""

    def __init__(self, spec: ToolSpec, name: str) -> None:
        self._spec = spec
        self._name = name
        self._texts: dict[Detail, FunctionText] = {}

    @cached_property
    def shape(self) -> ToolShape:
        return read_tool(self._spec)

    @cached_property
    def _type_names(self) -> dict[str, str]:
        names = TypeNames(reserved={self._name})
        keys = type_keys(self.shape.records, BARE)
        return {at: names.name(keys[at], record.hint, self._name) for at, record in self.shape.records.items()}

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        name_of = self._type_names.__getitem__
        return tuple(replace(one, annotation=write(one.type, name_of)) for one in self.shape.parameters.named)

    @cached_property
    def signature(self) -> str:
        return f'{signature(self._spec, self.shape, self._name, self._type_names)} ...'

    @cached_property
    def stub(self) -> str:
        return stub_text(self._spec, self.shape, self._name, self._type_names)

    def text(self, detail: Detail) -> FunctionText:
        if detail not in self._texts:
            self._texts[detail] = function_text(self._spec, self.shape, self._name, detail)
        return self._texts[detail]

    def rendered(self, detail: Detail) -> str:
        text = self.text(detail)
        names = TypeNames(reserved={self._name})
        chosen = [names.name(hole.key, hole.hint, self._name) for hole in text.types]
        telling = Telling()
        types: dict[str, str] = {}
        for hole in text.types:
            if hole.key not in types:
                types[hole.key] = telling.fill(hole.source, chosen, names.names[hole.key])
        return '\n\n'.join([*types.values(), telling.fill(text.head, chosen, self._name) + text.body])


def work_of(spec: ToolSpec, name: str) -> Work:
    """The work about a tool, shared by all specs with the same content."""
    return _work(_Content(spec), name)


class _Content:
    """A spec that is equal to every spec with the same content."""

    __slots__ = ('spec',)

    def __init__(self, spec: ToolSpec) -> None:
        self.spec = spec

    def __hash__(self) -> int:
        return hash(self.spec.content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Content) and self.spec.content == other.spec.content


@lru_cache(maxsize=_KEPT)
def _work(content: _Content, name: str) -> Work:
    return Work(content.spec, name)
