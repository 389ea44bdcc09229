"""Tools of an agent's other toolsets that are for code, and direct calls of tools that only code may call."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from pydantic_ai import RunContext
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import ToolsetTool

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.catalog.function_metadata import is_saved_function
from toolscript.discovery.misdirected_calls import Answer, MisdirectedCalls, ShownNames, list_again
from toolscript.discovery.search_tool import SearchTool
from toolscript.routing.placement import (
    RUN_CODE,
    callers_of,
    first_listed,
    listed_among,
    listed_as,
    listed_tools,
    stays_direct,
)

from .functions import CodeFunctions, CodeTool
from .tool import RunCodeTool, Step


def joined(step: Step[AgentDepsT], manager: ToolManager[AgentDepsT], names: ShownNames) -> Step[AgentDepsT]:
    """Return the step with the tools that other toolsets list or hide for code, and the names of all others.

    Only tools that set `allowed_callers='code'` or `'both'` themselves: the other tools of a toolset next to code mode
    are meant to stay there.
    """
    listed = {name: tool for name, tool in (manager.tools or {}).items() if tool.tool_def.kind != 'output'}
    search = first_listed(listed, SearchTool) or step.functions.search
    renamed = _renamed(step.functions, listed, names)
    taken = set(renamed.values())
    on_show = {
        name: tool
        for name, tool in listed.items()
        if _is_for_code(tool.tool_def) and name not in taken and not _is_own(name, step.functions)
    }
    hidden = _hidden_for_code(search, step.functions)
    functions = _with_tools(step.functions, manager, on_show, hidden, search)
    direct_only = functions.direct_only | {name for name in listed if name not in functions.tools}
    return replace(
        step,
        direct={**step.direct, **{name: tool for name, tool in on_show.items() if name not in functions.code_only}},
        functions=replace(functions, direct_only=direct_only, shown=renamed),
        always=(*step.always, *(name for name in on_show if search is None or name not in search.deferred)),
        found=(*step.found, *(name for name in on_show if search is not None and name in search.deferred)),
    )


def offered_again(run_code: RunCodeTool[AgentDepsT], step: Step[AgentDepsT]) -> RunCodeTool[AgentDepsT]:
    """Return `run_code` for another step; what others changed in its description stays."""
    now = run_code.for_step(step)
    return replace(now, tool_def=with_new_description(run_code.tool_def, run_code, now))


def relist(ctx: RunContext[AgentDepsT], run_code: RunCodeTool[AgentDepsT]) -> None:
    """List `run_code` in this step as it is now, without the tools that only its code may call."""
    tools = listed_tools(ctx)
    code_only = run_code.functions.code_only
    # An output tool is not the function of that name in code.
    left = {name: tool for name, tool in tools.items() if name not in code_only or tool.tool_def.kind == 'output'}
    list_again(ctx, {name: _replaced(tool, run_code) for name, tool in left.items()})


def _renamed(
    functions: CodeFunctions[AgentDepsT], listed: Mapping[str, ToolsetTool[AgentDepsT]], names: ShownNames
) -> Mapping[str, str]:
    renamed = dict[str, str]()
    if names.layers:
        deferred = () if functions.search is None else functions.search.deferred
        own = (RUN_CODE, *functions.tools, *functions.direct_only, *deferred)
        # If the model's name of a tool is listed, a listed tool with its own name belongs to another toolset.
        unlisted = (name for name in own if name not in listed or names.of(name) in listed)
        renamed = {name: shown for name in unlisted if (shown := names.of(name)) != name}
    searches = listed_among(listed, SearchTool)
    return renamed | {one.tool_def.name: name for name, one in searches.items() if name != one.tool_def.name}


def _is_own(name: str, functions: CodeFunctions[AgentDepsT]) -> bool:
    """Return whether code mode has a tool of that name, which takes precedence over a saved function."""
    own = functions.tools.get(name)
    return own is not None and not is_saved_function(own.tool.tool_def)


def _is_for_code(tool_def: ToolDefinition) -> bool:
    return callers_of(tool_def) in ('code', 'both') and not stays_direct(tool_def)


def _hidden_for_code(
    search: SearchTool[AgentDepsT] | None, functions: CodeFunctions[AgentDepsT]
) -> Mapping[str, CodeTool[AgentDepsT]]:
    """Return deferred tools that nothing has found yet; a script that names one exactly has found it."""
    if search is None or (functions.search is not None and search.hidden is functions.search.hidden):
        return {}
    return {
        name: CodeTool(tool, search.toolset)
        for name, tool in search.hidden.items()
        if name not in functions.tools and _is_for_code(tool.tool_def)
    }


def _with_tools(
    functions: CodeFunctions[AgentDepsT],
    manager: ToolManager[AgentDepsT],
    on_show: Mapping[str, ToolsetTool[AgentDepsT]],
    hidden: Mapping[str, CodeTool[AgentDepsT]],
    search: SearchTool[AgentDepsT] | None,
) -> CodeFunctions[AgentDepsT]:
    added = {name: CodeTool(tool, manager.toolset) for name, tool in on_show.items()} | dict(hidden)
    if not added:
        return functions
    tools = {**functions.tools, **added}
    tool_defs = {name: code_tool.tool.tool_def for name, code_tool in tools.items()}
    code_only = {name for name, code_tool in added.items() if callers_of(code_tool.tool.tool_def) == 'code'}
    return replace(
        functions, catalog=CodeCatalog(tool_defs), tools=tools, code_only=functions.code_only | code_only, search=search
    )


def _replaced(tool: ToolsetTool[AgentDepsT], run_code: RunCodeTool[AgentDepsT]) -> ToolsetTool[AgentDepsT]:
    """Return a listed tool in which `run_code` is replaced, at whatever depth it is listed."""
    if isinstance(tool, RunCodeTool):
        return run_code
    listed = listed_as(tool, RunCodeTool)
    if listed is None:
        return tool
    source: ToolsetTool[AgentDepsT] = getattr(tool, 'source_tool')  # noqa: B009
    tool_def = with_new_description(tool.tool_def, listed, run_code)
    changes: dict[str, Any] = {'tool_def': tool_def, 'source_tool': _replaced(source, run_code)}
    return replace(tool, **changes)


def with_new_description(
    shown: ToolDefinition, before: RunCodeTool[AgentDepsT], now: RunCodeTool[AgentDepsT]
) -> ToolDefinition:
    """Return what is shown of `before` with the description of `now`, and with all that others changed in it."""
    if now.own_description == before.own_description:
        return shown
    description = (shown.description or '').replace(before.own_description, now.own_description)
    return replace(shown, description=description)


@dataclass(frozen=True)
class MisdirectedCodeCalls(MisdirectedCalls[AgentDepsT]):
    """Answers to calls of tools that only code may call, and of tools that a search has not found yet."""

    functions: CodeFunctions[AgentDepsT]

    order: ClassVar[int] = 0

    def __iter__(self) -> Iterator[str]:
        code_only = self.functions.code_only
        yield from code_only
        if self.search is not None:
            yield from (name if name in code_only else self.names.of(name) for name in self.search.hidden)

    def way_to(self, name: str) -> str:
        if name in self.functions.code_only:
            return f'{name}, called from code, in {self.functions.shown_name(RUN_CODE)}'
        return super().way_to(name)

    def answer(self, name: str) -> Answer | None:
        return partial(_use_code, self.functions, name) if name in self.functions.code_only else super().answer(name)

    @property
    def search_name(self) -> str:
        return '' if self.search is None else self.functions.shown_name(self.search.tool_def.name)


def misdirected_code_calls(
    ctx: RunContext[AgentDepsT], run_code: RunCodeTool[AgentDepsT]
) -> MisdirectedCalls[AgentDepsT] | None:
    """Return the answers that code mode gives in a step; `None` outside of a run."""
    if ctx.tool_manager is None:
        return None
    functions = run_code.functions
    outermost = ctx.tool_manager.toolset
    return MisdirectedCodeCalls(run_code.owner, functions.search, run_code.max_retries, outermost, functions)


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
