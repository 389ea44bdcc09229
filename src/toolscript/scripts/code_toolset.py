"""The tools of one step as the toolset behind their nested calls."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, CombinedCapability
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from toolscript.run_code.functions import CodeFunctions

T = TypeVar('T')


class StrayCancellation(RuntimeError):
    """A tool was cancelled from within: by a task that it had cancelled itself, or by a client that died under it."""


async def told_if_stray(work: Awaitable[T]) -> T:
    """The work's result; where it ends with a cancellation that nobody asked for, it fails as any other work does.

    Raises:
        StrayCancellation: The work was cancelled, but not the task that waits for it: passed on, that would end the run
            as if its owner had wanted it, without a word.
        CancelledError: The task itself is being cancelled.
    """
    try:
        return await work
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise StrayCancellation(_STRAY) from error


_STRAY = """\
The tool raised CancelledError, though nobody cancelled the call or the run. \
Catch it in the tool, where it awaits what was cancelled."""


_MOMENTS = ('before_', 'after_', 'wrap_', 'on_', 'handle_')
HOOKS = frozenset(name for name in dir(AbstractCapability) if 'tool' in name and name.startswith(_MOMENTS))
"""The methods with which a capability takes part in a call of a tool, whichever the installed pydantic-ai has."""


def with_tool_hooks(root: AbstractCapability[AgentDepsT] | None) -> AbstractCapability[AgentDepsT] | None:
    """The capabilities, for whoever calls tools; `None` where none of them takes part in that."""
    if type(root) is not CombinedCapability:
        return root
    parts = list[AbstractCapability[AgentDepsT]]()
    root.apply(parts.append)
    return root if any(map(_takes_part, parts)) else None


def _takes_part(capability: AbstractCapability[AgentDepsT]) -> bool:
    # A hook may be set on the object, too.
    return _have_hooks(type(capability)) or not HOOKS.isdisjoint(getattr(capability, '__dict__', ()))


@lru_cache(maxsize=256)
def _have_hooks(kind: type[AbstractCapability[Any]]) -> bool:
    return any(getattr(kind, name) is not getattr(AbstractCapability, name) for name in HOOKS)


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
