"""The tools of one step of a run, arranged for code mode."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic

from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.discovery.search_options import ToolSearchOptions
from toolscript.discovery.search_tool import SearchTool, search_tool
from toolscript.routing.callers import AllowedCallers
from toolscript.routing.placement import Placement, place

from .code_functions import CodeFunctions, CodeTool


@dataclass(frozen=True)
class Step(Generic[AgentDepsT]):
    """What the model is offered in one step."""

    direct: Mapping[str, ToolsetTool[AgentDepsT]]
    """The tools beside `run_code`, the search tool among them."""
    functions: CodeFunctions[AgentDepsT]
    """All that code may call: on show, and still to be found."""
    always: tuple[str, ...]
    """Names of the code tools that were never hidden."""
    found: tuple[str, ...]
    """Names of the code tools that were hidden and have been found, in the order found."""
    told: dict[str, None] = field(default_factory=dict[str, None])
    """Names of the functions whose signatures answers of this very step tell: no history has these answers yet."""


def arrange(
    tools: Mapping[str, ToolsetTool[AgentDepsT]],
    *,
    owner: AbstractToolset[AgentDepsT],
    default_callers: AllowedCallers,
    search: SearchTool[AgentDepsT] | None,
    found: Collection[str],
) -> Step[AgentDepsT]:
    """Sort the tools that `owner` lists into a step.

    Args:
        tools: As listed.
        owner: Who calls them.
        default_callers: Who may call the tools that say nothing.
        search: The search tool among them.
        found: Names of the deferred tools that have been found, in the order found.

    Raises:
        UserError: A tool is called `run_code`, or says an unknown caller.
    """
    listed = place(tools, default_callers, searches=frozenset({search.tool_def.name} if search else ()))
    unlisted = place(search.hidden, default_callers) if search else Placement[AgentDepsT]({}, {})
    waiting = {name: tool for name, tool in listed.code.items() if tool.tool_def.defer_loading and name not in found}
    always, revealed = _on_show(listed, unlisted, search, found)
    code_tools = {name: CodeTool(tool, owner) for name, tool in listed.code.items()}
    if search is not None:
        code_tools |= {name: CodeTool(tool, search.toolset) for name, tool in unlisted.code.items()}
    functions = CodeFunctions(
        catalog=CodeCatalog({name: code_tool.tool.tool_def for name, code_tool in code_tools.items()}),
        tools=code_tools,
        direct_only=frozenset(listed.direct) - frozenset(code_tools),
        code_only=frozenset(code_tools) - frozenset(listed.direct) - frozenset(unlisted.direct),
        search=_search_in_code(owner, search, waiting),
    )
    return Step(direct=listed.direct, functions=functions, always=always, found=revealed)


def with_searchable(step: Step[AgentDepsT], names: Collection[str]) -> Step[AgentDepsT]:
    """The step where scripts can search these tools too: ones on offer for which the catalog had no room."""
    functions = step.functions
    crowded_out = {name: functions.tools[name].tool for name in names}
    search = functions.search
    if search is None:
        search = search_tool(
            functions.tools[next(iter(names))].owner, ToolSearchOptions(), deferred={}, hidden={}, max_retries=0
        )
    search = replace(search, deferred={**search.deferred, **crowded_out})
    return replace(step, functions=replace(functions, search=search, crowded_out=frozenset(names)))


def _on_show(
    listed: Placement[AgentDepsT],
    unlisted: Placement[AgentDepsT],
    search: SearchTool[AgentDepsT] | None,
    found: Collection[str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The code tools on show: those that were never deferred, and those that were found."""
    deferred = {name for name, tool in listed.code.items() if tool.tool_def.defer_loading}
    deferred |= set(search.deferred if search is not None else ())
    always = tuple([name for name in listed.code if name not in deferred])
    known = {**listed.code, **unlisted.code}
    return always, tuple([name for name in found if name in known and name in deferred])


def _search_in_code(
    owner: AbstractToolset[AgentDepsT],
    listed: SearchTool[AgentDepsT] | None,
    waiting: Mapping[str, ToolsetTool[AgentDepsT]],
) -> SearchTool[AgentDepsT] | None:
    """What scripts search: what the listed search tool covers, and the deferred tools that it does not."""
    if listed is not None:
        return replace(listed, deferred={**listed.deferred, **waiting}) if waiting else listed
    return search_tool(owner, ToolSearchOptions(), deferred=waiting, hidden=waiting, max_retries=0) if waiting else None
