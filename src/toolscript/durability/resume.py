"""From where a `run_code` call goes on that was called before.

A call comes in one of three ways: with decisions that `resolve` made, approved with nothing but its id, or plainly, as
it does the first time and after a crash. What is kept in the store is looked at first, whichever it is; a call that was
to go on never starts. Where it cannot be told whether the script began, nothing runs.
"""

import time
from dataclasses import dataclass, field

from pydantic_ai import UserError

from toolscript.approvals.decisions import Decisions
from toolscript.approvals.pause_marks import MadeCall, pause_mark, pauses_before
from toolscript.routing.placement import RUN_CODE

from .checkpoints import Archive
from .journal import Journaled, Line
from .paused_script import PausedScript


@dataclass(frozen=True)
class GoingOn:
    """Where a call goes on, and by what decisions."""

    saved: PausedScript | None
    """`None`: at its start."""
    decisions: Decisions | None = None
    """`None`: nobody decided anything."""
    earlier: Journaled = field(default_factory=dict[str, list[Line]])
    """What is known of a life whose state is lost."""


async def going_on(archive: Archive, call: MadeCall | None, *, approved: bool, decisions: Decisions | None) -> GoingOn:
    """Where the call goes on.

    Args:
        archive: Where its state is.
        call: The call as the history has it.
        approved: Whether it was approved, in whichever way.
        decisions: What `resolve` made of that, if it did.

    Raises:
        UserError: What came with the call is not what was handed out, or it cannot be told whether the script began.
    """
    kept = await archive.kept()
    if kept is not None:
        if decisions is None and approved:
            return GoingOn(kept, _approval_by_id(archive, kept, call))
        if decisions is not None and decisions.snapshot != archive.place and not archive.is_turn(decisions.snapshot):
            archive.take_back(decisions.snapshot)
        return GoingOn(kept, decisions)
    begins = decisions is None or archive.is_turn(decisions.snapshot)
    if decisions is not None and not begins and decisions.snapshot != archive.place:
        return GoingOn(_taken_back(archive, call, decisions.snapshot), decisions)
    earlier = await archive.earlier_life()
    if earlier is not None:
        return GoingOn(None, decisions, earlier)
    if not begins:
        raise UserError(_lost(archive))
    _see_that_it_begins(archive, call, by_id=approved and decisions is None)
    return GoingOn(None, decisions)


def _approval_by_id(archive: Archive, kept: PausedScript, call: MadeCall | None) -> Decisions | None:
    """What an approval decides that has only an id: what its history says was asked, and nothing that came later."""
    if not kept.waits or call is None:
        return None
    calls = kept.verdicts.waiting.values()
    # A history made up anew from a client's messages, whose protocol has no place for the mark, is known by its time.
    forgot = call.mark is None and _made_at(archive, call) > kept.paused_at
    seen = forgot or call.mark == pause_mark(kept.pauses, calls)
    return Decisions.approving(calls, archive.place) if seen else None


def _made_at(archive: Archive, call: MadeCall) -> float:
    """When the message was made here, by the clock that pauses are told by."""
    return archive.snapshots.now() - (time.time() - call.response.timestamp.timestamp())


def _taken_back(archive: Archive, call: MadeCall | None, snapshot: str) -> PausedScript:
    script = archive.take_back(snapshot)
    if call is not None and script.pauses < pauses_before(call.mark):
        raise UserError(
            f'The decisions about {RUN_CODE} {archive.run_code_id} are about an earlier pause of its script than the '
            'one that the message history ends with, so nothing was run. Decide about the requests that came with this '
            'history.'
        )
    return script


def _see_that_it_begins(archive: Archive, call: MadeCall | None, *, by_id: bool) -> None:
    if call is not None and call.mark is not None:
        if archive.keeps:
            raise UserError(_lost(archive))
        raise UserError(_without_snapshot(archive, 'approved' if by_id else 'taken up again'))
    if by_id and not archive.keeps and not (call is not None and call.as_it_was):
        raise UserError(_without_snapshot(archive, 'approved'))


def _lost(archive: Archive) -> str:
    return (
        f'The snapshot of {RUN_CODE} {archive.run_code_id} is not in the store (any more), so nothing was run. '
        'Every process needs Snapshots with the same store.'
    )


def _without_snapshot(archive: Archive, deed: str) -> str:
    return (
        f'{RUN_CODE} {archive.run_code_id} was {deed} without the snapshot of its script, so nothing was run. Build '
        'the DeferredToolResults with toolscript.resolve(requests, decisions). Where only the id of the call comes '
        'back, as from a chat UI, use Snapshots(store=...), in which the script is found by it.'
    )
