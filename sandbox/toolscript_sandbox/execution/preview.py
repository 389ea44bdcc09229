"""Runs a copy of a suspended script, with calls answered one at a time, to see what it would do."""

from collections.abc import Awaitable, Callable, Set
from dataclasses import replace
from typing import TypeAlias

from toolscript_sandbox.contract.calls import Call
from toolscript_sandbox.contract.errors import Deferred, ToolError
from toolscript_sandbox.contract.outcomes import Completed, Failed

from .executor import LiveExecution
from .protocol import Answer, Calls, Raised, Returned

PreviewDispatch: TypeAlias = Callable[[Call, Set[int]], Awaitable[object]]
"""Answers a call like a `Dispatch`. It also receives the ids of the calls that were answered before it was made."""


class EndPreview(Exception):
    """Raised by a dispatcher to end the preview."""


async def preview(
    execution: LiveExecution, dispatch: PreviewDispatch, *, latest_first: bool, seconds: float
) -> Completed | Failed | None:
    """Run a restored script until its dispatcher, its time limit or a change of a file ends it.

    Of several open calls the latest is answered first, followed by everything that results from it. Calls of one step
    are answered in order, or the latest first. So two calls that may come in either order come in different orders in
    the two directions, and a call that waits for another one comes after it in both. Sleeps take no time.

    Args:
        execution: A script restored with checkpoints, so that a step ends before each change of a file.
        dispatch: Answers the calls.
        latest_first: The direction.
        seconds: How long the script may compute.
    """
    execution.limits = replace(execution.limits, max_script_seconds=execution.data.seconds + seconds)
    open_calls, answered, made_after = list[Call](), set[int](), dict[int, frozenset[int]]()
    step = await execution.advance(())
    while isinstance(step, Calls):
        if step.checkpoint and not step.new:
            return None
        made_after.update((call.id, frozenset(answered)) for call in step.new)
        open_calls += step.new if latest_first else step.new[::-1]
        answers = [Answer(call.id, 'left') for call in open_calls if call.id in step.cancelled]
        open_calls = [call for call in open_calls if call.id not in step.cancelled]
        if answers or step.cancelled:
            pass
        elif open_calls:
            call = open_calls.pop()
            answers = [await _answer(call, dispatch, made_after[call.id])]
            answered.add(call.id)
        elif step.wake_in is not None:
            execution.skip(step.wake_in)
        else:
            return None
        step = await execution.advance(answers)
    return step


async def _answer(call: Call, dispatch: PreviewDispatch, made_after: Set[int]) -> Answer:
    try:
        return Answer(call.id, Returned(await dispatch(call, made_after)))
    except ToolError as error:
        return Answer(call.id, Raised(error.type_name, error.message))
    except Deferred:
        return Answer(call.id, 'waits')
