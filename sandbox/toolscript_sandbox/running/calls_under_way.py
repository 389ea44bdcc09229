"""The calls of one script that were started, from their start until the script may have their answers."""

from __future__ import annotations

import asyncio
from typing import Any

from toolscript_sandbox.contract.calls import Call, Crossed, Dispatch, Waiting
from toolscript_sandbox.contract.errors import ToolError, Wait
from toolscript_sandbox.contract.limits import Limits
from toolscript_sandbox.event_loop.in_place import in_place
from toolscript_sandbox.event_loop.loop_turns import turn_for_call
from toolscript_sandbox.values.crossing import carried_or_told_aside, copied_aside

from .answers import Answer, raised
from .call_tasks import CallTasks
from .ledger import Entry, Ledger
from .ready_queue import Ready, cancellation
from .stopwatch import Stopwatch


class CallsUnderWay:
    """What runs is in the tasks, what ended in the ledger, and who goes on with it in the queue."""

    def __init__(
        self, ledger: Ledger, ready: Ready, dispatch: Dispatch, limits: Limits, watch: Stopwatch, *, ordered: bool
    ) -> None:
        self._ledger = ledger
        self._ready = ready
        self._watch = watch
        self._dispatch = dispatch
        self._limits = limits
        self._ordered = ordered
        self._tasks = CallTasks[Answer | Wait]()
        self._payloads = dict[int, Any]()
        self._has_failed = False

    def __len__(self) -> int:
        return len(self._tasks)

    def waiting(self) -> tuple[Waiting, ...]:
        """Those that wait for the outside, with what they wait with."""
        entries = self._ledger.in_status('waiting')
        return tuple(Waiting(entry.call, self._payloads[entry.monty_id]) for entry in entries)

    def own(self, number: int) -> None:
        """The running task waits for the call, which is called off if that task was cancelled before."""
        reason = self._ready.own(number)
        if reason is not None:
            self.call_off(number, reason)

    def start_queued(self, besides: int | None = None) -> bool:
        """Start what is to be started, as far as there is room; whether there was anything."""
        room = max(0, self._limits.calls_in_flight - len(self._tasks))
        # One more than there is room for tells whether anything is left, and one may be the one that is not meant.
        first = [entry for entry in self._ledger.to_start(room + 2) if entry.monty_id != besides]
        for entry in first[:room]:
            self.start(self._ledger.mark(entry.monty_id, 'running'))
        return bool(first)

    def start(self, entry: Entry) -> None:
        """Start one."""
        self._tasks.start(entry.monty_id, self._answered_in_turn(entry))

    async def _answered_in_turn(self, entry: Entry) -> Answer | Wait:
        await turn_for_call()
        return await self._answered(entry)

    async def _answered(self, entry: Entry) -> Answer | Wait:
        call = entry.call
        # The record keeps its own arguments: the dispatcher may change the ones that it gets.
        try:
            args, kwargs = await copied_aside(call.args, call.kwargs)
            value = await self._dispatch(Call(call.id, call.function, args, kwargs, entry.line, call.printed))
        except ToolError as error:
            return raised(error)
        except Wait as wait:
            return wait
        if type(value) is Crossed:
            return {'return_value': value.value}
        given = await carried_or_told_aside(value, most_heap=self._limits.result_heap_bytes)
        return {'return_value': given.value} if not given.too_large else raised(given.failure(call.function))

    async def answer_alone(self, number: int) -> Answer | None:
        """The answer of the only call there is, which runs without a task beside this one; None if it waits."""
        work = self._answered(self._ledger.mark(number, 'running'))
        with self._watch.stopped:
            answer = await in_place(work, self._limits.settle_seconds)
        if isinstance(answer, Wait):
            self._waits(number, answer)
            return None
        self._ledger.settle(number, answer)
        return self._ledger.take(number)

    async def wait_for_some(self, timeout: float | None = None) -> None:
        """Wait until some end, or for so many seconds."""
        with self._watch.stopped:
            answers = await self._tasks.some_ended(timeout)
        self._take_all(answers)

    def look_around(self) -> None:
        """Start what is to be started, and queue up those for whom something has ended meanwhile."""
        self.start_queued()
        if not self._ordered:
            self._take_all(self._tasks.ended())

    async def wait_for_all(self, besides: int | None = None) -> None:
        """Wait until nothing is under way, nor queued up, but for one call."""
        while self.start_queued(besides) or len(self._tasks):
            await self.wait_for_some()

    def _take_all(self, answers: dict[int, Answer | Wait | None]) -> None:
        for number, answer in answers.items():
            self._take(number, answer)

    def _take(self, number: int, answer: Answer | Wait | None) -> None:
        is_leaving, reason = number in self._ready.leaving, self._ready.leaving.pop(number, '')
        if answer is None or (is_leaving and isinstance(answer, Wait)):
            self._ready.push(number, cancellation(reason))
        elif isinstance(answer, Wait):
            self._waits(number, answer)
        else:
            self._has_failed = self._has_failed or 'exc_type' in answer
            self._ledger.settle(number, answer)
            self._ready.push(number)

    def _waits(self, number: int, wait: Wait) -> None:
        self._ledger.mark(number, 'waiting')
        self._payloads[number] = wait.payload

    def call_off(self, number: int, reason: str) -> None:
        """A task that was cancelled wants it no more."""
        under_way = self._tasks.cancel_one(number)
        words = _CALLED_OFF.get(self._ledger.status(number), 'before it ran')
        self._ledger.call_off(number, f'CancelledError: the script cancelled it {words}')
        if under_way:
            # It may have something to clean up, or even end well: the script goes on when it has ended.
            self._ready.leaving[number] = reason
        else:
            self._ready.push(number, cancellation(reason))

    async def let_fail_together(self) -> None:
        """Once a call has failed, let others end that need no waiting: in Python they fail in the same turn."""
        if not self._has_failed or self._ordered:
            return
        self._has_failed = False
        for _ in range(_TURNS_TO_LEAVE):
            if not len(self._tasks):
                return
            with self._watch.stopped:
                await asyncio.sleep(0)
            self._take_all(self._tasks.ended())

    async def let_leave(self) -> None:
        """Let calls end that were called off and have nothing to clean up: their tasks go on in this very turn."""
        if self._ordered:
            return
        for _ in range(_TURNS_TO_LEAVE):
            if not self._ready.leaving:
                return
            with self._watch.stopped:
                await asyncio.sleep(0)
            self._take_all(self._tasks.ended())

    async def settle(self) -> None:
        """Wait a while for those that still run: what they did is then known."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._limits.settle_seconds
        while len(self._tasks) and loop.time() < deadline:
            await self.wait_for_some(deadline - loop.time())

    async def cancel(self) -> None:
        """Cancel all, and wait a while until they are gone."""
        await self._tasks.cancel(self._limits.settle_seconds)


_CALLED_OFF = {'running': 'while it ran; what it did is unknown', 'waiting': 'while it waited'}
_TURNS_TO_LEAVE = 10
"""Of the host's loop: what stands between a script and its tool passes a cancellation on in fewer."""
