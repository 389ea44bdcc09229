"""The clock and the chance of scripts that an engine may replay.

An engine records what the model sent, so what is read off that is the same in each life of a run: when the response
came, and which call it is.
"""

import hashlib
from datetime import UTC

from pydantic_ai import UserError

from toolscript.approvals.pause_marks import MadeCall
from toolscript_sandbox import FrozenClock

from .run_state import RunState


def frozen_clock(made: MadeCall | None) -> FrozenClock | None:
    """The moment at which the model sent the script, and a seed that no other script has.

    Args:
        made: The `run_code` call; `None` where no message holds it, which leaves the script the machine's clock.
    """
    if made is None:
        return None
    came = made.response.timestamp
    moment = came if came.tzinfo is not None else came.replace(tzinfo=UTC)
    identity = repr([made.part.tool_call_id, moment.timestamp(), made.code])
    return FrozenClock(moment, hashlib.sha256(identity.encode()).digest())


_BECAUSE = (
    'cannot be used in a run with ordered events, as an engine for durable execution asks for: a replay would find'
)


def refuse_what_is_not_replayed(run: RunState) -> None:
    """Refuse what a replay would find as it is at a later moment.

    Raises:
        UserError: The run has variables of earlier runs, functions from a store, or files.
    """
    if run.lasting is not None:
        raise UserError(
            f'Sessions(...) {_BECAUSE} the variables of a later moment, and take another way. Leave sessions away '
            'there, and let scripts read again what they need.'
        )
    if run.kept is not None and run.kept.saved_functions.store is not None:
        raise UserError(
            f'SavedFunctions(store) {_BECAUSE} the functions of a later moment. SavedFunctions(folder=...) can: '
            'they come with the program.'
        )
    if run.host_files is not None:
        raise UserError(
            f'Files(...) {_BECAUSE} files of a later moment, and write again what was written. Leave files away '
            'there, and give scripts tools that read and write, which the engine keeps from running twice.'
        )
