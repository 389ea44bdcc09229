"""The clock and the chance of scripts that an engine may replay.

An engine records what the model sent, so what is read off that is the same in each life of a run: when the response
came, and which call it is.
"""

import hashlib
from datetime import UTC

from toolscript.pauses.pause_marks import MadeCall
from toolscript_sandbox import AsOf


def as_of(made: MadeCall | None) -> AsOf | None:
    """The moment at which the model sent the script, and a seed that no other script has.

    Args:
        made: The `run_code` call; `None` where no message holds it, which leaves the script the machine's clock.
    """
    if made is None:
        return None
    came = made.response.timestamp
    moment = came if came.tzinfo is not None else came.replace(tzinfo=UTC)
    identity = repr([made.part.tool_call_id, moment.timestamp(), made.code])
    return AsOf(moment, hashlib.sha256(identity.encode()).digest())
