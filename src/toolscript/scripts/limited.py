"""Links that hold calls back: one at a time if the run wants that, and no more than the run may make."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai import RunContext

from .nested_call import Link, NestedCall, Result, RunningCalls


@dataclass
class InTurn:
    """Makes one call at a time."""

    next: Link
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, call: NestedCall) -> Result:
        async with self._turn:
            return await self.next(call)


@dataclass
class Limited:
    """Counts running calls against the run's `UsageLimits`, because upstream counts them only when they end."""

    next: Link
    ctx: RunContext[Any]
    running: RunningCalls

    async def __call__(self, call: NestedCall) -> Result:
        """Returns the result. Raises `UsageLimitExceeded` if the run may make no further tool call."""
        limits, usage, calls = self.ctx.usage_limits, self.ctx.usage, self.running.calls
        if limits is not None and limits.tool_calls_limit is not None:
            # The script's own call is not counted yet either.
            limits.check_before_tool_call(replace(usage, tool_calls=usage.tool_calls + len(calls) + 2))
        calls[call.id] = call
        try:
            return await self.next(call)
        finally:
            del calls[call.id]
