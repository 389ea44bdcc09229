"""Deferring whole toolsets: large ones, and MCP servers."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pydantic_ai import RunContext
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset

from toolscript.routing.placement import DEFER_KEY, stays_direct, with_definition

MANY_TOOLS = 30
"""Up to this many tools, listing them all costs less than searching for them."""


def deferred_if_many(tools: Mapping[str, ToolsetTool[AgentDepsT]], *, above: int) -> dict[str, ToolsetTool[AgentDepsT]]:
    """Return the tools, all deferred if there are more than `above`, except those whose own metadata decides it."""
    if sum(not stays_direct(tool.tool_def) for tool in tools.values()) <= above:
        return dict(tools)
    return {
        name: tool if _decides_itself(tool.tool_def) else with_definition(tool, defer_loading=True)
        for name, tool in tools.items()
    }


@dataclass
class DeferredServer(WrapperToolset[AgentDepsT]):
    """A server whose tools are all deferred, except those whose names match a pattern."""

    eager: Sequence[str] = ()
    """Shell patterns (`search_*`), for the names that the server itself uses."""

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        tools = await super().get_tools(ctx)
        return {
            name: tool
            if any(fnmatchcase(name, pattern) for pattern in self.eager)
            else with_definition(tool, defer_loading=True)
            for name, tool in tools.items()
        }


def with_deferred_servers(
    toolset: AbstractToolset[AgentDepsT], eager: Mapping[str, Sequence[str]]
) -> AbstractToolset[AgentDepsT]:
    """Return the toolset with all its MCP servers deferred; `eager` has patterns of other tools, by server id."""

    # The server itself is replaced, below all prefixes, so that patterns see the names that it uses.
    def visit(leaf: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        return DeferredServer(leaf, eager.get(leaf.id or '', ())) if is_server(leaf) else leaf

    return toolset.visit_and_replace(visit)


def is_server(toolset: object) -> bool:
    # The MCP client takes long to import, and until it is imported there is no MCP server.
    mcp = sys.modules.get('pydantic_ai.mcp')
    return mcp is not None and isinstance(toolset, mcp.MCPToolset)


def _decides_itself(tool_def: ToolDefinition) -> bool:
    """Return whether the tool itself decides when it is loaded, or cannot be deferred."""
    metadata = tool_def.metadata or {}
    return (
        tool_def.defer_loading
        or metadata.get(DEFER_KEY) is False
        or bool(metadata.get('pinned'))
        or stays_direct(tool_def)
    )
