"""Determines where a repeated `run_code` call resumes.

A call arrives in one of three ways: with decisions from `resolve`, approved by its id alone, or plainly, as on the
first time and after a crash. In all cases, the store is read first; a call that was meant to resume never starts again.
If it is not certain whether the script began, nothing runs.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic_ai import RunContext, UserError

from toolscript.approvals.decisions import Decisions
from toolscript.approvals.pause_marks import HistoryCall, made_call, pause_mark, pauses_before
from toolscript.routing.placement import RUN_CODE
from toolscript.run_code.history import HistorySnippet, codes_that_ended, snippets_until

from .checkpoints import Checkpoints
from .journal import CallEntry, Entries
from .script_state import ScriptState, script_key
from .snapshots import Snapshots


@dataclass(frozen=True)
class ResumePoint:
    """The state and decisions with which a call resumes."""

    state: ScriptState | None
    """`None` if the call starts from the beginning."""
    decisions: Decisions | None = None
    earlier_attempt: Entries = field(default_factory=dict[str, list[CallEntry]])
    """The journal of an earlier run whose state is lost."""


async def resume_point(record: 'ScriptRecord') -> ResumePoint:
    """Determine where the call resumes.

    Raises:
        UserError: What came with the call does not match what was saved, or it is not certain whether the script began.
    """
    checkpoints, call, decisions = record.checkpoints, record.made, record.decisions
    state, approved = await checkpoints.load(), record.ctx.tool_call_approved
    if state is not None:
        if decisions is None and approved and not Decisions.are_about_code(record.ctx.tool_call_metadata):
            return ResumePoint(state, _approval_by_id(checkpoints, state, call))
        if decisions is not None:
            snapshot = decisions.snapshot
            if snapshot != checkpoints.place and not checkpoints.is_queued(snapshot):
                checkpoints.open(snapshot)
        return ResumePoint(state, decisions)
    begins = decisions is None or checkpoints.is_queued(decisions.snapshot)
    if decisions is not None and not begins and decisions.snapshot != checkpoints.place:
        return ResumePoint(_opened(checkpoints, call, decisions.snapshot), decisions)
    earlier_attempt = await checkpoints.earlier_attempt()
    if earlier_attempt is not None:
        return ResumePoint(None, decisions, earlier_attempt)
    if not begins:
        raise UserError(_lost(checkpoints))
    _check_may_start(checkpoints, call, by_id=approved and decisions is None)
    return ResumePoint(None, decisions)


def _approval_by_id(checkpoints: Checkpoints, state: ScriptState, call: HistoryCall | None) -> Decisions | None:
    """Return what an approval by id decides: only the calls that its history shows as asked, not later ones."""
    if not state.waits or call is None:
        return None
    calls = state.approvals.asked
    # By the clock of the pauses.
    made_at = checkpoints.snapshots.now() - (time.time() - call.response.timestamp.timestamp())
    # Histories rebuilt from a client's messages, whose protocol has no place for the mark, are checked by time.
    forgot = call.mark is None and made_at > state.paused_at
    seen = forgot or call.mark == pause_mark(state.pauses, calls)
    return Decisions.approving(calls, checkpoints.place) if seen else None


def _opened(checkpoints: Checkpoints, call: HistoryCall | None, snapshot: str) -> ScriptState:
    state = checkpoints.open(snapshot)
    if call is not None and state.pauses < pauses_before(call.mark):
        raise UserError(
            f'The decisions for {RUN_CODE} {checkpoints.run_code_id} belong to an earlier pause of its script, not '
            'to the end of this message history, so nothing was run. Decide about the requests that came with this '
            'history.'
        )
    return state


def _check_may_start(checkpoints: Checkpoints, call: HistoryCall | None, *, by_id: bool) -> None:
    if call is not None and call.mark is not None:
        if checkpoints.has_store:
            raise UserError(_lost(checkpoints))
        raise UserError(_without_snapshot(checkpoints, 'approved' if by_id else 'resumed'))
    if by_id and not checkpoints.has_store and not (call is not None and call.is_unchanged):
        raise UserError(_without_snapshot(checkpoints, 'approved'))


def _lost(checkpoints: Checkpoints) -> str:
    return (
        f'The snapshot of {RUN_CODE} {checkpoints.run_code_id} is not in the store (any more), so nothing was run. '
        'Every process needs Snapshots with the same store.'
    )


def _without_snapshot(checkpoints: Checkpoints, decision: str) -> str:
    return (
        f'{RUN_CODE} {checkpoints.run_code_id} was {decision} without the snapshot of its script, so nothing was run. '
        'Build the DeferredToolResults with toolscript.resolve(requests, decisions). If only the id of the call '
        'comes back, as from a chat UI, use Snapshots(store=...).'
    )


@dataclass
class ScriptRecord:
    """Where a script's state is saved, what was decided about it, and what ran before it."""

    code: str
    ctx: RunContext[Any]
    snapshots: Snapshots
    owners: Sequence[str] = ()
    """The owners that the application names for variables, functions and files."""

    @cached_property
    def id(self) -> str:
        return self.ctx.tool_call_id or RUN_CODE

    @cached_property
    def made(self) -> HistoryCall | None:
        return made_call(self.ctx.messages, self.id)

    @property
    def name(self) -> str:
        """The model's name of `run_code`: toolsets around code mode may rename it."""
        return RUN_CODE if self.made is None else self.made.part.tool_name

    @property
    def bound_code(self) -> str:
        """The code that identifies the script: what the model sent, even if it was approved with changes."""
        code = None if self.made is None else self.made.code
        return self.code if code is None else code

    @cached_property
    def decisions(self) -> Decisions | None:
        """The decisions about the script's calls, if it waited."""
        return Decisions.from_metadata(self.ctx.tool_call_metadata) if self.ctx.tool_call_approved else None

    @cached_property
    def earlier(self) -> list[HistorySnippet]:
        """The scripts that the model wrote before it, the oldest first."""
        return snippets_until(self.ctx.messages, self.id, self.name)

    @property
    def sources(self) -> list[str]:
        """The code that ran before, as the model wrote it, and this script's."""
        return [*codes_that_ended(self.ctx.messages, self.name), self.code]

    @cached_property
    def checkpoints(self) -> Checkpoints:
        return self._checkpoints(self.id, self.bound_code, sum(made.id == self.id for made in self.earlier))

    @property
    def checkpoints_before(self) -> Checkpoints | None:
        """Where the state of the previous script is saved."""
        last = self.earlier[-1] if self.earlier else None
        return None if last is None else self._checkpoints(last.id, last.code, last.repeat)

    def _checkpoints(self, run_code_id: str, code: str, repeat: int) -> Checkpoints:
        key = script_key(self.ctx.conversation_id, run_code_id, code, repeat, owners=self.owners)
        return Checkpoints(self.snapshots, run_code_id, key)
