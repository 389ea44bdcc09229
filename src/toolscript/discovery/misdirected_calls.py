"""Calls of tools that are not listed in a step: each gets an answer that the model can act on at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic

from pydantic import TypeAdapter, ValidationError
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import (
    AbstractToolset,
    CombinedToolset,
    PrefixedToolset,
    RenamedToolset,
    ToolsetTool,
    WrapperToolset,
)
from pydantic_core import SchemaValidator

from toolscript.guards import strings
from toolscript.results.tool_errors import arguments_message

from .search_tool import FOREIGN_SEARCH_TOOLS, SearchTool

_QUERY_ARGUMENTS = ('query', 'queries', 'pattern', 'q', 'keywords')
_any_arguments = SchemaValidator(TypeAdapter(dict[str, Any]).core_schema)

Answer = Callable[[Mapping[str, Any]], str]
"""Return what the model reads about a call with these arguments."""


_Layer = str | Mapping[str, str]
"""A prefix, or the names that the model sees, mapped to the real ones."""


@dataclass(frozen=True)
class ShownNames:
    """The names by which the model knows a toolset's tools, if toolsets around it rename them.

    A toolset sees only its own names. What is around it is read from the run's toolsets, from the outermost one down.
    If it cannot be found there (inside a toolset that hides its contents), its names are assumed to be the model's.
    """

    layers: tuple[_Layer, ...] = ()
    """The innermost one last."""

    def of(self, name: str) -> str:
        """Return the name that the model sees for a tool of the toolset."""
        for layer in reversed(self.layers):
            if isinstance(layer, str):
                name = f'{layer}_{name}'
            else:
                name = next((shown for shown, own in layer.items() if own == name), name)
        return name

    def own(self, shown: str) -> str:
        """Return the toolset's own name of a tool that the model knows as `shown`."""
        for layer in self.layers:
            shown = shown.removeprefix(f'{layer}_') if isinstance(layer, str) else layer.get(shown, shown)
        return shown


def shown_names(outermost: AbstractToolset[Any], toolset: AbstractToolset[Any]) -> ShownNames:
    """Return the names of a toolset's tools as they are seen outside of `outermost`."""
    return ShownNames(tuple(layer for around in path_to(outermost, toolset) or () for layer in _layer(around)))


def path_to(around: AbstractToolset[Any], toolset: AbstractToolset[Any]) -> list[WrapperToolset[Any]] | None:
    """Return what wraps a toolset, from the outside in; `None` if it is not inside of `around`."""
    if around is toolset:
        return []
    if isinstance(around, CombinedToolset):
        paths = (path_to(inner, toolset) for inner in around.toolsets)
        return next((path for path in paths if path is not None), None)
    if not isinstance(around, WrapperToolset):
        return None
    inside = path_to(around.wrapped, toolset)
    return None if inside is None else [around, *inside]


def _layer(around: WrapperToolset[Any]) -> tuple[_Layer, ...]:
    if isinstance(around, PrefixedToolset):
        return (around.prefix,)
    return (around.name_map,) if isinstance(around, RenamedToolset) else ()


@dataclass(frozen=True)
class MisdirectedCalls(Generic[AgentDepsT]):
    """Answers to calls of tools that a search has not found yet, or of another framework's search tool."""

    toolset: AbstractToolset[AgentDepsT]
    search: SearchTool[AgentDepsT] | None
    max_retries: int
    outermost: AbstractToolset[AgentDepsT]
    """All toolsets of the run, some of which may rename the tools."""

    order: ClassVar[int] = 1
    """Those with a lower order are asked first."""

    def __iter__(self) -> Iterator[str]:
        if self.search is not None:
            yield from map(self.names.of, self.search.hidden)

    def get(self, name: str) -> ToolsetTool[AgentDepsT] | None:
        """Return the tool that answers calls of that name; created on demand, so thousands of tools cost nothing."""
        answer = self.answer(self.names.own(name)) or self.answer(name)
        return None if answer is None else self.answering(name, answer)

    def answering(self, name: str, answer: Answer) -> ToolsetTool[AgentDepsT]:
        """Return a tool that gives an answer and does nothing."""

        def refuse(ctx: RunContext[AgentDepsT], /, **arguments: Any) -> None:
            raise ModelRetry(answer(arguments))

        # The refusal is a validation error, because execution would go through toolsets that do not know this tool.
        return ToolsetTool(
            toolset=self.toolset,
            tool_def=ToolDefinition(name=name),
            max_retries=self.max_retries,
            args_validator=_any_arguments,
            args_validator_func=refuse,
        )

    def way_to(self, name: str) -> str:
        own = self.names.own(name)
        if self.search is not None and own in self.search.hidden:
            return f'{name}, after a call of {self.search_name} with query "select:{own}"'
        return name

    def answer(self, name: str) -> Answer | None:
        """Return the answer to calls of that name; `None` if there is none."""
        if self.search is None:
            return None
        if name in self.search.hidden:
            shown = self.names.of(name)
            if shown != name:
                return lambda _arguments: (
                    f'{shown} is not loaded yet. Call {self.search_name} with query "select:{name}" first.'
                )
            return partial(_load, self.search.hidden[name])
        return partial(_use_search, self.search_name) if name in FOREIGN_SEARCH_TOOLS else None

    @property
    def names(self) -> ShownNames:
        """The names by which the model knows the toolset's tools."""
        return shown_names(self.outermost, self.toolset)

    @property
    def search_name(self) -> str:
        """The name by which the model knows the search tool."""
        return '' if self.search is None else self.names.of(self.search.options.tool_name)


class AnsweringTools(dict[str, ToolsetTool[Any]]):
    """A step's tools as they are listed, and tools that only a call by name finds.

    Iteration returns what the model is shown, and `get` what a call reaches. So a tool that must not be on the wire can
    still answer a model that calls it.
    """

    def __init__(self, listed: Mapping[str, ToolsetTool[Any]], misdirected: Sequence[MisdirectedCalls[Any]]) -> None:
        super().__init__(listed)
        self.misdirected = misdirected
        self._answers = dict[str, ToolsetTool[Any] | None]()
        """By names that no tool has: a call looks its name up several times, which takes long with many tools."""

    def get(self, key: str, default: Any = None, /) -> Any:
        """Return the listed tool, else the one that answers calls of that name, else one that names similar ones."""
        listed = super().get(key)
        if listed is not None:
            return listed
        found = next((tool for calls in self.misdirected if (tool := calls.get(key))), None)
        if found is None and key not in self._answers:
            self._answers[key] = self._misspelt(key)
        return found or self._answers[key] or default

    def _misspelt(self, name: str) -> ToolsetTool[Any] | None:
        from toolscript.search import closest_names

        close = closest_names(name, [*self, *(known for calls in self.misdirected for known in calls)])
        if not close:
            return None
        ways = [
            next((way for calls in self.misdirected if (way := calls.way_to(known)) != known), known) for known in close
        ]
        text = '\n'.join([f'There is no tool {name}. Did you mean:', *(f'- {way}' for way in ways)])
        return self.misdirected[0].answering(name, lambda _arguments: text)


def list_again(ctx: RunContext[AgentDepsT], tools: Mapping[str, ToolsetTool[AgentDepsT]]) -> None:
    """List these tools in this step; misdirected calls are answered as before."""
    manager = ctx.tool_manager
    if manager is not None:
        before = manager.tools
        manager.tools = AnsweringTools(tools, before.misdirected) if isinstance(before, AnsweringTools) else dict(tools)


def answer_misdirected(ctx: RunContext[AgentDepsT], calls: MisdirectedCalls[AgentDepsT] | None) -> None:
    manager = ctx.tool_manager
    if calls is not None and manager is not None and manager.tools is not None:
        before = manager.tools.misdirected if isinstance(manager.tools, AnsweringTools) else ()
        # The earlier answers of this toolset in the step are outdated.
        others = [known for known in before if known.toolset is not calls.toolset]
        # Code mode knows more about a tool inside it than the search that hides it there.
        manager.tools = AnsweringTools(manager.tools, sorted((*others, calls), key=lambda known: known.order))


def _use_search(search: str, arguments: Mapping[str, Any]) -> str:
    query = next((text for key in _QUERY_ARGUMENTS if (text := _text(arguments.get(key)))), None)
    return f'To find tools, call {search} with {"a query" if query is None else f"query {query!r}"}.'


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ' '.join(strings(value))


def _load(tool: ToolsetTool[Any], arguments: Mapping[str, Any]) -> str:
    """Return the news that the tool is loaded from now on: a deferred tool that was called counts as found."""
    name = tool.tool_def.name
    try:
        tool.args_validator.validate_python(arguments)
    except ValidationError as error:
        return f'{name} was not loaded yet; now it is. {arguments_message(name, error)}'
    return f'{name} was not loaded yet; now it is. Read its description, then call it again.'
