"""Runs one call by what was decided about it."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Generic

import pydantic_core
from pydantic_ai import ModelRetry
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.tools import AgentDepsT, DeferredToolResult, ToolApproved, ToolDefinition, ToolDenied

from toolscript.approvals.approvals import Verdicts
from toolscript.approvals.pending import PendingCall, PendingKind
from toolscript.observability.script_calls import Decision
from toolscript.results.tool_errors import denied
from toolscript.routing.effects import destructive_of, read_only_of
from toolscript.routing.rules import server_of

from .speculation import EarlyCall


class StillWaits(Exception):
    """The call needs a decision or a result that nobody has given yet."""

    def __init__(self, pending: PendingCall) -> None:
        super().__init__(pending.tool_call_id)
        self.pending = pending


@dataclass
class ToolRunner(Generic[AgentDepsT]):
    """The agent's tools, behind the decisions about their calls."""

    manager: ToolManager[AgentDepsT]
    verdicts: Verdicts
    script_id: str
    filled: Callable[[ToolCallPart], Awaitable[ToolCallPart]] | None = None
    """Puts files into a call, where scripts may give their paths."""
    handed: set[str] = field(default_factory=set[str])
    """Ids of the calls that pydantic-ai was handed: the others it knows nothing of."""
    decided: dict[str, tuple[Decision, dict[str, Any] | None]] = field(
        default_factory=dict[str, tuple[Decision, dict[str, Any] | None]]
    )
    """What was decided about calls, by their ids, with the arguments that were given instead of theirs."""

    def decision(self, part: ToolCallPart) -> DeferredToolResult | None:
        """What was decided about the call; `None` if nobody was asked.

        Raises:
            StillWaits: Somebody was asked and has not answered.
            UserError: The decision is about another call.
        """
        decision = self.verdicts.decision(part)
        if decision is None and (waiting := self.verdicts.waiting.get(part.tool_call_id)):
            raise StillWaits(waiting)
        return decision

    async def run(self, part: ToolCallPart, decision: DeferredToolResult | None, early: EarlyCall | None = None) -> Any:
        """The tool's result, frozen if the call had started early, or what somebody gave in its place.

        Raises:
            StillWaits: It needs an approval or a result from outside.
            ToolError: It was denied.
            Exception: Whatever the tool raises.
        """
        try:
            return await self._by_decision(part, decision, early)
        except ApprovalRequired as wanted:
            raise self._waits(part, 'approval', wanted.metadata) from wanted
        except CallDeferred as wanted:
            raise self._waits(part, _kind_of(wanted), wanted.metadata) from wanted

    async def _by_decision(
        self, part: ToolCallPart, decision: DeferredToolResult | None, early: EarlyCall | None
    ) -> Any:
        match decision:
            case None:
                return await self._unasked(part, early)
            case ToolApproved():
                return await self._approved(part, decision)
            case ToolDenied():
                self.decided[part.tool_call_id] = 'denied', None
                raise denied(part.tool_name, decision)
            case ModelRetry() | ToolFailed():
                self.decided[part.tool_call_id] = 'answered', None
                raise decision
            case _:
                self.decided[part.tool_call_id] = 'answered', None
                return decision

    async def _unasked(self, part: ToolCallPart, early: EarlyCall | None) -> Any:
        if early is not None:
            # Whoever is to be asked about a call is asked by the script's own.
            with suppress(ApprovalRequired, CallDeferred):
                return await early.result()
        self.handed.add(part.tool_call_id)
        try:
            return _undenied(
                part, await self.manager.handle_call(await self._with_files(part), wrap_validation_errors=False)
            )
        except ApprovalRequired:
            if not self.verdicts.approves(part.tool_name):
                raise
        return await self._approved(part, ToolApproved())

    async def _approved(self, part: ToolCallPart, approval: ToolApproved) -> Any:
        changed = None if approval.override_args == part.args_as_dict() else approval.override_args
        self.decided[part.tool_call_id] = ('approved' if changed is None else 'changed', changed)
        args = part.args if approval.override_args is None else approval.override_args
        metadata = self.verdicts.metadata(part.tool_call_id)
        self.handed.add(part.tool_call_id)
        result = await self.manager.handle_call(
            await self._with_files(replace(part, args=args)),
            approved=True,
            metadata=metadata,
            wrap_validation_errors=False,
        )
        return _undenied(part, result)

    async def _with_files(self, part: ToolCallPart) -> ToolCallPart:
        return part if self.filled is None else await self.filled(part)

    def _waits(self, part: ToolCallPart, kind: PendingKind, metadata: dict[str, Any] | None) -> StillWaits:
        pending = self._pending(part, kind, metadata)
        self.verdicts.used(part.tool_call_id)
        self.verdicts.waiting[part.tool_call_id] = pending
        return StillWaits(pending)

    def _pending(self, part: ToolCallPart, kind: PendingKind, metadata: dict[str, Any] | None) -> PendingCall:
        tool_def = self.manager.get_tool_def(part.tool_name) or ToolDefinition(name=part.tool_name)
        return PendingCall(
            tool_call_id=part.tool_call_id,
            tool_name=part.tool_name,
            args=part.args_as_dict(),
            kind=kind,
            server=server_of(tool_def),
            read_only=read_only_of(tool_def),
            destructive=destructive_of(tool_def),
            metadata=_plain(metadata),
            script_id=self.script_id,
        )


def _kind_of(wanted: CallDeferred) -> PendingKind:
    # Older pydantic-ai knows no kinds.
    return 'question' if getattr(wanted, 'kind', None) == 'question' else 'external'


def _plain(metadata: dict[str, Any] | None) -> dict[str, Any] | None:
    # As it will come back from stores and requests: what was shown is compared with what waits.
    return None if metadata is None else pydantic_core.to_jsonable_python(metadata, fallback=str)


def _undenied(part: ToolCallPart, result: Any) -> Any:
    # An inline handler's denial comes back as a value.
    if isinstance(result, ToolDenied):
        raise denied(part.tool_name, result)
    return result
