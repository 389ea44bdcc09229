"""The tools of one step as the toolset behind their nested calls."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from toolscript.offering.code_functions import CodeFunctions

from .stray_cancellation import told_if_stray


class CodeToolset(AbstractToolset[AgentDepsT]):
    """The tools of one step that code may call, each called by its owner."""

    def __init__(self, functions: CodeFunctions[AgentDepsT], starts: Callable[[str | None], Awaitable[None]]) -> None:
        self._functions = functions
        self._starts = starts

    @property
    def id(self) -> str | None:
        """None: it exists for the length of a snippet."""
        return None

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """The tools, none of them deferred: whoever names one has found it."""
        tools = self._functions.tools
        return {name: _available(code_tool.tool, ctx.max_retries) for name, code_tool in tools.items()}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Call the tool through the toolset that listed it, once whoever keeps the books was told of the call's id.

        This is the last moment before the tool: arguments are validated, and decisions made, however long they took.

        Raises:
            StrayCancellation: The tool was cancelled, and nobody had asked for that.
        """
        await self._starts(ctx.tool_call_id)
        return await told_if_stray(self._functions.tools[name].owner.call_tool(name, tool_args, ctx, tool))


class NamedTools(dict[str, ToolsetTool[Any]]):
    """The tools of a step that calls have named: each is taken in before its first call, however many there are."""

    def __init__(self, functions: CodeFunctions[Any], max_retries: int) -> None:
        super().__init__()
        self._functions = functions
        self._max_retries = max_retries

    def take_in(self, name: str) -> None:
        """Have the tool of that name, which code may call."""
        if name not in self:
            self[name] = _available(self._functions.tools[name].tool, self._max_retries)


def _available(tool: ToolsetTool[AgentDepsT], max_retries: int) -> ToolsetTool[AgentDepsT]:
    """The tool as a script has it: loaded, and tried again as often as the script is."""
    tool_def = replace(tool.tool_def, defer_loading=False) if tool.tool_def.defer_loading else tool.tool_def
    return replace(tool, tool_def=tool_def, max_retries=max_retries)
