"""The calls of one script that the caller runs: from a step that holds them to their answers."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from toolscript_sandbox.contract.calls import Call, CallRecord, Dispatch, PlainValue, Waiting
from toolscript_sandbox.contract.errors import Deferred, ToolError
from toolscript_sandbox.contract.limits import Limits
from toolscript_sandbox.contract.outcomes import Completed, Failed
from toolscript_sandbox.event_loop.ending_tasks import abandon
from toolscript_sandbox.event_loop.in_place import in_place
from toolscript_sandbox.event_loop.loop_turns import turn_for_call
from toolscript_sandbox.messages.report import with_calls
from toolscript_sandbox.serialization.crossing import copied_aside, serialize

from .answers import catchable
from .calls import CallRecords
from .executor import CANCELLED
from .protocol import Answer, Calls, Execution, Left, Raised, Returned, Waits

_Outcome: TypeAlias = Returned | Raised | Waits
Checkpoint: TypeAlias = Callable[[bytes, Sequence[CallRecord]], Awaitable[None]]
"""Saves the state of a script, and the calls that ended since the state before: no state holds those."""


class InFlight:
    """Runs calls by a dispatcher, each in a task of its own, as many at a time as the limits allow."""

    def __init__(
        self, dispatch: Dispatch, limits: Limits, *, patience: float = 0.0, earlier: Sequence[CallRecord] = ()
    ) -> None:
        """`patience` is how long an answer waits for others, beside how long it took. `earlier` are the calls before a
        restoring.

        Where each step costs something, a hundred calls that end one after the other must not take a hundred. With a
        patience of 1, a script waits for at most twice the time that its quickest call took, and the number of steps
        grows with the logarithm of the time that all take. With an infinite one, which calls are answered in which step
        does not depend on time.
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
        """Of the calls that wait for the outside."""
        self._has_failed = False
        """Whether a call has failed beside which others may be about to fail."""
        self._is_alone = False
        """Whether a sequential function runs."""

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """The calls that wait for the outside, with what they wait with, in the order of the calls."""
        return tuple(
            [Waiting(self.log.record(call_id).call, self._payloads[call_id]) for call_id in sorted(self._payloads)]
        )

    async def answer(self, step: Calls) -> list[Answer]:
        """The answers that there are when the script can advance; none if time has passed, or if all calls wait.

        Raises what the dispatcher raises to end the script.
        """
        new = step.new
        if len(new) == 1 and step.wake_in is None and not (self._tasks or self._queue):
            # It needs no task beside this one.
            call = new[0]
            self.log.made(call, 'running')
            return [self._record(call.id, await in_place(self._answered(call), self._limits.cancel_grace_seconds))]
        for call in new:
            self.log.made(call)
        answers = self._cancel(step.cancelled) if step.cancelled else []
        self._queue.extend(new)
        if self._patience == math.inf:
            return [*answers, *await self._answers_of_all(step)]
        answers += self._collected()
        self._start_queued()
        if not answers and step.wake_in != 0:
            began = asyncio.get_running_loop().time()
            await self._wait(step.wake_in)
            answers += self._collected()
            if self._patience and answers:
                answers += await self._soon_after(began, step.wake_in)
        elif new:
            # They begin before the script runs on.
            await asyncio.sleep(0)
        if step.cancelled or self._has_failed:
            # Calls that need no waiting to end do so now: in Python they would end in the same turn.
            self._has_failed = False
            for _ in range(_TURNS_TO_LEAVE):
                if not self._tasks:
                    break
                await asyncio.sleep(0)
                answers += self._collected()
        return answers

    async def _soon_after(self, began: float, wake_in: float | None) -> list[Answer]:
        """The answers that come while others wait for them."""
        answers, clock = list[Answer](), asyncio.get_running_loop().time
        until = clock() + min(_MOST_PATIENCE, self._patience * (clock() - began))
        until = until if wake_in is None else min(until, began + wake_in)
        self._start_queued()
        if self._tasks:
            # One timer for all of them: an engine records each.
            timer = asyncio.get_running_loop().call_later(until - clock(), self._wake)
            answers += await self._answers_until(until)
            timer.cancel()
        return answers

    async def _answers_of_all(self, step: Calls) -> list[Answer]:
        self._start_queued()
        answers = await self._answers_until(math.inf) if step.wake_in != 0 else []
        if not answers:
            await self._wait(step.wake_in)
        return answers

    async def _answers_until(self, end: float) -> list[Answer]:
        answers = list[Answer]()
        while self._tasks and asyncio.get_running_loop().time() < end:
            await self._wait(None)
            answers += self._collected()
            self._start_queued()
        return answers

    async def settle(self) -> None:
        """Wait a while for calls that still run: what they did is then known."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._limits.cancel_grace_seconds
        while self._tasks and loop.time() < deadline:
            await self._wait(deadline - loop.time())
            self._collected()

    async def close(self) -> None:
        """Cancel all that runs, and wait a while until it has ended."""
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
            task = self._tasks[call.id] = asyncio.create_task(self._answered(call, in_turn=True))
            task.add_done_callback(lambda _, call_id=call.id: self._task_ended(call_id))

    async def _answered(self, call: Call, *, in_turn: bool = False) -> _Outcome:
        if in_turn:
            await turn_for_call()
        # The log has its own arguments: the dispatcher may change the ones that it gets.
        try:
            args, kwargs = await copied_aside(call.args, call.kwargs)
            value = await self._dispatch(Call(call.id, call.function, args, kwargs, call.line, call.stdout))
        except ToolError as error:
            return Raised(error.type_name, error.message)
        except Deferred as wait:
            self._payloads[call.id] = wait.payload
            return Waits()
        if type(value) is PlainValue:
            return Returned(value.value)
        given = await serialize(value, most_heap=self._limits.result_heap_bytes)
        if not given.too_large:
            return Returned(given.value)
        failure = given.failure(call.function)
        return Raised(failure.type_name, failure.message)

    def _record(self, call_id: int, outcome: Returned | Raised | Waits) -> Answer:
        match outcome:
            case Returned():
                self.log.mark(call_id, 'finished')
            case Raised():
                self.log.mark(call_id, 'failed', str(catchable(outcome)))
                self._has_failed = True
            case Waits() if call_id in self._cancelled:
                del self._payloads[call_id]
            case Waits():
                self.log.mark(call_id, 'waiting')
        return Answer(call_id, outcome)

    def _cancel(self, call_ids: Sequence[int]) -> list[Answer]:
        """Cancel calls. The answers of those that did not begin; those that run end in their own time."""
        queued = {call.id for call in self._queue}
        for call_id in call_ids:
            if call_id in self._tasks:
                self._cancelled.add(call_id)
                self._tasks[call_id].cancel()
                when = 'while it ran; what it did is unknown'
            else:
                when = 'before it ran' if call_id in queued else 'while it waited'
                self._payloads.pop(call_id, None)
            self.log.mark(call_id, 'failed', CANCELLED.format(when))
        left = [call_id for call_id in call_ids if call_id in queued]
        self._queue = deque([call for call in self._queue if call.id not in left]) if left else self._queue
        return [Answer(call_id, Left()) for call_id in left]

    # -- tasks

    async def _wait(self, seconds: float | None) -> None:
        """Wait until a task ends, or for so many seconds."""
        if self._ended:
            await asyncio.sleep(0)
        elif self._tasks:
            # One callback for all of them: with one for each, a thousand calls would be asked a million times.
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
        """The answers of the tasks that have ended, in this order."""
        ended, self._ended = self._ended, dict[int, None]()
        done = [(call_id, self._tasks.pop(call_id)) for call_id in ended if call_id in self._tasks]
        # Of several failures one is raised; asking for all of them keeps asyncio from reporting the others.
        errors = [None if task.cancelled() else task.exception() for _, task in done]
        return [self._recorded(*one, error) for one, error in zip(done, errors, strict=True)]

    def _recorded(self, call_id: int, task: asyncio.Task[_Outcome], error: BaseException | None) -> Answer:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            # It has left the event loop already; raised by a second task, it would break off the clean-up that follows.
            raise asyncio.CancelledError from error
        if call_id in self._cancelled and task.cancelled():
            return Answer(call_id, Left())
        return self._record(call_id, task.result())


async def run_to_outcome(
    execution: Execution, in_flight: InFlight, save: Checkpoint | None = None
) -> Completed | Failed | None:
    """Drive a script until it ends; None: until all that it needs waits for the outside.

    Calls that still run when the script ends get some time to finish. Raises what the dispatcher and `save` raise.
    """
    try:
        step = await execution.advance(())
        while isinstance(step, Calls):
            if save is not None and step.checkpoint:
                await save(execution.state(), in_flight.log.take_ended())
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
        # The script is in the middle of something that no one will answer.
        await execution.close()
        raise
    finally:
        await in_flight.close()


_MOST_PATIENCE = 10.0
"""Seconds."""
_TURNS_TO_LEAVE = 10
"""Of the host's loop: the frames between a script and its tool pass a cancellation on in fewer."""
