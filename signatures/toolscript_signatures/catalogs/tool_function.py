"""A tool as a Python function."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toolscript_signatures.schemas.parameters import Parameter
from toolscript_signatures.shapes.pytypes import PyType
from toolscript_signatures.shapes.spec import ToolSpec
from toolscript_signatures.writing.function_text import Detail
from toolscript_signatures.writing.template import Telling
from toolscript_signatures.writing.type_names import TypeNames

from .calls import Calls
from .validation import TooLarge
from .work import Work, render_works, work_of


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
        return self.work.parameters

    def arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON arguments object of a Python call.

        Keywords may be Python names or JSON names. An optional parameter that is given `None` though its schema refuses
        `null` is left out: that is how callers say "the default".

        Raises `TypeError` if the call cannot be meant for this function, with a message for whoever wrote the call.
        """
        return self._calls.arguments(args, kwargs)

    def validate(self, name: str, value: Any) -> str | None:
        """What is wrong with a JSON value for the parameter of that Python name, in words; the empty text for nothing.

        `None` where no type says: the name is no parameter's, or the comparison takes too many steps.
        """
        type_ = self._types.get(name, self.work.shape.parameters.extra)
        if type_ is None or (value is None and name in self._may_be_none):
            return None if type_ is None else ''
        try:
            found = self.work.validation().mismatch(value, type_)
        except TooLarge:
            return None
        if found is None:
            return ''
        return f'at {".".join(map(str, found.path))}: {found.message}' if found.path else found.message

    @cached_property
    def _types(self) -> Mapping[str, PyType]:
        return {one.name: one.type for one in self.work.shape.parameters.named}

    @cached_property
    def _may_be_none(self) -> frozenset[str]:
        """Optional parameters: their `None` says "the default"."""
        return frozenset(one.name for one in self.work.shape.parameters.named if not one.required)

    @cached_property
    def _calls(self) -> Calls:
        return Calls(self.name, self.work.signature, self.work.shape.parameters, self.spec.variadic)

    def render(self, detail: Detail = 'full', *, whole: bool = False) -> str:
        """The text for a model, with the types it needs; within bounds, and naming what is left out, unless `whole`."""
        work = work_of(self.spec, self.name, whole=True) if whole else self.work
        return render_works((work,), detail, TypeNames(reserved={self.name}), Telling())

    @property
    def signature(self) -> str:
        """The definition on one line, without docstring."""
        return self.work.signature

    @property
    def stub(self) -> str:
        """A `.pyi` module for a type checker: imports, types, one function. What was only observed is `Any`."""
        return self.work.stub
