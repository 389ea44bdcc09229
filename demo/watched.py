"""A toolset that reports each call before it runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset


@dataclass
class Watched(WrapperToolset[AgentDepsT]):
    """The wrapped toolset, with a callback."""

    on_call: Callable[[str, dict[str, Any]], None] = field(kw_only=True)
    """Receives the tool name and the arguments."""

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Call `on_call`, then the tool."""
        self.on_call(name, tool_args)
        return await super().call_tool(name, tool_args, ctx, tool)
