"""Tool search by the provider if the model has one, and by us otherwise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.native_tools import NATIVE_TOOL_TYPES, AbstractNativeTool
from pydantic_ai.tools import AgentDepsT, AgentNativeTool
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from toolscript.routing.placement import listed_as, may_be_called_directly, with_definition

from .deferral import with_deferred_servers
from .native_search import native_search_helps
from .search_options import ToolSearchOptions
from .search_tool import SearchTool
from .searchable_toolset import SearchableToolset
from .truncated_names import TruncatedNames


@dataclass
class ProviderSearch(ToolSearch[AgentDepsT]):
    """Declares the provider's own search, with the algorithm of our options, for the models that have it."""

    # Upstream adds a search of its own to an agent that has none of this class.

    options: ToolSearchOptions = field(default_factory=ToolSearchOptions, kw_only=True)

    def get_native_tools(self) -> Sequence[AgentNativeTool[AgentDepsT]]:
        return [self._native_tool]

    def get_wrapper_toolset(self, toolset: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        """Return the agent's tools as they are: a toolset below offers them to the provider."""
        return toolset

    def _native_tool(self, ctx: RunContext[AgentDepsT]) -> AbstractNativeTool | None:
        if not native_search_helps(self.options, ctx.model, warn=False):
            return None
        algorithm = self.options.algorithm
        settings: dict[str, Any] = {'strategy': algorithm if algorithm in ('bm25', 'regex') else None}
        # Upstream leaves an optional native tool out for a model without it, which then uses our search.
        return NATIVE_TOOL_TYPES['tool_search'](**settings, optional=True)


@dataclass
class NativeToolSearch(ProviderSearch[AgentDepsT]):
    """Defers the tools of all MCP servers of an agent, except the named ones, and searches them.

    The provider searches if the model can, by the named algorithm if there is one. Otherwise toolscript searches.
    """

    eager_tools: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]], kw_only=True)
    """By server id, patterns of the tools that are not deferred, for the server's own names."""
    id: str | None = field(default='server_tool_search', kw_only=True)
    """An agent has only one."""

    def get_wrapper_toolset(self, toolset: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        return ProviderOrOwnSearch(TruncatedNames(with_deferred_servers(toolset, self.eager_tools)), self.options)


_NATIVE = 'tool_search'


@dataclass
class ProviderOrOwnSearch(SearchableToolset[AgentDepsT]):
    """Lists both searches, so that a request uses the one that its model has, even among those of a `FallbackModel`.

    It needs a capability of the agent that declares the provider's native search tool.
    """

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Return the tools of this step, deferred ones for the provider, and our search for models without one."""
        tools = await super().get_tools(ctx)
        listed = tools.get(self.options.tool_name)
        search = None if listed is None else listed_as(listed, SearchTool)
        if search is None or search.toolset is not self or not self._provider_helps(ctx, search.deferred):
            return tools
        return _for_both(tools, search)

    async def _wrapped_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Return the wrapped toolset's tools, one of them not deferred.

        Providers refuse a request in which every tool is deferred, and our search tool is left out if theirs is used.
        """
        tools = await super()._wrapped_tools(ctx)
        none_left = tools and all(tool.tool_def.defer_loading for tool in tools.values())
        if none_left and self._provider_helps(ctx, tools, warn=False):
            first = next(iter(tools))
            return {**tools, first: with_definition(tools[first], defer_loading=False, with_native=None)}
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
    own = with_definition(search, unless_native=_NATIVE)
    waiting = {
        name: with_definition(tool, defer_loading=True, with_native=_NATIVE)
        for name, tool in search.deferred.items()
        if name not in prefetched
    }
    return {**always, search.tool_def.name: own, **waiting}
