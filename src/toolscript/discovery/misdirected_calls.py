"""Calls that knock at the wrong door: each gets an answer that the model can act on at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

from pydantic import TypeAdapter, ValidationError
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator

from toolscript.guards import strings
from toolscript.results.tool_errors import arguments_message
from toolscript.routing.placement import RUN_CODE
from toolscript.run_code.functions import CodeFunctions
from toolscript.search import closest_names

from .search_tool import FOREIGN_SEARCH_TOOLS, SearchTool
from .shown_names import ShownNames, shown_names

_QUERY_ARGUMENTS = ('query', 'queries', 'pattern', 'q', 'keywords')
_any_arguments = SchemaValidator(TypeAdapter(dict[str, Any]).core_schema)


@dataclass(frozen=True)
class Doors(Generic[AgentDepsT]):
    """The doors of one step: tools that are only in code, not found yet, or called by another framework's name."""

    toolset: AbstractToolset[AgentDepsT]
    functions: CodeFunctions[AgentDepsT] | None
    search: SearchTool[AgentDepsT] | None
    max_retries: int
    outermost: AbstractToolset[AgentDepsT]
    """All toolsets of the run: some may rename what stands behind a door."""

    def __iter__(self) -> Iterator[str]:
        """The names of real tools that have a door here, in no order."""
        if self.functions is not None:
            yield from self.functions.code_only
        if self.search is not None:
            yield from (name if self._only_in_code(name) else self._names.of(name) for name in self.search.hidden)

    def get(self, name: str) -> ToolsetTool[AgentDepsT] | None:
        """The door of that name; made when somebody knocks, so that ten thousand tools cost nothing until then."""
        own = self._names.own(name)
        answer = self._answer(own) or self._answer(name)
        return None if answer is None else self.door(name, answer)

    def door(self, name: str, answer: Callable[[Mapping[str, Any]], str]) -> ToolsetTool[AgentDepsT]:
        """A tool that gives an answer and does nothing."""

        def refuse(ctx: RunContext[AgentDepsT], /, **arguments: Any) -> None:
            raise ModelRetry(answer(arguments))

        # The refusal is a validation: executing would go through toolsets that do not know this tool.
        return ToolsetTool(
            toolset=self.toolset,
            tool_def=ToolDefinition(name=name),
            max_retries=self.max_retries,
            args_validator=_any_arguments,
            args_validator_func=refuse,
        )

    def way_to(self, name: str) -> str:
        """How the tool of that name is to be called."""
        if self.functions is not None and name in self.functions.code_only:
            return f'{name}, called from code, in {self.functions.shown_name(RUN_CODE)}'
        if self.search is not None and (own := self._names.own(name)) in self.search.hidden:
            return f'{name}, after a call of {self._search_name} with query "select:{own}"'
        return name

    def _answer(self, name: str) -> Callable[[Mapping[str, Any]], str] | None:
        if self.functions is not None and name in self.functions.code_only:
            return partial(_use_code, self.functions, name)
        if self.search is None:
            return None
        if name in self.search.hidden:
            shown = self._names.of(name)
            if shown != name:
                return lambda _arguments: (
                    f'{shown} is not loaded yet. Call {self._search_name} with query "select:{name}" first.'
                )
            return partial(_load, self.search.hidden[name])
        return partial(_use_search, self._search_name) if name in FOREIGN_SEARCH_TOOLS else None

    def _only_in_code(self, name: str) -> bool:
        return self.functions is not None and name in self.functions.code_only

    @property
    def _names(self) -> ShownNames:
        return shown_names(self.outermost, self.toolset)

    @property
    def _search_name(self) -> str:
        if self.search is None:
            return ''
        if self.functions is None:
            return self._names.of(self.search.options.tool_name)
        return self.functions.shown_name(self.search.tool_def.name)


class DoorTable(dict[str, ToolsetTool[Any]]):
    """A step's tools as they are listed, and behind them doors that only a call by name finds.

    What the model is shown comes from iterating; what a call reaches comes from `get`. So a tool that must not be on
    the wire can still answer the model that calls it all the same.
    """

    def __init__(self, listed: Mapping[str, ToolsetTool[Any]], doors: Sequence[Doors[Any]]) -> None:
        super().__init__(listed)
        self.doors = doors

    def get(self, key: str, default: Any = None, /) -> Any:
        """The listed tool, else the door of that name, else one that says which names are close."""
        listed = super().get(key)
        if listed is not None:
            return listed
        door = next((door for doors in self.doors if (door := doors.get(key))), None)
        return door or self._misspelt(key) or default

    def _misspelt(self, name: str) -> ToolsetTool[Any] | None:
        close = closest_names(name, [*self, *(known for doors in self.doors for known in doors)])
        if not close:
            return None
        ways = [self._way_to(known) for known in close]
        return self.doors[0].door(name, lambda _arguments: _did_you_mean(name, ways))

    def _way_to(self, name: str) -> str:
        return next((way for doors in self.doors if (way := doors.way_to(name)) != name), name)


def list_again(ctx: RunContext[AgentDepsT], tools: Mapping[str, ToolsetTool[AgentDepsT]]) -> None:
    """List these tools in this step; the doors that stand open stay open."""
    manager = ctx.tool_manager
    if manager is not None:
        manager.tools = DoorTable(tools, manager.tools.doors) if isinstance(manager.tools, DoorTable) else dict(tools)


def open_doors(
    ctx: RunContext[AgentDepsT],
    toolset: AbstractToolset[AgentDepsT],
    functions: CodeFunctions[AgentDepsT] | None,
    search: SearchTool[AgentDepsT] | None,
    *,
    max_retries: int,
) -> None:
    """Let calls of names that are on no list in this step reach doors that `toolset` keeps."""
    manager = ctx.tool_manager
    if manager is not None and manager.tools is not None:
        doors = Doors(toolset, functions, search, max_retries, manager.toolset)
        standing = manager.tools.doors if isinstance(manager.tools, DoorTable) else ()
        # Those that the toolset opened before in this step knew less.
        standing = [known for known in standing if known.toolset is not toolset]
        # Code mode knows more of a tool inside it than the search that hides it there.
        manager.tools = DoorTable(manager.tools, sorted((*standing, doors), key=lambda known: known.functions is None))


def _use_search(search: str, arguments: Mapping[str, Any]) -> str:
    query = next((text for key in _QUERY_ARGUMENTS if (text := _text(arguments.get(key)))), None)
    return f'To find tools, call {search} with {"a query" if query is None else f"query {query!r}"}.'


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ' '.join(strings(value))


def _load(tool: ToolsetTool[Any], arguments: Mapping[str, Any]) -> str:
    """That the tool is loaded from now on: a deferred tool that was called counts as found."""
    name = tool.tool_def.name
    try:
        tool.args_validator.validate_python(arguments)
    except ValidationError as error:
        return f'{name} was not loaded yet; now it is. {arguments_message(name, error)}'
    return f'{name} was not loaded yet; now it is. Read its description, then call it again.'


def _use_code(functions: CodeFunctions[Any], name: str, arguments: Mapping[str, Any]) -> str:
    function = functions.catalog.of(name)
    names = {parameter.key: parameter.name for parameter in function.parameters}
    given = ', '.join(f'{names.get(key, key)}={value!r}' for key, value in arguments.items())
    wait = '' if function.spec.sequential else 'await '
    run_code = functions.shown_name(RUN_CODE)
    return (
        f'{name} is called from code. Call {run_code} with this code, or use it in a longer script:\n\n'
        f'{wait}{function.name}({given})'
    )


def _did_you_mean(name: str, ways: Sequence[str]) -> str:
    return '\n'.join([f'There is no tool {name}. Did you mean:', *(f'- {way}' for way in ways)])
