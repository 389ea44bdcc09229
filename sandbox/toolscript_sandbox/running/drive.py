"""Takes a snippet from suspension to suspension until it ends or nothing can go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic_monty import (
    AsyncFunctionSnapshot,
    AsyncFutureSnapshot,
    AsyncNameLookupSnapshot,
    AsyncSnapshot,
    MontyComplete,
    MontyError,
)

from toolscript_sandbox.contract.calls import Dispatch, Waiting
from toolscript_sandbox.contract.errors import ToolError, Wait
from toolscript_sandbox.contract.functions import HOST, Functions
from toolscript_sandbox.contract.limits import Exceeded, Limits

from .answers import Answer, raised
from .flights import Flights
from .inline import INLINE
from .ledger import Entry, Ledger
from .stopwatch import Stopwatch
from .values import TooLarge, carried_aside, carried_or_told_aside

Pausable: TypeAlias = AsyncFunctionSnapshot | AsyncFutureSnapshot


@dataclass(frozen=True)
class Paused:
    """Every call that the script needs waits for the outside."""

    snapshot: Pausable
    waiting: tuple[Waiting, ...]


class Drive:
    """One snippet on its way."""

    def __init__(
        self,
        functions: Functions,
        dispatch: Dispatch,
        limits: Limits,
        ledger: Ledger,
        line_of: Callable[[AsyncFunctionSnapshot], int | None],
        checkpoint: Callable[[Pausable], Awaitable[None]],
        slept: float = 0.0,
        *,
        ordered: bool = False,
    ) -> None:
        self.ledger = ledger
        self.slept = slept
        self.exceeded: Exceeded | None = None
        """The limit that the script went over, if it did."""
        self._stops = 0
        self._watch = Stopwatch()
        self._ordered = ordered
        self._functions = functions
        self._dispatch = dispatch
        self._limits = limits
        self._line_of = line_of
        self._checkpoint = checkpoint
        self._flights = Flights[Answer | Wait]()
        self._payloads = dict[int, Any]()
        self._sleeps = dict[int, Answer]()

    async def to_end(self, snapshot: AsyncSnapshot, *, spawns: bool = False) -> MontyComplete | Paused | Exceeded:
        """Drive on from a suspension. Raises what Monty raises, and what the dispatcher raises to end the snippet.

        Calls that still run when the script ends get some time to finish: what they did is then known. With `spawns`,
        calls that nobody awaited are run too.
        """
        try:
            step: AsyncSnapshot | Paused | Exceeded = snapshot
            while not isinstance(step, (MontyComplete, Paused, Exceeded)):
                step = await self._step(step) if self._watch.seconds <= self._limits.script_seconds else self._late()
            if isinstance(step, MontyComplete) and spawns:
                await self._land_all()
            await self._settle()
            return step
        except MontyError:
            await self._settle()
            raise
        finally:
            await self._flights.cancel()

    async def _step(self, snapshot: AsyncSnapshot) -> AsyncSnapshot | Paused | Exceeded:
        if isinstance(snapshot, AsyncNameLookupSnapshot):
            return await self._name(snapshot)
        if isinstance(snapshot, AsyncFutureSnapshot):
            return await self._futures(snapshot)
        if isinstance(snapshot, AsyncFunctionSnapshot):
            return await (self._system(snapshot) if snapshot.is_os_function else self._call(snapshot))
        return snapshot

    def _late(self) -> Exceeded:
        seconds = f'{self._limits.script_seconds:g} s'
        return Exceeded(
            'script_seconds', f'the script kept the host busy longer than {seconds}; call and sleep less often'
        )

    async def _name(self, snapshot: AsyncNameLookupSnapshot) -> AsyncSnapshot:
        name = snapshot.variable_name
        if snapshot.object_id is None and self._functions.get(name) is not None:
            return await snapshot.resume(value=_stand_in(name))
        return await snapshot.resume()

    async def _call(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Paused | Exceeded:
        inline = snapshot.function_name.startswith(INLINE)
        name = snapshot.function_name.removeprefix(INLINE).removeprefix(HOST)
        function = self._functions.get(name)
        if snapshot.call_id not in self.ledger:
            if function is None:
                return await snapshot.resume({'exc_type': 'NameError', 'message': f"name '{name}' is not defined"})
            try:
                given = await carried_aside([snapshot.args, snapshot.kwargs], self._limits.argument_bytes)
            except TooLarge as error:
                return await self._stop(snapshot, Exceeded('argument_bytes', f'the arguments of {name} have {error}'))
            except Exception:
                # Sets of instances and the like: Monty's client cannot build them here.
                message = f'{name}() got an argument that is neither text, number, list nor dict'
                return await snapshot.resume({'exc_type': 'TypeError', 'message': message})
            exceeded = self._admit(snapshot, name, *given.value)
            if exceeded is not None:
                return await self._stop(snapshot, exceeded)
        if (function is not None and function.sequential) or (inline and self._ordered):
            return await self._barrier(snapshot)
        return await (self._inline(snapshot) if inline else snapshot.resume({'future': ...}))

    async def _stop(self, snapshot: AsyncFunctionSnapshot, exceeded: Exceeded) -> AsyncSnapshot | Exceeded:
        self.exceeded, self._stops = exceeded, self._stops + 1
        if self._stops > _MOST_STOPS:
            return exceeded
        # No `except Exception` catches this, so the script ends and the session stays usable.
        return await snapshot.resume({'exc_type': 'KeyboardInterrupt', 'message': exceeded.message})

    def _admit(self, snapshot: AsyncFunctionSnapshot, name: str, args: Any, kwargs: Any) -> Exceeded | None:
        limits = self._limits
        if len(self.ledger) >= limits.calls:
            return Exceeded(
                'calls', f'the snippet made more than {limits.calls:,} calls; this one of {name} was not run'
            )
        self.ledger.add(snapshot.call_id, name, args, kwargs, self._line_of(snapshot))
        return None

    async def _kept(self, snapshot: Pausable) -> None:
        with self._watch.stopped():
            await self._checkpoint(snapshot)

    async def _barrier(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Paused:
        await self._kept(snapshot)
        await self._land_all(besides=snapshot.call_id)
        entry = self.ledger.mark(snapshot.call_id, 'running')
        self._launch(entry)
        await self._land_all(besides=snapshot.call_id)
        answer = self.ledger.take(snapshot.call_id)
        return self._pause(snapshot) if answer is None else await snapshot.resume(answer)

    async def _land_all(self, besides: int | None = None) -> None:
        while self._launch_queued(besides) or len(self._flights):
            await self._land()

    async def _futures(self, snapshot: AsyncFutureSnapshot) -> AsyncSnapshot | Paused:
        if self._ordered:
            return await self._first_future(snapshot)
        if self.ledger.in_status('not started'):
            await self._kept(snapshot)
        ready = await self._answers(snapshot.pending_call_ids)
        return await snapshot.resume(dict(ready)) if ready else self._pause(snapshot)

    async def _inline(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Paused:
        await self._kept(snapshot)
        if not len(self._flights) and len(self.ledger.in_status('not started')) == 1:
            # It is the only call, and needs no task beside this one.
            with self._watch.stopped():
                answer = await self._fly(self.ledger.mark(snapshot.call_id, 'running'))
            self._arrived(snapshot.call_id, answer)
        ready = await self._answers([snapshot.call_id])
        return await snapshot.resume(ready[snapshot.call_id]) if ready else self._pause(snapshot)

    async def _answers(self, pending: list[int]) -> dict[int, Answer]:
        """Those that are there once one is; none if all calls wait for the outside."""
        while True:
            self._launch_queued()
            ready = self._ready(pending)
            if ready or not len(self._flights):
                return ready
            await self._land()

    async def _first_future(self, snapshot: AsyncFutureSnapshot) -> AsyncSnapshot | Paused:
        """One result at a time, once nothing is under way: Monty wakes those who got theirs together in any order."""
        answered = self._first_answered(snapshot.pending_call_ids)
        if answered is None:
            if self.ledger.in_status('not started'):
                await self._kept(snapshot)
            await self._land_all()
            answered = self._first_answered(snapshot.pending_call_ids)
        return self._pause(snapshot) if answered is None else await snapshot.resume(dict(answered))

    def _first_answered(self, pending: list[int]) -> dict[int, Answer] | None:
        answers = ((number, self._answer(number)) for number in sorted(pending))
        return next(({number: answer} for number, answer in answers if answer is not None), None)

    def _ready(self, pending: list[int]) -> dict[int, Answer]:
        answers = {number: self._answer(number) for number in pending}
        return {number: answer for number, answer in answers.items() if answer is not None}

    def _answer(self, number: int) -> Answer | None:
        if number in self.ledger:
            return self.ledger.take(number)
        if number in self._flights:
            return None
        # A sleep; one that a dump interrupted is over when the snippet goes on.
        return self._sleeps.pop(number, {'return_value': None})

    def _launch_queued(self, besides: int | None = None) -> bool:
        queued = [entry for entry in self.ledger.in_status('not started') if entry.monty_id != besides]
        for entry in queued[: max(0, self._limits.calls_in_flight - len(self._flights))]:
            self._launch(self.ledger.mark(entry.monty_id, 'running'))
        return bool(queued)

    def _launch(self, entry: Entry) -> None:
        self._flights.launch(entry.monty_id, self._fly(entry))

    async def _fly(self, entry: Entry) -> Answer | Wait:
        call = entry.call
        # The record keeps its own arguments: the dispatcher may change the ones that it gets.
        try:
            given = await carried_or_told_aside([call.args, call.kwargs])
            value = await self._dispatch(replace(call, args=tuple(given.value[0]), kwargs=given.value[1]))
        except ToolError as error:
            return raised(error)
        except Wait as wait:
            return wait
        return {'return_value': (await carried_or_told_aside(value)).value}

    async def _land(self, timeout: float | None = None) -> None:
        with self._watch.stopped():
            landed = await self._flights.landed(timeout)
        for number, answer in landed.items():
            self._arrived(number, answer)

    def _arrived(self, number: int, answer: Answer | Wait) -> None:
        if isinstance(answer, Wait):
            self.ledger.mark(number, 'waiting')
            self._payloads[number] = answer.payload
        elif number in self.ledger:
            self.ledger.settle(number, answer)
        else:
            self._sleeps[number] = answer

    def _pause(self, snapshot: Pausable) -> Paused:
        waiting = self.ledger.in_status('waiting')
        return Paused(snapshot, tuple(Waiting(entry.call, self._payloads[entry.monty_id]) for entry in waiting))

    async def _system(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Exceeded:
        if snapshot.function_name not in ('time.sleep', 'asyncio.sleep'):
            return await snapshot.resume_not_handled()
        seconds = max(0.0, float(snapshot.args[0]))
        if self.slept + seconds > self._limits.sleep_seconds:
            allowed = self._limits.sleep_seconds
            exceeded = Exceeded('sleep_seconds', f'the script slept more than {allowed:g} s in all')
            return await self._stop(snapshot, exceeded)
        self.slept += seconds
        if snapshot.function_name == 'time.sleep':
            with self._watch.stopped():
                await asyncio.sleep(seconds)
            return await snapshot.resume({'return_value': None})
        self._flights.launch(snapshot.call_id, _sleep(seconds))
        return await snapshot.resume({'future': ...})

    async def _settle(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._limits.settle_seconds
        while len(self._flights) and loop.time() < deadline:
            await self._land(deadline - loop.time())


_MOST_STOPS = 3
# A script may still catch BaseException and go on; then it is left where it stands, and its session with it.


async def _sleep(seconds: float) -> Answer:
    await asyncio.sleep(seconds)
    return {'return_value': None}


def _stand_in(name: str) -> Callable[..., None]:
    # Monty knows a function by its name alone, and a call of it suspends under that name.
    def stand_in() -> None:
        raise AssertionError('called on the host')

    stand_in.__name__ = name
    return stand_in
