"""Runs the calls of one script for the caller, from the step that returns them to their answers."""

import asyncio
import math
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from toolscript_sandbox.contract.calls import Call, CallRecord, Dispatch, PlainValue, Waiting
from toolscript_sandbox.contract.errors import Deferred, ToolError
from toolscript_sandbox.contract.limits import Limits
from toolscript_sandbox.contract.outcomes import Completed, Failed
from toolscript_sandbox.event_loop.cancellation import abandon, in_place
from toolscript_sandbox.event_loop.loop_turns import wait_for_call_slot
from toolscript_sandbox.messages.report import with_calls
from toolscript_sandbox.serialization.serialize import copy_call, serialize

from .answers import catchable
from .calls import CallRecords
from .executor import CANCELLED
from .protocol import Answer, Calls, Execution, Raised, Returned

_Outcome: TypeAlias = Returned | Raised | Literal['waits']
Checkpoint: TypeAlias = Callable[[bytes, Sequence[CallRecord]], Awaitable[None]]
"""Saves the state of a script, and the calls that ended since the previous state, which no state contains."""


class InFlight:
    """Runs calls with a dispatcher, each in its own task, as many at a time as the limits allow."""

    def __init__(
        self, dispatch: Dispatch, limits: Limits, *, patience: float = 0.0, earlier: Sequence[CallRecord] = ()
    ) -> None:
        """An answer waits for others for `patience` times the seconds that it took. `earlier` are the calls before a
        restore.

        If each step is expensive, a hundred calls that end one after the other must not take a hundred steps. With a
        patience of 1, a script waits at most twice as long as its quickest call took, and the number of steps grows
        with the logarithm of the total time. With an infinite one, nothing depends on time: which calls start
        together, in which order they reach their tools, and how their answers are grouped and ordered.
        """
        self.log = CallRecords(earlier)
        self._dispatch = dispatch
        self._limits = limits
        self._patience = patience
        self._queue = deque[Call]()
        self._tasks = dict[int, asyncio.Task[_Outcome]]()
        self._ended = dict[int, None]()
        self._one_ended: asyncio.Future[None] | None = None
        self._cancelled = set[int]()
        self._payloads = dict[int, Any]()
        """The payloads of the calls whose results come from outside."""
        self._has_failed = False
        """Whether a call has failed, so that concurrent ones may be about to fail too."""
        self._is_alone = False
        """Whether a sequential function is running."""

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """The calls whose results come from outside, with their payloads, in the order of the calls."""
        return tuple(
            [Waiting(self.log.record(call_id).call, self._payloads[call_id]) for call_id in sorted(self._payloads)]
        )

    async def answer(self, step: Calls) -> list[Answer]:
        """Wait until the script can advance and return the answers; none if time has passed or all calls wait.

        Raises what the dispatcher raises to end the script.
        """
        new = step.new
        if len(new) == 1 and step.wake_in is None and not (self._tasks or self._queue):
            # A single call runs in this task.
            call = new[0]
            self.log.made(call, 'running')
            answered = self._answered(await _copied(call))
            return [self._record(call.id, await in_place(answered, self._limits.cancel_grace_seconds))]
        for call in new:
            self.log.made(call)
        answers = self._cancel(step.cancelled) if step.cancelled else []
        if self._patience == math.inf:
            # A large copy is made in a thread, so all are made before any call starts.
            self._queue.extend([await _copied(call) for call in new])
            return [*answers, *await self._answers_of_all(step)]
        self._queue.extend(new)
        answers += self._collected()
        self._start_queued()
        if not answers and step.wake_in != 0:
            began = asyncio.get_running_loop().time()
            await self._wait(step.wake_in)
            answers += self._collected()
            if self._patience and answers:
                answers += await self._answers_within(began, step.wake_in)
        elif new:
            # The calls start before the script resumes.
            await asyncio.sleep(0)
        if step.cancelled or self._has_failed:
            # Calls that can end without waiting end now: in Python they would end in the same turn.
            self._has_failed = False
            for _ in range(_TURNS_TO_LEAVE):
                if not self._tasks:
                    break
                await asyncio.sleep(0)
                answers += self._collected()
        return answers

    async def _answers_within(self, began: float, wake_in: float | None) -> list[Answer]:
        """Return the answers that arrive within the patience."""
        answers, clock = list[Answer](), asyncio.get_running_loop().time
        spent = clock() - began
        left = math.inf if wake_in is None else wake_in - spent
        # The deadline may have passed while no worker ran the workflow, and Temporal refuses negative delays.
        seconds = max(0.0, min(_MAX_PATIENCE, self._patience * spent, _SHARE * left))
        self._start_queued()
        if self._tasks:
            # One timer for all answers, because an engine records each timer.
            timer = asyncio.get_running_loop().call_later(seconds, self._wake)
            answers += await self._answers_until(clock() + seconds)
            timer.cancel()
        return answers

    async def _answers_of_all(self, step: Calls) -> list[Answer]:
        """Run the queued calls and return their answers. Calls of a script that is busy start after its next step.

        Some engines tell units apart by the order in which they begin. So calls start in groups, and while one runs,
        neither a call of the next group nor a step begins.
        """
        answers = list[Answer]()
        while self._queue and step.wake_in != 0:
            self._start_queued()
            while self._tasks:
                await self._wait(None)
                answers += self._collected()
        if not answers:
            await self._wait(step.wake_in)
        # A replay ends the calls in another order, and an engine may take another order for another step.
        return sorted(answers, key=lambda answer: answer.call_id)

    async def _answers_until(self, end: float) -> list[Answer]:
        answers = list[Answer]()
        while self._tasks and asyncio.get_running_loop().time() < end:
            await self._wait(None)
            answers += self._collected()
            self._start_queued()
        return answers

    async def settle(self) -> None:
        """Wait a while for calls that still run, so that their outcome is known."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._limits.cancel_grace_seconds
        while self._tasks and loop.time() < deadline:
            await self._wait(deadline - loop.time())
            self._collected()

    async def close(self) -> None:
        """Cancel all running calls, and wait a while until they have ended."""
        tasks = [*self._tasks.values()]
        self._tasks.clear()
        await abandon(tasks, self._limits.cancel_grace_seconds)

    # -- one call

    def _start_queued(self) -> None:
        while self._queue and len(self._tasks) < self._limits.max_concurrent_calls:
            call = self._queue[0]
            if self._tasks and (call.sequential or self._is_alone):
                return
            self._queue.popleft()
            self._is_alone = call.sequential
            self.log.mark(call.id, 'running')
            answered = self._answered(call) if self._patience == math.inf else self._answered_in_turn(call)
            task = self._tasks[call.id] = asyncio.create_task(answered)
            task.add_done_callback(lambda _, call_id=call.id: self._task_ended(call_id))

    async def _answered_in_turn(self, call: Call) -> _Outcome:
        await wait_for_call_slot()
        return await self._answered(await _copied(call))

    async def _answered(self, call: Call) -> _Outcome:
        try:
            value = await self._dispatch(call)
        except ToolError as error:
            return Raised(error.type_name, error.message)
        except Deferred as wait:
            self._payloads[call.id] = wait.payload
            return 'waits'
        if type(value) is PlainValue:
            return Returned(value.value)
        given = await serialize(value, max_heap=self._limits.result_heap_bytes)
        if not given.too_large:
            return Returned(given.value)
        failure = given.failure(call.function)
        return Raised(failure.type_name, failure.message)

    def _record(self, call_id: int, outcome: _Outcome) -> Answer:
        match outcome:
            case Returned():
                self.log.mark(call_id, 'finished')
            case Raised():
                self.log.mark(call_id, 'failed', str(catchable(outcome)))
                self._has_failed = True
            case 'waits' if call_id in self._cancelled:
                del self._payloads[call_id]
                self.log.mark(call_id, 'failed', CANCELLED.format('while it waited'))
            case 'waits':
                self.log.mark(call_id, 'waiting')
        return Answer(call_id, outcome)

    def _cancel(self, call_ids: Sequence[int]) -> list[Answer]:
        """Cancel calls. Returns the answers of those that have not started; running ones answer when they end."""
        queued = {call.id for call in self._queue}
        for call_id in call_ids:
            if call_id in self._tasks:
                self._cancelled.add(call_id)
                self._tasks[call_id].cancel()
                when = 'while it ran; what it did is unknown'
            elif self.log.record(call_id).status in ('finished', 'failed'):
                # Its answer is on its way to the script.
                continue
            else:
                when = 'before it ran' if call_id in queued else 'while it waited'
                self._payloads.pop(call_id, None)
            self.log.mark(call_id, 'failed', CANCELLED.format(when))
        left = [call_id for call_id in call_ids if call_id in queued]
        self._queue = deque([call for call in self._queue if call.id not in left]) if left else self._queue
        return [Answer(call_id, 'left') for call_id in left]

    # -- tasks

    async def _wait(self, seconds: float | None) -> None:
        """Wait until a task ends, or for this many seconds."""
        if self._ended:
            await asyncio.sleep(0)
        elif self._tasks:
            # One future for all tasks: waiting for a thousand tasks one by one would add a million callbacks.
            self._one_ended = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._one_ended], timeout=seconds)
        elif seconds is not None:
            await asyncio.sleep(seconds)

    def _task_ended(self, call_id: int) -> None:
        self._ended.setdefault(call_id)
        self._wake()

    def _wake(self) -> None:
        if self._one_ended is not None and not self._one_ended.done():
            self._one_ended.set_result(None)

    def _collected(self) -> list[Answer]:
        """Return the answers of the tasks that have ended, in the order in which they ended."""
        ended, self._ended = self._ended, dict[int, None]()
        done = [(call_id, self._tasks.pop(call_id)) for call_id in ended if call_id in self._tasks]
        # Only one of several failures is raised; reading all of them keeps asyncio from reporting the others.
        errors = [None if task.cancelled() else task.exception() for _, task in done]
        return [self._recorded(*one, error) for one, error in zip(done, errors, strict=True)]

    def _recorded(self, call_id: int, task: asyncio.Task[_Outcome], error: BaseException | None) -> Answer:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            # It has already left the event loop. Raised by a second task, it would interrupt the clean-up.
            raise asyncio.CancelledError from error
        if call_id in self._cancelled and task.cancelled():
            return Answer(call_id, 'left')
        return self._record(call_id, task.result())


async def _copied(call: Call) -> Call:
    """Return the call for the dispatcher, which may change its arguments; the log keeps the original."""
    args, kwargs = await copy_call(call.args, call.kwargs)
    return Call(call.id, call.function, args, kwargs, call.line, call.stdout, call.sequential)


async def run_to_outcome(
    execution: Execution, in_flight: InFlight, save: Checkpoint | None = None
) -> Completed | Failed | None:
    """Run a script until it ends. Returns None if it can only resume once results come from outside.

    Calls that still run when the script ends get some time to finish. Raises the errors of the dispatcher and `save`.
    """
    try:
        step = await execution.advance(())
        while isinstance(step, Calls):
            if save is not None and step.checkpoint:
                state = execution.state()
                if isinstance(state, Failed):
                    for call in step.new:
                        in_flight.log.made(call)
                    step = state
                    break
                await save(state, in_flight.log.take_ended())
            answers = await in_flight.answer(step)
            if not answers and step.wake_in is None:
                return None
            step = await execution.advance(answers)
        await in_flight.settle()
        calls = in_flight.log.with_others(step.calls)
        if isinstance(step, Failed):
            step = replace(step, error=with_calls(step.error, calls, lost=step.session_lost))
        return replace(step, calls=calls)
    except BaseException:
        # The script waits for an answer that will never come.
        await execution.close()
        raise
    finally:
        await in_flight.close()


_MAX_PATIENCE = 10.0
"""The maximum time that answers wait for others, in seconds."""
_SHARE = 0.05
"""The maximum share of the time until the next deadline that they wait, so that it does not pass because of them."""
_TURNS_TO_LEAVE = 10
"""Turns of the host's event loop, more than a cancellation needs to pass the frames between a script and its tool."""
