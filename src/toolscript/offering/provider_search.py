"""A search by the provider where the model has one, and by us where it has not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic_ai import RunContext
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool

from toolscript.discovery.native_search import native_search_helps
from toolscript.discovery.search_tool import SearchTool
from toolscript.routing.listed import listed_as
from toolscript.routing.placement import may_be_called_directly

from .searchable_toolset import SearchableToolset

_NATIVE = 'tool_search'


@dataclass
class ProviderOrOwnSearch(SearchableToolset[AgentDepsT]):
    """Lists both searches, so that a request takes whichever its model has, also among the models of a `FallbackModel`.

    It needs a capability in the agent that declares the provider's native search tool.
    """

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """The tools on show in this step, deferred ones for the provider, and our search for the models without one.

        Raises:
            UserError: A tool has the search tool's name, or a wrapped toolset searches already.
        """
        tools = await super().get_tools(ctx)
        listed = tools.get(self.options.tool_name)
        search = None if listed is None else listed_as(listed, SearchTool)
        if search is None or search.toolset is not self or not self._provider_helps(ctx, search.deferred):
            return tools
        return _for_both(tools, search)

    async def _wrapped_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """The wrapped toolset's tools, one of them not deferred.

        Providers refuse a request whose every tool is deferred, and our search tool steps aside for theirs.
        """
        tools = await super()._wrapped_tools(ctx)
        none_left = tools and all(tool.tool_def.defer_loading for tool in tools.values())
        if none_left and self._provider_helps(ctx, tools, warn=False):
            first = next(iter(tools))
            return {**tools, first: _with_deferral(tools[first], deferred=False)}
        return tools

    def _left_to_provider(self, ctx: RunContext[AgentDepsT], deferred: Mapping[str, ToolsetTool[AgentDepsT]]) -> bool:
        return False

    def _provider_helps(
        self, ctx: RunContext[AgentDepsT], deferred: Mapping[str, ToolsetTool[AgentDepsT]], *, warn: bool = True
    ) -> bool:
        direct = all(may_be_called_directly(tool.tool_def) for tool in deferred.values())
        return direct and native_search_helps(self.options, ctx.model, warn=warn and ctx.run_step <= 1)


def _for_both(
    tools: Mapping[str, ToolsetTool[AgentDepsT]], search: SearchTool[AgentDepsT]
) -> dict[str, ToolsetTool[AgentDepsT]]:
    prefetched = search.known.prefetched
    always = {name: tool for name, tool in tools.items() if name not in search.deferred or name in prefetched}
    own = replace(search, tool_def=replace(search.tool_def, unless_native=_NATIVE))
    waiting = {
        name: _with_deferral(tool, deferred=True) for name, tool in search.deferred.items() if name not in prefetched
    }
    return {**always, search.tool_def.name: own, **waiting}


def _with_deferral(tool: ToolsetTool[AgentDepsT], *, deferred: bool) -> ToolsetTool[AgentDepsT]:
    tool_def = replace(tool.tool_def, defer_loading=deferred, with_native=_NATIVE if deferred else None)
    return replace(tool, tool_def=tool_def)
