"""A script in a worker that it keeps between its steps: the ordinary `Execution`.

Monty runs the script until it needs the host, and gives a snapshot. A snapshot that the host can answer is answered at
once; at any other one a step ends, and the same snapshot is looked at again when the caller advances. Nothing is dumped
unless the caller asks for the state.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TypeAlias

from pydantic_monty import (
    AsyncFunctionSnapshot,
    AsyncFutureSnapshot,
    AsyncNameLookupSnapshot,
    AsyncSnapshot,
    CollectString,
    MontyComplete,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
)

from toolscript_sandbox.contract.calls import Call, CallRecord, Waiting
from toolscript_sandbox.contract.errors import SnippetError, StateError
from toolscript_sandbox.contract.frozen_clock import CLOCK_FUNCTIONS, HostClock
from toolscript_sandbox.contract.functions import HOST, Functions
from toolscript_sandbox.contract.limits import Exceeded, Limits
from toolscript_sandbox.contract.outcomes import Completed, Failed, Suspended
from toolscript_sandbox.host_library import HostLibrary
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.snippet import INLINE
from toolscript_sandbox.messages.report import Report
from toolscript_sandbox.messages.tripped import computed_too_long
from toolscript_sandbox.mounts.host_files import HostFiles
from toolscript_sandbox.serialization.crossing import TooLarge, carried_aside, carried_call
from toolscript_sandbox.transforms.preparation import prelude
from toolscript_sandbox.workers.process import Watch, Worker

from .answers import LIBRARY, cancellation, catchable, for_monty, library_answer, placeholder
from .calls import CallLines, OpenCalls
from .file_calls import FILE, answer_again, changes_files, file_answer, is_of_files, noted
from .inspection import defers, keys_at, left_behind
from .preparation import Checked
from .protocol import Answer, Calls, Left, Raised, Returned, Step, Waits
from .recording import Recorder
from .scheduler import LOOP, numbers_in
from .state import State

_Next: TypeAlias = AsyncSnapshot | Calls | Exceeded
"""What comes of looking at a snapshot: the next one, the end of a step, or a script that ignores a limit."""


@dataclass(frozen=True)
class Options:
    """How scripts run, beside their limits."""

    checkpoints: bool = False
    """Whether the caller saves states: then a step comes before each change of a file."""
    files: HostFiles | None = None
    """The folders that scripts see, if any."""
    library: HostLibrary | None = None
    """Where functions of CPython's library run; without it, a script that needs one raises `NameError`."""
    seed: str = ''
    """Of the tokens and identifiers that scripts draw; without it, they come from the worker's own."""
    clock: HostClock = field(default_factory=HostClock)
    """What sessions ask for the time whose clock the host has."""


async def start(
    worker: Worker, checked: Checked, functions: Functions, limits: Limits, options: Options = Options()
) -> LiveExecution:
    """Start a script in a worker. A script that fails in this very moment does so when it is advanced."""
    asked, snippet = checked.prepared.asked, checked.prepared.snippet
    state = State(snippet, checked.text, checked.memory, asked.known)
    execution = LiveExecution(worker, functions, limits, options, state)
    text = prelude(snippet, asked.memory.loaded)
    try:
        if text:
            seeds = seeding(set(snippet.pieces) - asked.memory.loaded, options.seed) if options.seed else 'None'
            await worker.session.feed_run(f'{text}\n{seeds}', skip_type_check=True)
        execution.snapshot = await worker.session.feed_start(
            checked.text,
            inputs=dict(asked.inputs),
            print_callback=execution.stdout,
            skip_type_check=True,
            cwd=None if options.files is None else options.files.cwd,
        )
    except (MontyError, RuntimeError) as error:
        execution.error = error
    return execution


def seeding(loaded: Collection[str], seed: str) -> str:
    """What seeds those of the loaded polyfills that draw tokens: two sessions may resume with the same state."""
    return '\n'.join([*(f'{source}.seed({f"{seed} {source}"!r})' for source in sorted(_DRAWING & set(loaded))), 'None'])


async def restore(
    worker: Worker,
    state: bytes,
    functions: Functions,
    limits: Limits,
    options: Options = Options(),
    *,
    ask_again: bool = True,
    elapsed: float = 0.0,
) -> LiveExecution:
    """A script where its state was taken, in a worker that has run nothing.

    Args:
        worker: Lent to this script.
        state: What `Execution.state` gave.
        functions: Those that it may call from now on.
        limits: From now on.
        options: From now on.
        ask_again: Whether all open calls are new once more, because what ran them is gone. A durable engine, whose
            calls still run, says no, and answers them.
        elapsed: Seconds since then that count for sleeps and deadlines.

    Raises:
        StateError: This version cannot read the state.
        MontyError: The worker died of it.
        RuntimeError: The same.
    """
    saved = State.from_bytes(state)
    saved.scheduler.now += elapsed
    execution = LiveExecution(worker, functions, limits, options, saved)
    try:
        execution.snapshot = await worker.session.load_snapshot(saved.dump, print_callback=execution.stdout)
    except MontyRuntimeError as error:
        if worker.is_lost:
            raise
        raise StateError(f'the sandbox cannot load the state of the suspended snippet: {error}') from error
    execution.restored(ask_again=ask_again)
    return execution


@dataclass
class LiveExecution:
    """A script in its worker."""

    worker: Worker
    functions: Functions
    limits: Limits
    options: Options
    data: State
    snapshot: AsyncSnapshot | None = field(default=None, init=False)
    """Where it is."""
    error: Exception | None = field(default=None, init=False)
    """Why it did not start."""

    def __post_init__(self) -> None:
        self.stdout = CollectString(max_bytes=max(1, self.limits.max_stdout_chars))
        self._open = OpenCalls(self.data.open)
        self._scheduler = self.data.scheduler
        self._origin = asyncio.get_running_loop().time() - self._scheduler.now
        self.recorder = Recorder()
        self._lines = CallLines(self.data.snippet, self.data.code)
        self._has_cancelled = False
        """Whether the calls of a script that failed were cancelled."""
        self._exceeded: Exceeded | None = None
        self._stops = 0
        self._reported = 0
        """Characters of the output that the caller has."""
        self._announced = 0
        """Calls up to this id are in a state, if the caller saves any. At a restored one the caller knows more than it
        did then, such as decisions, so it saves a state once more."""
        self._repeated: AsyncSnapshot | None = None
        """Where it was restored: a change of a file there may have happened."""
        self._answer_here: Returned | Raised | None = None
        """Of the call at which the script stopped."""
        self._turns = 0
        """How many turns of the queue are left before the caller is asked again: those that were ready the last time.
        The loop of asyncio also runs all that is ready before it looks for more."""

    @property
    def crashed_at_once(self) -> bool:
        """Whether the worker died before the script could do anything, so that it may start in another one.

        A worker that Monty ended because the script computed too long is none of these: it would take as long again.
        """
        error = self.error
        return isinstance(error, MontyCrashedError) and not error.timed_out and not self.stdout.output

    def restored(self, *, ask_again: bool) -> None:
        """Take up where the state was taken."""
        self._repeated = self.snapshot
        if not ask_again:
            return
        for number, reason in self._scheduler.leaving.items():
            self._open.drop(number)
            self._scheduler.push(number, cancellation(reason))
        self._scheduler.leaving.clear()
        for number in sorted([*self._open.having('asked'), *self._open.having('waiting')]):
            self._open.mark(number, 'not asked')

    # -- the seam

    async def advance(self, answers: Sequence[Answer], /) -> Step:
        """Run the script as far as it gets."""
        began, limit = time.monotonic(), self.limits.max_script_seconds
        # Monty looks at its clock between operations, and some of them take long.
        watch = Watch(self.worker, 1.5 * limit, first_look=limit)
        self.recorder.answered(answers)
        try:
            if self.error is not None:
                # Its traceback holds this object: neither may hold the other for long.
                error, self.error = self.error, None
                raise error
            for answer in answers:
                self._take(answer)
            self._turns = _NOT_COUNTED
            step = await self._run(until=began + limit - self.data.seconds)
            if isinstance(step, Calls):
                self.recorder.called(step.new)
            return step
        except MontyError as error:
            if watch.stopped:
                return self.failed(SnippetError('limit', computed_too_long(self.limits)), lost=True)
            running = tuple(self.data.open[number].call.id for number in self._open.having('asked'))
            if self._scheduler.is_used and running and not self._has_cancelled:
                # What tasks wait for is cancelled with them.
                self.error, self._has_cancelled = error, True
                return Calls(cancelled=running, wake_in=0)
            return await self._broken(error)
        except RuntimeError as error:
            # What Monty's client says of a worker that has died depends on the moment; whether it has, does not.
            if not self.worker.is_lost:
                raise
            late = SnippetError('limit', computed_too_long(self.limits)) if watch.stopped else None
            return self.failed(late or self._report.from_loss(error), lost=True)
        finally:
            watch.end()
            self.data.seconds += time.monotonic() - began

    def state(self) -> bytes:
        """All that `restore` needs."""
        if self.error is not None or not isinstance(self.snapshot, AsyncFunctionSnapshot | AsyncFutureSnapshot):
            raise StateError('a script has a state only between two steps; a failed script has none')
        self._tick()
        return replace(self.data, stdout=self.printed, dump=self.snapshot.dump()).to_bytes()

    def take_back(self, calls: Iterable[Call]) -> None:
        """The caller does not get these calls, which the last step gave."""
        for call in calls:
            self._open.mark(self._open.number_of(call.id), 'not asked')

    def skip(self, seconds: float) -> None:
        """Let so much time pass for sleeps and deadlines."""
        self._origin -= seconds

    def suspended(self, calls: tuple[CallRecord, ...], waiting: tuple[Waiting, ...]) -> Suspended:
        """The outcome of a script all of whose calls wait, with the caller's records of them."""
        s = self.data.snippet
        return Suspended(s.text, s.fixes, self.printed, calls, self.state(), waiting, executed_code=s.awaiting)

    async def close(self) -> None:
        """End the script where it is, and its worker with it."""
        if self.snapshot is not None and not isinstance(self.snapshot, MontyComplete):
            self.worker.kill()

    def _tick(self) -> None:
        self._scheduler.now = self.recorder.time(asyncio.get_running_loop().time() - self._origin)

    def _take(self, answer: Answer) -> None:
        number, outcome = self._open.number_of(answer.call_id), answer.outcome
        reason = self._scheduler.leaving.pop(number, None) if self._scheduler.leaving else None
        if isinstance(outcome, Waits) and reason is None:
            self._open.mark(number, 'waiting')
            return
        if isinstance(outcome, Waits | Left):
            self._open.drop(number)
            self._scheduler.push(number, cancellation(reason or ''))
            return
        if isinstance(outcome, Raised):
            outcome = catchable(outcome)
            self.data.last_failed = self.data.open[number].call.line, str(outcome)
        if isinstance(self.snapshot, AsyncFunctionSnapshot) and self.snapshot.call_id == number:
            self._open.drop(number)
            self._answer_here = outcome
        else:
            self._open.settle(number, outcome)
            self._scheduler.push(number)

    # -- snapshots

    async def _run(self, *, until: float) -> Step:
        snapshot = self.snapshot
        while not isinstance(snapshot, MontyComplete):
            if time.monotonic() > until:
                return self.failed(self._report.from_limit(self._late()), lost=True)
            step = await self._look_at(snapshot)
            if isinstance(step, _ENDS):
                return step if isinstance(step, Calls) else self.failed(self._report.from_limit(step), lost=True)
            self.snapshot = snapshot = step
        return await self._completed(snapshot)

    async def _look_at(self, snapshot: AsyncSnapshot | None) -> _Next:
        if isinstance(snapshot, AsyncFunctionSnapshot):
            return await (self._system(snapshot) if snapshot.is_os_function else self._call(snapshot))
        if isinstance(snapshot, AsyncFutureSnapshot):
            return await self._futures(snapshot)
        assert isinstance(snapshot, AsyncNameLookupSnapshot)
        name = snapshot.variable_name
        if snapshot.object_id is None and self.functions.get(name.removeprefix(HOST)) is not None:
            return await snapshot.resume(value=placeholder(name))
        return await snapshot.resume()

    async def _call(self, snapshot: AsyncFunctionSnapshot) -> _Next:
        name, answer = snapshot.function_name, self._answer_here
        if answer is not None:
            self._answer_here = None
            return await snapshot.resume(for_monty(answer))
        if snapshot.call_id in self.data.open:
            return self._ask()
        if name == LOOP:
            return await self._loop(snapshot)
        if name == LIBRARY and self.options.library is not None:
            seconds = max(0.1, self.limits.max_script_seconds - self.data.seconds)
            answer = await library_answer(self.options.library, snapshot.args, snapshot.kwargs, seconds)
            return await _resumed(snapshot, answer)
        if name == FILE and self.options.files is not None:
            return await self._file(snapshot, self.options.files, str(snapshot.args[0]), tuple(snapshot.args[1:]))
        in_place = name.startswith(INLINE)
        name = name.removeprefix(INLINE).removeprefix(HOST)
        function = self.functions.get(name)
        if function is None:
            return await _resumed(snapshot, Raised('NameError', f"name '{name}' is not defined"))
        refused = await self._admit(snapshot, name, sequential=function.sequential)
        if refused is not None:
            return await (
                self._stop(snapshot, refused) if isinstance(refused, Exceeded) else _resumed(snapshot, refused)
            )
        if in_place or function.sequential:
            # The script stops here until it has the answer.
            return self._ask()
        reason = self._scheduler.own(snapshot.call_id)
        if reason is not None:
            self._cancel(snapshot.call_id, reason)
        return await snapshot.resume({'future': ...})

    async def _admit(self, snapshot: AsyncFunctionSnapshot, name: str, *, sequential: bool) -> Exceeded | Raised | None:
        """Take note of a new call. Why that cannot be, if it cannot."""
        try:
            args, kwargs = await carried_call(snapshot.args, snapshot.kwargs, self.limits.max_argument_bytes)
        except TooLarge as error:
            return Exceeded('max_argument_bytes', f'the arguments of {name} have {error}')
        except Exception:
            # Sets of instances and the like: Monty's client cannot build them here.
            return Raised('TypeError', f'{name}() got an argument that is neither text, number, list nor dict')
        if self.data.calls >= self.limits.max_calls:
            most = f'{self.limits.max_calls:,}'
            return Exceeded('max_calls', f'the snippet made more than {most} calls; this one of {name} was not run')
        self.data.calls += 1
        line = self._lines.of(snapshot)
        self._open.add(snapshot.call_id, Call(self.data.calls, name, tuple(args), kwargs, line, sequential=sequential))
        return None

    async def _stop(self, snapshot: AsyncFunctionSnapshot, exceeded: Exceeded) -> AsyncSnapshot | Exceeded:
        self._exceeded, self._stops = exceeded, self._stops + 1
        if self._stops > _MOST_STOPS:
            return exceeded
        # No `except Exception` catches this, so the script ends and the session stays usable.
        return await _resumed(snapshot, Raised('KeyboardInterrupt', exceeded.message))

    def _ask(self, wake_in: float | None = None) -> Calls:
        """The end of a step, with the calls that are new."""
        new, checkpoint = self._open.ask(), False
        if new:
            checkpoint, self._announced = self.data.calls > self._announced, self.data.calls
            printed = self.stdout.output
            news, self._reported = printed[self._reported :], len(printed)
            new[0] = replace(new[0], stdout=news) if news else new[0]
        return Calls(tuple(new), wake_in=wake_in, checkpoint=checkpoint)

    def _cancel(self, number: int, reason: str) -> bool:
        """A task that was cancelled does not want the call any more. Whether the caller has to hear of it."""
        status = self.data.open[number].status
        if status == 'asked':
            # It may have something to clean up, or even end well: the task runs on when it has ended.
            self._scheduler.leaving[number] = reason
            return True
        call = self._open.drop(number).call
        self._scheduler.push(number, cancellation(reason))
        if status == 'not asked':
            self.data.unasked.append(CallRecord(call, 'failed', call.line, CANCELLED.format('before it ran')))
        return status == 'waiting'

    # -- what can run next

    async def _futures(self, snapshot: AsyncFutureSnapshot) -> _Next:
        pending = set(snapshot.pending_call_ids)
        self._tick()
        while True:
            seconds = self._scheduler.settle_timers(self._open.having('waiting'))
            if self._scheduler and self._turns <= 0:
                if self._is_busy and self._turns != _NOT_COUNTED:
                    # What ended meanwhile gets its turn in the queue, and what is new starts.
                    return self._ask(wake_in=0)
                self._turns = len(self._scheduler.queue)
            self._turns -= 1
            answers = self._next(pending, one_by_one=self.data.snippet.interleaves or self._scheduler.is_used)
            if answers:
                return await snapshot.resume(answers)
            if self._is_busy:
                return self._ask(wake_in=seconds)
            only_deadlines, waits = self._scheduler.only_deadlines(), self._open.has('waiting')
            if seconds is not None and not (only_deadlines and (waits or not self._may_sleep(seconds))):
                return Calls(wake_in=seconds)
            if waits and self._exceeded is None:
                return Calls()
            if not self._scheduler.unstick():
                if self._scheduler.has_endless_sleeps() and self._exceeded is None:
                    self._exceeded = self._slept_too_long()
                return await self._stuck(snapshot)

    @property
    def _is_busy(self) -> bool:
        """Whether the caller has calls that run, or is to get some."""
        return self._open.has('asked') or self._open.has('not asked')

    def _next(self, pending: set[int], *, one_by_one: bool) -> dict[int, Any]:
        """The answers whose turn it is: one, unless no one could tell in which order they come."""
        answers = dict[int, Any]()
        while (turn := self._scheduler.pop(pending)) is not None:
            number, answer = turn
            given = self._open.take(number)
            answers[number] = for_monty(answer or given or Returned(None))
            if one_by_one:
                break
        return answers

    def _may_sleep(self, seconds: float) -> bool:
        """Whether the script may wait so long for a deadline while nothing is under way, which is a sleep too."""
        self.data.slept += seconds
        if self.data.slept > self.limits.max_sleep_seconds:
            self._exceeded = self._slept_too_long()
        return self._exceeded is None

    def _slept_too_long(self) -> Exceeded:
        return Exceeded('max_sleep_seconds', f'the script slept more than {self.limits.max_sleep_seconds:g} s in all')

    def _late(self) -> Exceeded:
        seconds = f'{self.limits.max_script_seconds:g} s'
        message = f'the script kept the host busy longer than {seconds}; call and sleep less often'
        return Exceeded('max_script_seconds', message)

    async def _stuck(self, snapshot: AsyncFutureSnapshot) -> AsyncSnapshot | Exceeded:
        exceeded = self._exceeded or Exceeded(
            'deadlock', 'nothing can continue, because every task waits for another one'
        )
        self._exceeded, self._stops = exceeded, self._stops + 1
        number = self._scheduler.owned_by(0, snapshot.pending_call_ids)
        if number is None or self._stops > _MOST_STOPS:
            return exceeded
        return await snapshot.resume({number: for_monty(Raised('KeyboardInterrupt', exceeded.message))})

    # -- what scripts ask of the host

    async def _loop(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Calls:
        """What the guest's `asyncio` asks."""
        scheduler, number = self._scheduler, snapshot.call_id
        self._tick()
        answer: Returned | Raised = Returned(None)
        match snapshot.args:
            case ('park', int(key), 'end', _):
                scheduler.park_until_stuck(number, key)
                return await snapshot.resume({'future': ...})
            case ('park', int(key), None | int() | float() as seconds, str(guarded)):
                scheduler.park(number, key, seconds, numbers_in(guarded))
                return await snapshot.resume({'future': ...})
            case ('wake', int(key), int(hops)):
                answer = answer if scheduler.wake(key, hops) else _TOO_MANY
            case ('soon', int(job)):
                answer = answer if scheduler.soon(job) else _TOO_MANY
            case ('cancel', int(task), str(reason)):
                keys, self.data.cancelling = self.data.cancelling, None
                if keys is None and self._open.has('not asked'):
                    # What was called before the cancellation has begun by then.
                    return self._ask(wake_in=0)
                if keys is None:
                    calls, keys, unslept = scheduler.cancel(task, reason)
                    self.data.slept -= unslept
                    cancelled = tuple([self.data.open[one].call.id for one in calls if one in self.data.open])
                    cancelled = tuple([call for call in cancelled if self._cancel(self._open.number_of(call), reason)])
                    if cancelled:
                        # Those that have nothing to clean up end in this very turn.
                        self.data.cancelling = keys
                        return Calls(cancelled=cancelled, wake_in=0)
                answer = Returned(keys)
            case ('doom', int(key), str(reason)):
                scheduler.doom(key, reason)
            case ('current',):
                answer = Returned(scheduler.current)
            case _:
                answer = Raised('TypeError', 'no such request')
        return await _resumed(snapshot, answer)

    async def _file(
        self, snapshot: AsyncFunctionSnapshot, files: HostFiles, name: str, args: tuple[Any, ...]
    ) -> AsyncSnapshot | Calls:
        answer = None
        if changes_files(name, args):
            repeats, self._repeated = snapshot is self._repeated, None
            answer = await answer_again(files, name, args, self.data.before) if repeats else None
            if answer is None and self.options.checkpoints and not self.data.changes_file:
                # A script that is restored here after a crash does nothing of what was before once more.
                self.data.before = await self.recorder.look(lambda: noted(files, name, args))
                self.data.changes_file = True
                return Calls(wake_in=0, checkpoint=True)
            self.data.changes_file = False
        kwargs = dict(snapshot.kwargs)

        async def answered() -> Returned | Raised:
            return answer or await file_answer(files, name, args, kwargs)

        return await _resumed(snapshot, await self.recorder.file((name, args, kwargs), answered))

    async def _system(self, snapshot: AsyncFunctionSnapshot) -> _Next:
        name, files = snapshot.function_name, self.options.files
        if files is not None and is_of_files(name):
            return await self._file(snapshot, files, name, tuple(snapshot.args))
        if name in CLOCK_FUNCTIONS:
            clock = self.options.clock
            now = self.recorder.time((clock.moment or datetime.now(UTC)).timestamp())
            clock = replace(clock, moment=datetime.fromtimestamp(now, UTC))
            return await snapshot.resume({'return_value': clock.read(name, tuple(snapshot.args))})
        if name not in ('time.sleep', 'asyncio.sleep'):
            return await snapshot.resume_not_handled()
        self._tick()
        if self.data.sleeps_until is None:
            seconds = max(0.0, float(snapshot.args[0]))
            if self.data.slept + seconds <= self.limits.max_sleep_seconds:
                self.data.slept += seconds
            elif name == 'time.sleep':
                return await self._stop(snapshot, self._slept_too_long())
            else:
                # It may be cancelled long before: only what waits for its end has slept too long.
                seconds = math.inf
            if name == 'asyncio.sleep':
                return await self._sleep_beside_others(snapshot, seconds)
            self.data.sleeps_until = self._scheduler.now + seconds
        left = self.data.sleeps_until - self._scheduler.now
        if left > _INSTANT:
            return Calls(wake_in=left)
        self.data.sleeps_until = None
        return await _resumed(snapshot, Returned(None))

    async def _sleep_beside_others(self, snapshot: AsyncFunctionSnapshot, seconds: float) -> AsyncSnapshot:
        reason = self._scheduler.own(snapshot.call_id)
        if reason is None:
            self._scheduler.sleep(snapshot.call_id, seconds)
        else:
            self._scheduler.push(snapshot.call_id, cancellation(reason))
        return await snapshot.resume({'future': ...})

    # -- outcomes

    async def _completed(self, end: MontyComplete) -> Completed | Failed:
        if self._exceeded is not None:
            return self.failed(self._report.from_limit(self._exceeded), lost=False)
        try:
            result = await carried_aside(_output(end), self.limits.max_result_bytes)
        except TooLarge as error:
            return self.failed(self._report.from_result(str(error)), lost=False)
        missed = await self._missed()
        if missed:
            return self.failed(self._report.never_awaited(*missed[0]), lost=False)
        s, calls = self.data.snippet, tuple(self.data.unasked)
        return Completed(
            s.text,
            s.fixes,
            self.printed,
            calls,
            result.value,
            s.name,
            executed_code=s.awaiting,
            changes=result.changes,
        )

    async def _missed(self) -> list[tuple[str, int | None]]:
        """The calls that the script did not await: functions and lines."""
        missed = [(record.call.function, record.line) for record in self._not_started()]
        snippet = self.data.snippet
        if snippet.tasks or not defers(self.data.code):
            return missed
        left = await left_behind(self.worker.session)
        return [*missed, *((name.removeprefix(HOST), line) for name, line in left)]

    async def _broken(self, error: MontyError) -> Failed:
        report, lost = self._report, self.worker.is_lost
        if self._exceeded is not None and not lost:
            return self.failed(report.from_limit(self._exceeded), lost=False)
        lost = lost or report.is_lost(error)
        keys = None if lost else await keys_at(error, self.data.snippet, self.worker.session)
        return self.failed(report.from_monty(error, keys, lost=lost), lost=lost)

    def failed(self, error: SnippetError, *, lost: bool = False) -> Failed:
        """The outcome of a script that is not run any further."""
        s, calls = self.data.snippet, (*self.data.unasked, *self._not_started())
        return Failed(s.text, s.fixes, self.printed, calls, error, session_lost=lost, executed_code=s.awaiting)

    def _not_started(self) -> list[CallRecord]:
        calls = [self.data.open[number].call for number in self._open.having('not asked')]
        return [CallRecord(call, 'not started', call.line) for call in calls]

    @property
    def _report(self) -> Report:
        data = self.data
        return Report(data.snippet, self.functions, self.limits, data.known, data.calls > 0, data.last_failed)

    @property
    def printed(self) -> str:
        """All that the script has printed."""
        return self.data.stdout + self.stdout.output


async def _resumed(snapshot: AsyncFunctionSnapshot, answer: Returned | Raised) -> AsyncSnapshot:
    return await snapshot.resume(for_monty(answer))


def _output(end: MontyComplete) -> Any:
    try:
        return end.output
    except Exception:
        # Sets of instances and the like are values in the sandbox that Python cannot build here.
        return '<a value that cannot leave the sandbox; turn it into dicts, lists and strings>'


_ENDS = (Calls, Exceeded)
_DRAWING = frozenset([polyfill('uuid', '_source')])
"""What polyfills draw from, beside `random`."""
CANCELLED = 'CancelledError: the script cancelled it {}'
_TOO_MANY = Raised('MemoryError', 'too many tasks')
_INSTANT = 1e-9
"""Seconds by which sums of times differ from each other."""
_NOT_COUNTED = -1_000_000
"""Turns, when the caller has just been asked."""
_MOST_STOPS = 3
# A script may still catch BaseException; after so many times it is left where it is, and its session with it.
