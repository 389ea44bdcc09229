"""Tool search over an agent's MCP servers, as a capability."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.native_tools import NATIVE_TOOL_TYPES, AbstractNativeTool
from pydantic_ai.tools import AgentDepsT, AgentNativeTool
from pydantic_ai.toolsets import AbstractToolset

from toolscript.discovery.deferral import with_deferred_servers
from toolscript.discovery.native_search import native_search_helps
from toolscript.discovery.search_options import ToolSearchOptions
from toolscript.discovery.truncated_names import TruncatedNames

from .provider_search import ProviderOrOwnSearch


@dataclass
class ProviderSearch(ToolSearch[AgentDepsT]):
    """Declares the provider's own search by the algorithm of our options, for the models that have it."""

    # Upstream adds a search of its own to an agent that has none of this class.

    options: ToolSearchOptions = field(default_factory=ToolSearchOptions, kw_only=True)
    """How to search."""

    def get_native_tools(self) -> Sequence[AgentNativeTool[AgentDepsT]]:
        """The provider's search, for the models that have it."""
        return [self._native_tool]

    def get_wrapper_toolset(self, toolset: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        """The agent's tools as they are: a toolset below offers them to the provider."""
        return toolset

    def _native_tool(self, ctx: RunContext[AgentDepsT]) -> AbstractNativeTool | None:
        if not native_search_helps(self.options, ctx.model, warn=False):
            return None
        algorithm = self.options.algorithm
        settings: dict[str, Any] = {'strategy': algorithm if algorithm in ('bm25', 'regex') else None}
        # Upstream leaves an optional native tool out for a model without it, which then has our search.
        return NATIVE_TOOL_TYPES['tool_search'](**settings, optional=True)


@dataclass
class NativeToolSearch(ProviderSearch[AgentDepsT]):
    """Defers the tools of all MCP servers of an agent, but for those named, and searches them.

    The provider searches where the model can, by the named algorithm if there is one; elsewhere we do.
    """

    eager_tools: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]], kw_only=True)
    """By server id, patterns of the tools that are not deferred, for the names that the server itself uses."""
    id: str | None = field(default='server_tool_search', kw_only=True)
    """An agent has one."""

    def get_wrapper_toolset(self, toolset: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        """The agent's tools, behind the search."""
        return ProviderOrOwnSearch(TruncatedNames(with_deferred_servers(toolset, self.eager_tools)), self.options)
