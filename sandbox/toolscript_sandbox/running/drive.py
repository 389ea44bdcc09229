"""Takes a snippet from suspension to suspension until it ends or nothing can go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
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
from toolscript_sandbox.contract.errors import ToolError
from toolscript_sandbox.contract.functions import HOST, Functions
from toolscript_sandbox.contract.limits import Exceeded, Limits
from toolscript_sandbox.files.host_files import HostFiles
from toolscript_sandbox.host_library import HostLibrary, HostLibraryError
from toolscript_sandbox.transforms.calls import INLINE
from toolscript_sandbox.values.crossing import TooLarge, carried_call

from .answers import Answer, raised
from .calls_under_way import CallsUnderWay
from .file_calls import FILE, answer_again, changes_files, file_answer, is_of_files, noted
from .file_changes import Seen
from .ledger import Ledger
from .ready_queue import LOOP, Ready, cancellation, numbers_in
from .stand_in import stand_in
from .stopwatch import Stopwatch

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
        interleaves: bool = False,
        ready: dict[str, Any] | None = None,
        files: HostFiles | None = None,
        resumed: bool = False,
        keeps: bool = False,
        before: Seen | None = None,
    ) -> None:
        self.ledger = ledger
        self.slept: float = slept
        self.exceeded: Exceeded | None = None
        """The limit that the script went over, if it did."""
        self.ready: Ready = _ready_from(ready)
        self._interleaves = interleaves
        self._stops = 0
        self._watch = Stopwatch()
        self._ordered = ordered
        self._functions = functions
        self._limits = limits
        self._line_of = line_of
        self._checkpoint = checkpoint
        self._calls = CallsUnderWay(ledger, self.ready, dispatch, limits, self._watch, ordered=ordered)
        self._files = files
        self._resumed = resumed
        self._keeps = keeps
        self._kept_calls = 0
        self.before = before
        """What was there before the change of a file that is under way."""
        self._first: AsyncSnapshot | None = None

    async def to_end(self, snapshot: AsyncSnapshot) -> MontyComplete | Paused | Exceeded:
        """Drive on from a suspension. Raises what Monty raises, and what the dispatcher raises to end the snippet.

        Calls that still run when the script ends get some time to finish: what they did is then known.
        """
        try:
            step: AsyncSnapshot | Paused | Exceeded = snapshot
            self._first = snapshot if self._resumed else None
            while not isinstance(step, (MontyComplete, Paused, Exceeded)):
                step = await self._step(step) if self._watch.seconds <= self._limits.script_seconds else self._late()
            await self._calls.settle()
            return step
        except MontyError:
            await self._calls.settle()
            raise
        finally:
            await self._calls.cancel()

    async def _step(self, snapshot: AsyncSnapshot) -> AsyncSnapshot | Paused | Exceeded:
        if isinstance(snapshot, AsyncFunctionSnapshot):
            return await (self._system(snapshot) if snapshot.is_os_function else self._call(snapshot))
        if isinstance(snapshot, AsyncFutureSnapshot):
            return await self._futures(snapshot)
        if isinstance(snapshot, AsyncNameLookupSnapshot):
            return await self._name(snapshot)
        return snapshot

    def _late(self) -> Exceeded:
        seconds = f'{self._limits.script_seconds:g} s'
        return Exceeded(
            'script_seconds', f'the script kept the host busy longer than {seconds}; call and sleep less often'
        )

    async def _name(self, snapshot: AsyncNameLookupSnapshot) -> AsyncSnapshot:
        name = snapshot.variable_name
        if snapshot.object_id is None and self._functions.get(name.removeprefix(HOST)) is not None:
            return await snapshot.resume(value=stand_in(name))
        return await snapshot.resume()

    async def _call(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Paused | Exceeded:
        if snapshot.function_name == LOOP:
            return await self._loop(snapshot)
        if snapshot.function_name == HOST_LIBRARY:
            return await self._library(snapshot)
        if snapshot.function_name == FILE and self._files is not None:
            return await self._file(snapshot, self._files, str(snapshot.args[0]), tuple(snapshot.args[1:]))
        inline = snapshot.function_name.startswith(INLINE)
        name = snapshot.function_name.removeprefix(INLINE).removeprefix(HOST)
        function = self._functions.get(name)
        if snapshot.call_id not in self.ledger:
            if function is None:
                return await snapshot.resume({'exc_type': 'NameError', 'message': f"name '{name}' is not defined"})
            try:
                given = await carried_call(snapshot.args, snapshot.kwargs, self._limits.argument_bytes)
            except TooLarge as error:
                return await self._stop(snapshot, Exceeded('argument_bytes', f'the arguments of {name} have {error}'))
            except Exception:
                # Sets of instances and the like: Monty's client cannot build them here.
                message = f'{name}() got an argument that is neither text, number, list nor dict'
                return await snapshot.resume({'exc_type': 'TypeError', 'message': message})
            exceeded = self._admit(snapshot, name, *given)
            if exceeded is not None:
                return await self._stop(snapshot, exceeded)
            self._calls.own(snapshot.call_id)
        if (function is not None and function.sequential) or (inline and self._ordered):
            return await self._barrier(snapshot)
        return await (self._inline(snapshot) if inline else snapshot.resume({'future': ...}))

    async def _library(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot:
        name, *args = snapshot.args
        seconds = max(0.1, self._limits.script_seconds - self._watch.seconds)
        try:
            value = await SHARED.call(str(name), args, dict(snapshot.kwargs), seconds=seconds)
        except HostLibraryError as error:
            # Errors of modules, such as `re.error`, are ValueErrors here, so that a handler finds them.
            kind = 'ValueError' if error.builtin == 'Exception' else error.builtin
            return await snapshot.resume(raised(ToolError(kind, error.message)))
        return await snapshot.resume({'return_value': value})

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
        with self._watch.stopped:
            await self._checkpoint(snapshot)
        self._kept_calls = len(self.ledger)

    async def _barrier(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Paused:
        if self._keeps:
            await self._kept(snapshot)
        await self._calls.wait_for_all(besides=snapshot.call_id)
        entry = self.ledger.mark(snapshot.call_id, 'running')
        self._calls.start(entry)
        await self._calls.wait_for_all(besides=snapshot.call_id)
        answer = self.ledger.take(snapshot.call_id)
        self.ready.drop(snapshot.call_id)
        return self._pause(snapshot) if answer is None else await snapshot.resume(answer)

    async def _futures(self, snapshot: AsyncFutureSnapshot) -> AsyncSnapshot | Paused | Exceeded:
        if self._keeps and self.ledger.count('not started') and len(self.ledger) > self._kept_calls:
            # Unless it is new, what is to start stands in the state; what became of the others, in the journal.
            await self._kept(snapshot)
        pending = set(snapshot.pending_call_ids)
        while True:
            self._calls.look_around()
            await self._calls.let_fail_together()
            if not self._ordered:
                self.ready.settle_timers(self._waiting())
            answers = self._next(pending)
            if answers:
                return await snapshot.resume(dict(answers))
            if await self._goes_on():
                continue
            if self.ledger.count('waiting') and self.exceeded is None:
                return self._pause(snapshot)
            if not self.ready.unstick():
                return await self._stuck(snapshot)

    def _next(self, pending: set[int]) -> dict[int, Answer]:
        """Those whose turn it is: one, unless nobody could tell in which order they go on."""
        answers = dict[int, Answer]()
        if self._ordered and not self.ready.is_used:
            self.ready.sort()
        while (turn := self.ready.pop(pending)) is not None:
            number, answer = turn
            answer = answer if answer is not None else self.ledger.take(number)
            answers[number] = answer if answer is not None else {'return_value': None}
            if self._interleaves or self.ready.is_used or self._ordered:
                break
        return answers

    async def _goes_on(self) -> bool:
        """Wait until somebody may be ready; False if nothing is under way that could make anybody ready."""
        if self._ordered:
            return await self._come_to_rest()
        seconds = self.ready.settle_timers(self._waiting())
        if self._calls:
            await self._calls.wait_for_some(seconds)
        elif seconds is None or (self.ready.only_deadlines() and self.ledger.count('waiting')):
            return bool(self.ready)
        elif self.ready.only_deadlines() and not self._may_sleep(seconds):
            return False
        else:
            await self._pass(seconds)
        return True

    def _may_sleep(self, seconds: float) -> bool:
        """Whether the script may wait so long for a deadline while nothing is under way, which is a sleep too."""
        self.slept += seconds
        if self.slept > self._limits.sleep_seconds:
            self.exceeded = self._slept_too_long()
        return self.exceeded is None

    def _slept_too_long(self) -> Exceeded:
        return Exceeded('sleep_seconds', f'the script slept more than {self._limits.sleep_seconds:g} s in all')

    async def _come_to_rest(self) -> bool:
        """Wait until nothing is under way; then they go on in the order of their calls."""
        await self._calls.wait_for_all()
        seconds = self.ready.settle_timers(self._waiting(), last=True)
        if seconds is not None:
            await self._pass(seconds)
            self.ready.settle_timers(self._waiting())
        self.ready.sort()
        return bool(self.ready)

    def _waiting(self) -> list[int]:
        return [entry.monty_id for entry in self.ledger.in_status('waiting')]

    async def _stuck(self, snapshot: AsyncFutureSnapshot) -> AsyncSnapshot | Exceeded:
        exceeded = self.exceeded or Exceeded('deadlock', 'nothing can go on, because every task waits for another one')
        self.exceeded, self._stops = exceeded, self._stops + 1
        number = self.ready.owned_by(0, snapshot.pending_call_ids)
        if number is None or self._stops > _MOST_STOPS:
            return exceeded
        return await snapshot.resume({number: {'exc_type': 'KeyboardInterrupt', 'message': exceeded.message}})

    async def _loop(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot:
        """What the guest's `asyncio` asks of the host."""
        match snapshot.args:
            case ('park', int(key), 'end', _):
                self.ready.park_until_stuck(snapshot.call_id, key)
            case ('park', int(key), None | int() | float() as seconds, str(guarded)):
                self.ready.park(snapshot.call_id, key, seconds, numbers_in(guarded))
            case ('wake', int(key), int(hops)):
                return await snapshot.resume(_DONE if self.ready.wake(key, hops) else _TOO_MANY)
            case ('soon', int(job)):
                return await snapshot.resume(_DONE if self.ready.soon(job) else _TOO_MANY)
            case ('cancel', int(task), str(reason)):
                calls, keys = self.ready.cancel(task, reason)
                for number in calls:
                    self._calls.call_off(number, reason)
                await self._calls.let_leave()
                return await snapshot.resume({'return_value': keys})
            case ('doom', int(key), str(reason)):
                self.ready.doom(key, reason)
                return await snapshot.resume(_DONE)
            case ('current',):
                return await snapshot.resume({'return_value': self.ready.current})
            case _:
                return await snapshot.resume({'exc_type': 'TypeError', 'message': 'no such request'})
        return await snapshot.resume({'future': ...})

    async def _inline(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Paused:
        if self._keeps:
            await self._kept(snapshot)
        number = snapshot.call_id
        if not self._calls and self.ledger.count('not started') == 1:
            answer = await self._calls.answer_alone(number)
        else:
            answer = await self._landed(number)
        if answer is None:
            return self._pause(snapshot)
        self.ready.drop(number)
        return await snapshot.resume(answer)

    async def _landed(self, number: int) -> Answer | None:
        """The answer of a call beside others; None if all of them wait."""
        while (answer := self.ledger.take(number)) is None:
            self._calls.start_queued()
            if not self._calls:
                return None
            await self._calls.wait_for_some()
        return answer

    async def _pass(self, seconds: float) -> None:
        """Time passes, and nothing else happens."""
        with self._watch.stopped:
            await asyncio.sleep(seconds)

    def _pause(self, snapshot: Pausable) -> Paused:
        return Paused(snapshot, self._calls.waiting())

    async def _file(
        self, snapshot: AsyncFunctionSnapshot, files: HostFiles, name: str, args: tuple[Any, ...]
    ) -> AsyncSnapshot:
        if changes_files(name, args):
            answer = await answer_again(files, name, args, self.before) if snapshot is self._first else None
            if answer is not None:
                return await snapshot.resume(answer)
            if self._keeps:
                # Whoever goes on after a crash finds the script here, and does nothing of what was before once more.
                self.before = await noted(files, name, args)
                await self._kept(snapshot)
        return await snapshot.resume(await file_answer(files, name, args, dict(snapshot.kwargs)))

    async def _system(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Exceeded:
        if self._files is not None and is_of_files(snapshot.function_name):
            return await self._file(snapshot, self._files, snapshot.function_name, tuple(snapshot.args))
        if snapshot.function_name not in ('time.sleep', 'asyncio.sleep'):
            return await snapshot.resume_not_handled()
        seconds = max(0.0, float(snapshot.args[0]))
        if self.slept + seconds > self._limits.sleep_seconds:
            return await self._stop(snapshot, self._slept_too_long())
        self.slept += seconds
        if snapshot.function_name == 'time.sleep':
            with self._watch.stopped:
                await asyncio.sleep(seconds)
            return await snapshot.resume({'return_value': None})
        reason = self.ready.own(snapshot.call_id)
        if reason is None:
            self.ready.sleep(snapshot.call_id, seconds)
        else:
            self.ready.push(snapshot.call_id, cancellation(reason))
        return await snapshot.resume({'future': ...})


HOST_LIBRARY = '_host__'
"""What polyfills call for a function of the host's library."""
SHARED = HostLibrary()
_DONE: Answer = {'return_value': None}
_TOO_MANY: Answer = {'exc_type': 'MemoryError', 'message': 'too many tasks'}
_MOST_STOPS = 3
# A script may still catch BaseException and go on; then it is left where it stands, and its session with it.


def _ready_from(data: dict[str, Any] | None) -> Ready:
    clock = asyncio.get_running_loop().time
    return Ready(clock) if data is None else Ready.from_json(data, clock)
