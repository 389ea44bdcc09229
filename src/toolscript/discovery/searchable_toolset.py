"""A toolset whose deferred tools stay hidden until a search finds them."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic_ai import RunContext, UserError
from pydantic_ai.messages import InstructionPart
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from toolscript.catalog.function_metadata import with_function_metadata
from toolscript.catalog.tool_specs import yield_if_many
from toolscript.checks import at_least, instance_of, one_of, one_toolset
from toolscript.observability.tracing import report_found, report_search
from toolscript.routing.placement import (
    first_listed,
    listed_among,
    listed_tools,
    may_be_called_directly,
    with_definition,
)

from .deferral import MANY_TOOLS, deferred_if_many
from .discoveries import called_names
from .misdirected_calls import MisdirectedCalls, answer_misdirected
from .native_search import (
    ToolSearchWarning,
    native_search_serves,
    refuse_search_of_provider,
    strategy_of_agent,
    with_strategy_of_agent,
)
from .prefetching import known_tools
from .search_options import DiscoveredToolInfo, ToolSearchOptions
from .search_tool import RunsCode, SearchTool, info_of, search_return, search_tool


@dataclass
class SearchableToolset(WrapperToolset[AgentDepsT]):
    """The wrapped toolset with its `defer_loading=True` tools hidden until found, and a search tool that finds them.

    The toolset has no state: each step reads from the message history what was found, so a history carries its
    discoveries to another agent, model or process. Without deferred tools the wrapped tools pass through unchanged.
    """

    options: ToolSearchOptions = field(default_factory=ToolSearchOptions)
    """How to search."""
    defer: Literal['marked', 'auto'] = field(default='marked', kw_only=True)
    """`'marked'`: only tools with `defer_loading=True` are deferred. `'auto'`: all of them if there are many, except
    tools with `defer_loading=False` (`metadata={'defer_loading': False}` in other toolsets)."""
    defer_above: int = field(default=MANY_TOOLS, kw_only=True)
    """`'auto'` defers tools if there are more than this many."""

    def __post_init__(self) -> None:
        one_toolset('SearchableToolset', self.wrapped)
        instance_of('options', self.options, ToolSearchOptions)
        one_of('defer', self.defer, ('marked', 'auto'))
        at_least('defer_above', self.defer_above, 0)

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Return the visible tools of this step, and the search tool.

        Raises:
            UserError: A tool has the search tool's name, or a wrapped toolset already searches.
        """
        check_run = getattr(self.options.algorithm, 'check_run', None)
        if check_run is not None:
            check_run(ctx)
        tools = await self._wrapped_tools(ctx)
        deferred = {name: tool for name, tool in tools.items() if _is_searchable(tool, ctx)}
        searches = listed_among(tools, SearchTool)
        if deferred or not searches:
            report_search(ctx, deferred=len(deferred), eager=len(tools) - len(deferred), added=bool(deferred))
        if not deferred:
            if searches and self.options != ToolSearchOptions() and ctx.run_step <= 1:
                name = next(iter(searches))
                text = f'The options of this SearchableToolset have no effect: {name!r} searches these tools already.'
                warnings.warn(text, ToolSearchWarning, stacklevel=2)
            return tools
        await yield_if_many(tools)
        tool_defs = {name: tool.tool_def for name, tool in deferred.items()}
        known = await known_tools(ctx.messages, ctx.prompt, tool_defs, self.options)
        if self._left_to_provider(ctx, deferred):
            prefetched = {
                name: with_definition(deferred[name], defer_loading=False)
                for name in known.found
                if name in known.prefetched
            }
            return {**{name: tool for name, tool in tools.items() if name not in prefetched}, **prefetched}
        self._refuse_clashes(tools, searches)
        if not all(may_be_called_directly(tool.tool_def) for tool in deferred.values()):
            refuse_search_of_provider(ctx)
        options = with_strategy_of_agent(self.options, ctx)
        names = dict.fromkeys([*known.found, *called_names(ctx.messages)])
        shown = {name: with_definition(deferred[name], defer_loading=False) for name in names if name in deferred}
        search = search_tool(
            self,
            options,
            deferred=deferred,
            hidden={name: tool for name, tool in deferred.items() if name not in shown},
            max_retries=ctx.max_retries,
            known=known,
        )
        always = {name: tool for name, tool in tools.items() if name not in deferred}
        return {**always, self.options.tool_name: search, **shown}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Search, or call the wrapped tool.

        Raises:
            ModelRetry: The query is blank or invalid.
        """
        if isinstance(tool, SearchTool):
            query, most = tool_args.get('query', ''), max(_MAX_SHOWN, self.options.max_results)
            found = await search(tool, ctx, query, min(tool_args.get('max_results', 0), most))
            deferred = [searched.tool_def for searched in tool.deferred.values()]
            listed = listed_tools(ctx)
            run_code = first_listed(listed, RunsCode)
            names = {*listed, *(() if run_code is None else run_code.names)} - tool.hidden.keys()
            result = search_return(query, found, deferred, names)
            return result if run_code is None else run_code.with_signatures(result, tool, ctx.messages)
        return await super().call_tool(name, tool_args, ctx, tool)

    async def get_instructions(
        self, ctx: RunContext[AgentDepsT]
    ) -> str | InstructionPart | Sequence[str | InstructionPart] | None:
        """Return the wrapped toolset's instructions.

        pydantic-ai calls this after a step's tools are listed and before the model request, when misdirected calls
        can be answered.
        """
        search = self._own_search(ctx)
        if search is not None and ctx.tool_manager is not None:
            _check_reachable(search, ctx)
            calls = MisdirectedCalls(self, search, search.max_retries, ctx.tool_manager.toolset)
            answer_misdirected(ctx, calls)
        return await super().get_instructions(ctx)

    @property
    def tool_name_conflict_hint(self) -> str:
        return 'An agent has one search tool: wrap the toolsets together, SearchableToolset(CombinedToolset([...])).'

    async def _wrapped_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Return the wrapped toolset's tools, each marked if it is deferred."""
        tools = await self.wrapped.get_tools(ctx)
        await yield_if_many(tools)
        tools = with_function_metadata(tools)
        return deferred_if_many(tools, above=self.defer_above) if self.defer == 'auto' else tools

    def _left_to_provider(self, ctx: RunContext[AgentDepsT], deferred: Mapping[str, ToolsetTool[AgentDepsT]]) -> bool:
        """Return whether the provider searches: only if it need not declare a tool that code alone may call."""
        direct = all(may_be_called_directly(tool.tool_def) for tool in deferred.values())
        return direct and native_search_serves(
            with_strategy_of_agent(self.options, ctx),
            ctx.model,
            declared=strategy_of_agent(ctx),
            warn=ctx.run_step <= 1,
        )

    def _own_search(self, ctx: RunContext[AgentDepsT]) -> SearchTool[AgentDepsT] | None:
        """Return the search tool of this step, if this toolset lists one."""
        searches = listed_among(listed_tools(ctx), SearchTool).values()
        return next((search for search in searches if search.owner is self), None)

    def _refuse_clashes(
        self, tools: Mapping[str, ToolsetTool[AgentDepsT]], searches: Mapping[str, SearchTool[AgentDepsT]]
    ) -> None:
        if searches:
            name = next(iter(searches))
            raise UserError(f'{name!r} searches these tools already; wrap them in one SearchableToolset only.')
        if self.options.tool_name in tools:
            raise UserError(
                f'Tool name {self.options.tool_name!r} is taken by the search tool; '
                'rename your tool, or the search tool with ToolSearchOptions(tool_name=...).'
            )


_MAX_NEEDS = 2
_MAX_SHOWN = 100
"""How many tools one call of the model may find: each is shown from then on, so thousands would leave no room."""


async def search(
    tool: SearchTool[AgentDepsT], ctx: RunContext[AgentDepsT], query: str, max_results: int | None
) -> list[DiscoveredToolInfo]:
    """Run one search over the deferred tools of a step. Raises `ModelRetry` if the query is blank or invalid."""
    from toolscript.search.subqueries import needs_of

    from .searching import found_names

    options = tool.options
    # A request for two things shows twice as many tools: half of the usual number would too often miss one of them.
    usual = options.max_results * min(len(needs_of(query)), _MAX_NEEDS)
    limit = max_results if max_results is not None and max_results > 0 else usual
    # A request for more than usual also gets tools of lower ranks.
    only_best = limit <= usual
    tool_defs = [deferred.tool_def for deferred in tool.deferred.values()]
    names = await found_names(ctx, options.algorithm, query, tool_defs, limit, only_best=only_best)
    report_found(ctx, options.algorithm, names)
    return [info_of(tool.deferred[name].tool_def, options) for name in names]


def _check_reachable(search: SearchTool[AgentDepsT], ctx: RunContext[AgentDepsT]) -> None:
    if ctx.run_step > 1 or first_listed(listed_tools(ctx), RunsCode) is not None:
        return
    for name, tool in search.deferred.items():
        if not may_be_called_directly(tool.tool_def):
            raise UserError(
                f"Tool {name!r} has allowed_callers='code', but this agent has no code mode; add a CodeModeToolset or "
                'the CodeMode capability.'
            )


def _is_searchable(tool: ToolsetTool[AgentDepsT], ctx: RunContext[AgentDepsT]) -> bool:
    """Return whether a search may find the tool: it is deferred, and does not wait for its capability instead."""
    owner = ctx.capabilities.get(tool.tool_def.capability_id or '')
    return tool.tool_def.defer_loading and not (owner is not None and owner.defer_loading)
