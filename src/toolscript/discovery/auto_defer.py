"""Deferring a whole toolset because it is large."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import ToolsetTool

from toolscript.routing.placement import stays_direct

MANY_TOOLS = 30
"""Up to so many tools, listing them all costs less than searching for them."""

_KEY = 'defer_loading'


def with_deferral(metadata: dict[str, Any] | None, defer_loading: bool | None) -> dict[str, Any] | None:
    """The metadata of a tool that says `defer_loading=False`, which upstream's definition cannot tell from silence."""
    return {**(metadata or {}), _KEY: False} if defer_loading is False else metadata


def deferred_if_many(tools: Mapping[str, ToolsetTool[AgentDepsT]], *, above: int) -> dict[str, ToolsetTool[AgentDepsT]]:
    """The tools, all deferred if there are more than `above`, but for those that say otherwise of themselves."""
    if sum(not stays_direct(tool.tool_def) for tool in tools.values()) <= above:
        return dict(tools)
    return {name: tool if _says(tool.tool_def) else _deferred(tool) for name, tool in tools.items()}


def _says(tool_def: ToolDefinition) -> bool:
    """Whether the tool itself says when it is loaded, or is one that cannot wait."""
    metadata = tool_def.metadata or {}
    return (
        tool_def.defer_loading or metadata.get(_KEY) is False or bool(metadata.get('pinned')) or stays_direct(tool_def)
    )


def _deferred(tool: ToolsetTool[AgentDepsT]) -> ToolsetTool[AgentDepsT]:
    return replace(tool, tool_def=replace(tool.tool_def, defer_loading=True))
