"""Links that a call passes under a condition: its turn, the limits of the run, a decision, a function that is valid."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import DeferredToolResult, ToolApproved, ToolDenied

from toolscript.approvals.approvals import Approvals
from toolscript.approvals.pending import PendingCall
from toolscript.durability.journal import CallRaised, CallWaits, Finished
from toolscript.results.tool_errors import denied
from toolscript.routing.placement import SAVE_FUNCTION
from toolscript_sandbox import ToolError

from .nested_call import Link, NestedCall, Result, RunningCalls
from .tools import ToolResults

if TYPE_CHECKING:
    from toolscript.sessions.functions_in_run import Saving


@dataclass
class Sequential:
    """Makes one call at a time."""

    next: Link
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, call: NestedCall) -> Result:
        async with self._turn:
            return await self.next(call)


@dataclass
class Limited:
    """Counts running calls against the run's `UsageLimits`, because pydantic-ai counts them only when they end."""

    next: Link
    ctx: RunContext[Any]
    running: RunningCalls

    async def __call__(self, call: NestedCall) -> Result:
        """Return the result. Raises `UsageLimitExceeded` if the run may make no further tool call."""
        calls = self.running.calls
        check_usage(self.ctx, len(calls))
        calls[call.id] = call
        try:
            return await self.next(call)
        finally:
            del calls[call.id]


def check_usage(ctx: RunContext[Any], running: int) -> None:
    """Raise `UsageLimitExceeded` if the run may make no tool call besides those that are `running`."""
    limits, usage = ctx.usage_limits, ctx.usage
    if limits is not None and limits.tool_calls_limit is not None:
        # The script's own call is not counted yet either.
        limits.check_before_tool_call(replace(usage, tool_calls=usage.tool_calls + running + 2))


@dataclass
class Decided:
    """Makes a call that needs an approval or an external result wait until there is a decision or a rule for it."""

    next: Link
    approvals: Approvals
    results: ToolResults[Any]

    async def __call__(self, call: NestedCall) -> Result:
        """Return the result; the call waits if the tool asks for a decision that does not exist yet."""
        decision = self.approvals.decision(call.id)
        if decision is not None:
            return await self._by_decision(call, decision)
        if (waiting := self.approvals.waiting.get(call.id)) is not None:
            if not self._is_covered(call, waiting):
                return Result(CallWaits(waiting), 'decision')
            del self.approvals.waiting[call.id]
            return await self._by_decision(call, ToolApproved())
        result = await self.next(call)
        if not isinstance(result.outcome, CallWaits):
            return result
        if self._is_covered(call, result.outcome.call):
            return await self._by_decision(call, ToolApproved())
        return self._waits(call, result)

    def _is_covered(self, call: NestedCall, waiting: PendingCall) -> bool:
        """Return whether a rule or a grant approves the call, and record its use."""
        if waiting.kind != 'approval' or not self.approvals.allowances:
            return False
        call.use = self.approvals.use_for(call.id, call.part.tool_name, call.part.args_as_dict(), call.call.line)
        self.approvals.count(call.id, call.use)
        return call.use is not None

    async def _by_decision(self, call: NestedCall, decision: DeferredToolResult) -> Result:
        call.decided(decision)
        match decision:
            case ToolApproved():
                call.metadata = self.approvals.results.metadata.get(call.id)
                return self._waits(call, await self.next(call))
            case ToolDenied():
                return Result(CallRaised.of(denied(call.part.tool_name, decision)), 'refusal')
            case ModelRetry() | ToolFailed():
                return self.results.failed(call, decision, 'refusal')
            case _:
                return Result(await self.results.finished(call, decision), 'decision')

    def _waits(self, call: NestedCall, result: Result) -> Result:
        """Return the result, after adding the call to the waiting ones if it waits."""
        if isinstance(result.outcome, CallWaits):
            self.approvals.used(call.id)
            self.approvals.waiting[call.id] = result.outcome.call
        return result


@dataclass
class SavingChecked:
    """The link that checks a function before it is saved: it must be valid on its own."""

    next: Link
    saving: 'Saving'

    async def __call__(self, call: NestedCall) -> Result:
        if call.part.tool_name == SAVE_FUNCTION:
            try:
                await self.saving.check(call.part.args_as_dict())
            except ToolError as error:
                return Result(CallRaised.of(error), 'refusal')
        return await self.next(call)


@dataclass
class SavingRecorded:
    """The link that records which functions the script has saved: from then on it may save others that call them."""

    next: Link
    saving: 'Saving'

    async def __call__(self, call: NestedCall) -> Result:
        result = await self.next(call)
        if call.kind == 'tool' and call.part.tool_name == SAVE_FUNCTION and isinstance(result.outcome, Finished):
            self.saving.saved(call.part.args_as_dict())
        return result
