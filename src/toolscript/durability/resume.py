"""Determines where a repeated `run_code` call resumes.

A call arrives in one of three ways: with decisions from `resolve`, approved by its id alone, or plainly, as on the
first time and after a crash. In all cases, the store is read first; a call that was meant to resume never starts again.
If it is not certain whether the script began, nothing runs.
"""

import time
from dataclasses import dataclass, field

from pydantic_ai import UserError

from toolscript.approvals.decisions import Decisions
from toolscript.approvals.pause_marks import MadeCall, pause_mark, pauses_before
from toolscript.routing.placement import RUN_CODE

from .checkpoints import Checkpoints
from .journal import CallEntry, Entries
from .script_state import ScriptState


@dataclass(frozen=True)
class ResumePoint:
    """The state and decisions with which a call resumes."""

    state: ScriptState | None
    """`None` if the call starts from the beginning."""
    decisions: Decisions | None = None
    """`None` if there are no decisions."""
    earlier_life: Entries = field(default_factory=dict[str, list[CallEntry]])
    """The journal of an earlier run whose state is lost."""


async def resume_point(
    checkpoints: Checkpoints, call: MadeCall | None, *, approved: bool, decisions: Decisions | None
) -> ResumePoint:
    """Determine where the call resumes.

    Args:
        checkpoints: The saved state of the script.
        call: The call in the message history.
        approved: Whether it was approved in any way.
        decisions: The decisions from `resolve`, if any.

    Raises:
        UserError: What came with the call does not match what was saved, or it is not certain whether the script began.
    """
    state = await checkpoints.load()
    if state is not None:
        if decisions is None and approved:
            return ResumePoint(state, _approval_by_id(checkpoints, state, call))
        if decisions is not None:
            snapshot = decisions.snapshot
            if snapshot != checkpoints.place and not checkpoints.is_queued(snapshot):
                checkpoints.open(snapshot)
        return ResumePoint(state, decisions)
    begins = decisions is None or checkpoints.is_queued(decisions.snapshot)
    if decisions is not None and not begins and decisions.snapshot != checkpoints.place:
        return ResumePoint(_opened(checkpoints, call, decisions.snapshot), decisions)
    earlier_life = await checkpoints.earlier_life()
    if earlier_life is not None:
        return ResumePoint(None, decisions, earlier_life)
    if not begins:
        raise UserError(_lost(checkpoints))
    _check_may_start(checkpoints, call, by_id=approved and decisions is None)
    return ResumePoint(None, decisions)


def _approval_by_id(checkpoints: Checkpoints, state: ScriptState, call: MadeCall | None) -> Decisions | None:
    """Return what an approval by id decides: only the calls that its history shows as asked, not later ones."""
    if not state.waits or call is None:
        return None
    calls = state.approvals.asked
    # Histories rebuilt from a client's messages, whose protocol has no place for the mark, are checked by time.
    forgot = call.mark is None and _made_at(checkpoints, call) > state.paused_at
    seen = forgot or call.mark == pause_mark(state.pauses, calls)
    return Decisions.approving(calls, checkpoints.place) if seen else None


def _made_at(checkpoints: Checkpoints, call: MadeCall) -> float:
    """Return when the message was created here, by the clock of the pauses."""
    return checkpoints.snapshots.now() - (time.time() - call.response.timestamp.timestamp())


def _opened(checkpoints: Checkpoints, call: MadeCall | None, snapshot: str) -> ScriptState:
    state = checkpoints.open(snapshot)
    if call is not None and state.pauses < pauses_before(call.mark):
        raise UserError(
            f'The decisions for {RUN_CODE} {checkpoints.run_code_id} belong to an earlier pause of its script, not '
            'to the end of this message history, so nothing was run. Decide about the requests that came with this '
            'history.'
        )
    return state


def _check_may_start(checkpoints: Checkpoints, call: MadeCall | None, *, by_id: bool) -> None:
    if call is not None and call.mark is not None:
        if checkpoints.has_store:
            raise UserError(_lost(checkpoints))
        raise UserError(_without_snapshot(checkpoints, 'approved' if by_id else 'resumed'))
    if by_id and not checkpoints.has_store and not (call is not None and call.as_it_was):
        raise UserError(_without_snapshot(checkpoints, 'approved'))


def _lost(checkpoints: Checkpoints) -> str:
    return (
        f'The snapshot of {RUN_CODE} {checkpoints.run_code_id} is not in the store (any more), so nothing was run. '
        'Every process needs Snapshots with the same store.'
    )


def _without_snapshot(checkpoints: Checkpoints, deed: str) -> str:
    return (
        f'{RUN_CODE} {checkpoints.run_code_id} was {deed} without the snapshot of its script, so nothing was run. '
        'Build the DeferredToolResults with toolscript.resolve(requests, decisions). If only the id of the call '
        'comes back, as from a chat UI, use Snapshots(store=...).'
    )
