"""A script in a worker that it keeps between its steps: the usual `Execution`.

Monty runs the script until it needs the host, and returns a snapshot. If the host can answer a snapshot, it does so at
once; otherwise the step ends, and the same snapshot is handled again when the caller advances. Nothing is dumped unless
the caller asks for the state.
"""

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
from toolscript_sandbox.messages.report import Report, with_calls
from toolscript_sandbox.messages.tripped import computed_too_long
from toolscript_sandbox.mounts.host_files import HostFiles
from toolscript_sandbox.serialization.serialize import TooLarge, convert_async, convert_call
from toolscript_sandbox.transforms.preparation import prelude
from toolscript_sandbox.workers.process import Watch, Worker

from .answers import LIBRARY, cancellation, catchable, for_monty, library_answer, placeholder
from .calls import CallLines, OpenCalls
from .file_calls import FILE, answer_again, changes_files, file_answer, is_of_files, noted
from .inspection import coroutines_in, defers, keys_at, unawaited_calls
from .preparation import Prepared
from .protocol import Answer, Calls, Raised, Returned, Step
from .recording import RecordedScript, Recorder, Recording
from .scheduler import LOOP, numbers_in
from .state import State

_Next: TypeAlias = AsyncSnapshot | Calls | Exceeded
"""The result of handling a snapshot: the next snapshot, the end of a step, or a script that ignores a limit."""


@dataclass(frozen=True)
class Options:
    """The settings with which scripts run, apart from their limits."""

    checkpoints: bool = False
    """Whether the caller saves states: then a step ends before each change of a file."""
    files: HostFiles | None = None
    """The folders that scripts see, if any."""
    library: HostLibrary | None = None
    """The processes for functions of CPython's library; without it, a script that needs one raises `NameError`."""
    seed: str = ''
    """The seed of the tokens and identifiers that scripts generate; if empty, the worker's own seed is used."""
    clock: HostClock = field(default_factory=HostClock)
    """The clock of sessions whose time the host provides."""


async def start(worker: Worker, prepared: Prepared, options: Options = Options()) -> 'LiveExecution':
    """Start a script in a worker. If the start fails, the error is reported when the script is advanced."""
    asked, snippet = prepared.asked, prepared.snippet
    state = State(snippet, prepared.memory, asked.known)
    execution = LiveExecution(worker, asked.functions, asked.limits, options, state)
    text = prelude(snippet, asked.memory.polyfills)
    try:
        if text:
            seeds = seeding(set(snippet.polyfills) - asked.memory.polyfills, options.seed) if options.seed else 'None'
            await worker.session.feed_run(f'{text}\n{seeds}', skip_type_check=True)
        execution.snapshot = await worker.session.feed_start(
            snippet.code.text,
            inputs=dict(asked.inputs),
            print_callback=execution.stdout,
            skip_type_check=True,
            cwd=None if options.files is None else options.files.cwd,
        )
    except (MontyError, RuntimeError) as error:
        execution.error = error
    return execution


def seeding(loaded: Collection[str], seed: str) -> str:
    """Return code that seeds loaded polyfills which generate tokens: two sessions may resume from the same state."""
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
) -> 'LiveExecution':
    """Restore a script from its state, in a worker that has not run anything.

    Args:
        worker: Lent to this script.
        state: The result of `Execution.state`.
        functions: The functions that the script may call from now on.
        limits: The limits from now on.
        options: The settings from now on.
        ask_again: Whether all open calls are returned as new again, because the process that ran them is gone. False
            for a durable engine, whose calls still run and which answers them.
        elapsed: Seconds since the state was saved that count for sleeps and deadlines.

    Raises:
        StateError: This version cannot read the state.
        MontyError: The worker died while it read the state.
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
        raise StateError(f'the sandbox cannot load the state of the suspended script: {error}') from error
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
    """The current snapshot."""
    error: Exception | None = field(default=None, init=False)
    """The error that kept the script from starting."""

    def __post_init__(self) -> None:
        printed = len(self.data.stdout.encode('utf-8', 'surrogatepass'))
        self.stdout = CollectString(max_bytes=max(1, self.limits.max_stdout_chars - printed))
        self._open = OpenCalls(self.data.open)
        self._scheduler = self.data.scheduler
        self._origin = asyncio.get_running_loop().time() - self._scheduler.now
        self.recorder = Recorder(Recording(incomplete='nothing is recorded'), RecordedScript())
        self._lines = CallLines(self.data.snippet.code)
        self._has_cancelled = False
        """Whether the calls of the failed script were cancelled."""
        self._announced = 0
        """Calls up to this id are in a state, if the caller saves states. After a restore the caller knows more than
        that state, such as decisions, so it saves again."""
        self._repeated: AsyncSnapshot | None = None
        """The snapshot at which the script was restored: if it changes a file, that may already have happened."""
        self._turns = 0
        """How many turns of the queue remain before the caller is asked again: those that were ready the last time.
        The asyncio loop also runs everything that is ready before it polls for more."""

    @property
    def crashed_at_once(self) -> bool:
        """Whether the worker died before the script could do anything, so that it may start in another one.

        False if Monty ended the worker because the script computed too long: that would happen again.
        """
        error = self.error
        return isinstance(error, MontyCrashedError) and not error.timed_out and not self.stdout.output

    def restored(self, *, ask_again: bool) -> None:
        """Prepare the calls, the queue and the snapshot of a restored script."""
        self._repeated = self.snapshot
        if not ask_again:
            return
        self.data.reported = len(self.data.stdout)
        for number, reason in self._scheduler.leaving.items():
            self._open.drop(number)
            self._scheduler.push(number, cancellation(reason))
        self._scheduler.leaving.clear()
        for number in sorted([*self._open.having('asked'), *self._open.having('waiting')]):
            self._open.mark(number, 'not asked')

    # -- the `Execution` protocol

    async def advance(self, answers: Sequence[Answer], /) -> Step:
        began, limit = time.monotonic(), self.limits.max_script_seconds
        # Monty checks its clock only between operations, and some of them take long.
        watch = Watch(self.worker, 1.5 * limit, first_look=limit)
        self.recorder.answered(answers)
        try:
            if self.error is not None:
                # The error's traceback refers to this object, so drop the reference to break the cycle.
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
                # Cancelling the tasks cancels the calls that they wait for.
                self.error, self._has_cancelled = error, True
                return Calls(cancelled=running, wake_in=0)
            return await self._broken(error)
        except RuntimeError as error:
            # The error of Monty's client for a dead worker varies with timing; `is_lost` does not.
            if not self.worker.is_lost:
                raise
            late = SnippetError('limit', computed_too_long(self.limits)) if watch.stopped else None
            return self.failed(late or self._report.from_loss(error), lost=True)
        finally:
            watch.end()
            self.data.seconds += time.monotonic() - began

    def state(self) -> bytes | Failed:
        if self.error is not None or not isinstance(self.snapshot, AsyncFunctionSnapshot | AsyncFutureSnapshot):
            raise StateError('a script has a state only between two steps; a failed script has none')
        self._tick()
        try:
            return replace(self.data, stdout=self.printed, dump=self.snapshot.dump()).to_bytes()
        except MontyError as raised:
            # The worker needs memory for the dump beside what the script holds.
            error = self._report.from_monty(raised, lost=True)
        except RuntimeError as raised:
            error = self._report.from_loss(raised)
        return self.failed(error, lost=True)

    def take_back(self, calls: Iterable[Call]) -> None:
        """Withdraw these calls of the last step from the caller."""
        for call in calls:
            self._open.mark(self._open.number_of(call.id), 'not asked')

    def skip(self, seconds: float) -> None:
        """Let this many seconds pass for sleeps and deadlines."""
        self._origin -= seconds

    def suspended(self, calls: tuple[CallRecord, ...], waiting: tuple[Waiting, ...]) -> Suspended | Failed:
        """Return the outcome of a script whose calls all wait, with the caller's records of them."""
        state, executed_code = self.state(), self.data.snippet.awaiting
        if isinstance(state, Failed):
            return replace(state, calls=calls, error=with_calls(state.error, calls, lost=True))
        return Suspended(*self._shared(calls), state, waiting, executed_code=executed_code)

    async def close(self) -> None:
        """Stop an unfinished script by killing its worker."""
        if self.snapshot is not None and not isinstance(self.snapshot, MontyComplete):
            self.worker.kill()

    def _tick(self) -> None:
        self._scheduler.now = self.recorder.time(asyncio.get_running_loop().time() - self._origin)

    def _take(self, answer: Answer) -> None:
        self._scheduler.since = self._scheduler.now
        number, outcome = self._open.number_of(answer.call_id), answer.outcome
        reason = self._scheduler.leaving.pop(number, None)
        if outcome == 'waits' and reason is None:
            self._open.mark(number, 'waiting')
            return
        if outcome in ('waits', 'left'):
            self._open.drop(number)
            self._scheduler.push(number, cancellation(reason or ''))
            return
        if isinstance(outcome, Raised):
            outcome = catchable(outcome)
            self.data.last_failed = self.data.open[number].call.line, str(outcome)
        self._open.settle(number, outcome)
        if not (isinstance(self.snapshot, AsyncFunctionSnapshot) and self.snapshot.call_id == number):
            self._scheduler.push(number)

    # -- snapshots

    async def _run(self, *, until: float) -> Step:
        snapshot = self.snapshot
        while not isinstance(snapshot, MontyComplete):
            if time.monotonic() > until:
                busy = f'the script kept the host busy longer than {self.limits.max_script_seconds:g} s'
                late = Exceeded('max_script_seconds', f'{busy}; call and sleep less often')
                return self.failed(self._report.from_limit(late), lost=True)
            step = await self._handle_snapshot(snapshot)
            if isinstance(step, _ENDS):
                return step if isinstance(step, Calls) else self.failed(self._report.from_limit(step), lost=True)
            self.snapshot = snapshot = step
        return await self._completed(snapshot)

    async def _handle_snapshot(self, snapshot: AsyncSnapshot | None) -> _Next:
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
        name, answer = snapshot.function_name, self._open.take(snapshot.call_id)
        if answer is not None:
            return await _resumed(snapshot, answer)
        if snapshot.call_id in self.data.open:
            return self._end_step()
        if name == LOOP:
            return await self._loop(snapshot)
        try:
            args, kwargs = (snapshot.args, snapshot.kwargs) if name in (LIBRARY, FILE) else ((), {})
        except TypeError:
            # Monty's client cannot build some values in Python, such as sets of instances.
            return await _resumed(snapshot, _NOT_PLAIN)
        if name == LIBRARY and self.options.library is not None:
            seconds = max(0.1, self.limits.max_script_seconds - self.data.seconds)
            answer = await library_answer(self.options.library, args, kwargs, seconds)
            return await _resumed(snapshot, answer)
        if name == FILE and self.options.files is not None:
            match args:
                case (str(operation), str(), *_):
                    return await self._file(snapshot, self.options.files, operation, tuple(args[1:]))
                case _:
                    return await _resumed(snapshot, _NO_REQUEST)
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
            # The script waits here until it has the answer.
            return self._end_step()
        reason = self._scheduler.own(snapshot.call_id)
        if reason is not None:
            self._cancel(snapshot.call_id, reason)
        return await snapshot.resume({'future': ...})

    async def _admit(self, snapshot: AsyncFunctionSnapshot, name: str, *, sequential: bool) -> Exceeded | Raised | None:
        """Register a new call. Returns why it was refused, or None."""
        try:
            args, kwargs = await convert_call(snapshot.args, snapshot.kwargs, self.limits.max_argument_bytes)
        except TooLarge as error:
            return Exceeded('max_argument_bytes', f'the arguments of {name} have {error}. Pass less')
        except Exception:
            # Monty's client cannot build some values in Python, such as sets of instances.
            return Raised('TypeError', f'{name}() got an argument that is neither text, number, list nor dict')
        if self.data.calls >= self.limits.max_calls:
            most = f'{self.limits.max_calls:,}'
            message = f'the script made over {most} calls; this one of {name} was not run'
            return Exceeded('max_calls', f'{message}. Look for a loop that does not end, or continue in another script')
        self.data.calls += 1
        line = self._lines.of(snapshot)
        self._open.add(snapshot.call_id, Call(self.data.calls, name, tuple(args), kwargs, line, sequential=sequential))
        return None

    async def _stop(self, snapshot: AsyncFunctionSnapshot, exceeded: Exceeded) -> AsyncSnapshot | Exceeded:
        self.data.exceeded, self.data.stops = exceeded, self.data.stops + 1
        if self.data.stops > _MAX_STOPS:
            return exceeded
        # `except Exception` does not catch this, so the script ends and the session stays usable.
        return await _resumed(snapshot, Raised('KeyboardInterrupt', exceeded.message))

    def _end_step(self, wake_in: float | None = None) -> Calls:
        new, checkpoint = self._open.ask(), False
        if new:
            checkpoint, self._announced = self.data.calls > self._announced, self.data.calls
            printed = self.printed
            news, self.data.reported = printed[self.data.reported :], len(printed)
            new[0] = replace(new[0], stdout=news) if news else new[0]
        return Calls(tuple(new), wake_in=wake_in, checkpoint=checkpoint)

    def _cancel(self, number: int, reason: str) -> bool:
        """Cancel the call of a cancelled task. Returns whether the caller must be notified."""
        status = self.data.open[number].status
        if status == 'asked':
            # The call may need to clean up, or may even succeed: the task resumes when the call has ended.
            self._scheduler.leaving[number] = reason
            return True
        call = self._open.drop(number).call
        self._scheduler.push(number, cancellation(reason))
        if status == 'not asked':
            self.data.unasked.append(CallRecord(call, 'failed', CANCELLED.format('before it ran')))
        return status == 'waiting'

    # -- what can run next

    async def _futures(self, snapshot: AsyncFutureSnapshot) -> _Next:
        pending = set(snapshot.pending_call_ids)
        self._tick()
        while True:
            seconds = self._scheduler.settle_timers(self._open.having('waiting'))
            if self._scheduler and self._turns <= 0:
                if self._is_busy and self._turns != _NOT_COUNTED:
                    # Calls that ended meanwhile enter the queue, and new calls start.
                    return self._end_step(wake_in=0)
                self._turns = len(self._scheduler.queue)
            self._turns -= 1
            answers = self._next(pending, one_by_one=self.data.snippet.interleaves or self._scheduler.is_used)
            if answers:
                return await snapshot.resume(answers)
            if self._is_busy:
                return self._end_step(wake_in=seconds)
            only_deadlines, waits = self._scheduler.only_deadlines(), self._open.has('waiting')
            if seconds is not None and not (only_deadlines and (waits or not self._may_sleep(seconds))):
                return Calls(wake_in=seconds)
            if waits and self.data.exceeded is None:
                return Calls()
            if not self._scheduler.unstick():
                if self._scheduler.has_endless_sleeps() and self.data.exceeded is None:
                    self.data.exceeded = self._slept_too_long()
                return await self._stuck(snapshot)

    @property
    def _is_busy(self) -> bool:
        """Whether the caller has running calls, or will receive new ones."""
        return self._open.has('asked') or self._open.has('not asked')

    def _next(self, pending: set[int], *, one_by_one: bool) -> dict[int, Any]:
        """Return the next answers: one, or all of them if the script cannot observe their order."""
        answers = dict[int, Any]()
        while (turn := self._scheduler.pop(pending)) is not None:
            number, answer = turn
            given = self._open.take(number)
            answers[number] = for_monty(answer or given or Returned(None))
            if one_by_one:
                break
        return answers

    def _may_sleep(self, seconds: float) -> bool:
        """Return whether the script may wait this long for a deadline with no call running, which counts as a sleep."""
        self.data.slept += seconds
        if self.data.slept > self.limits.max_sleep_seconds:
            self.data.exceeded = self._slept_too_long()
        return self.data.exceeded is None

    def _slept_too_long(self) -> Exceeded:
        most = f'{self.limits.max_sleep_seconds:g} s'
        return Exceeded('max_sleep_seconds', f'the script slept more than {most} in all. Sleep less')

    async def _stuck(self, snapshot: AsyncFutureSnapshot) -> AsyncSnapshot | Exceeded:
        exceeded = self.data.exceeded or Exceeded(
            'deadlock', 'nothing can continue, because every task waits for another one'
        )
        self.data.exceeded, self.data.stops = exceeded, self.data.stops + 1
        number = self._scheduler.owned_by(0, snapshot.pending_call_ids)
        if number is None or self.data.stops > _MAX_STOPS:
            return exceeded
        return await snapshot.resume({number: for_monty(Raised('KeyboardInterrupt', exceeded.message))})

    # -- requests of scripts to the host

    async def _loop(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot | Calls:
        """Handle a request of the polyfill of `asyncio`."""
        scheduler, number = self._scheduler, snapshot.call_id
        self._tick()
        answer: Returned | Raised = Returned(None)
        match snapshot.args:
            case ('park', int(key), 'end', _):
                scheduler.park(number, key, None, [])
                scheduler.last = number
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
                    # Calls made before the cancellation must start before it.
                    return self._end_step(wake_in=0)
                if keys is None:
                    calls, keys, unslept = scheduler.cancel(task, reason)
                    self.data.slept -= unslept
                    cancelled = tuple([self.data.open[one].call.id for one in calls if one in self.data.open])
                    cancelled = tuple([call for call in cancelled if self._cancel(self._open.number_of(call), reason)])
                    if cancelled:
                        # Calls without anything to clean up end in this turn.
                        self.data.cancelling = keys
                        return Calls(cancelled=cancelled, wake_in=0)
                answer = Returned(keys)
            case ('doom', int(key), str(reason)):
                scheduler.doom(key, reason)
            case ('current',):
                answer = Returned(scheduler.current)
            case _:
                answer = _NO_REQUEST
        return await _resumed(snapshot, answer)

    async def _file(
        self, snapshot: AsyncFunctionSnapshot, files: HostFiles, name: str, args: tuple[Any, ...]
    ) -> AsyncSnapshot | Calls:
        answer = None
        if changes_files(name, args):
            repeats, self._repeated = snapshot is self._repeated, None
            answer = await answer_again(files, name, args, self.data.before) if repeats else None
            if answer is None and self.options.checkpoints and not self.data.changes_file:
                # A script that is restored here after a crash does not repeat anything that happened before.
                self.data.before = None if self.recorder.replays else await noted(files, name, args)
                self.data.changes_file = True
                return Calls(wake_in=0, checkpoint=True)
            self.data.changes_file = False
        asked = name, args, dict(snapshot.kwargs)
        answer = self.recorder.replayed(asked) or answer or await file_answer(files, *asked)
        self.recorder.file(asked, answer)
        return await _resumed(snapshot, answer)

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
                # It may be cancelled long before. Only a script that waits until its end has slept too long.
                seconds = math.inf
            if name == 'asyncio.sleep':
                self._scheduler.sleep(snapshot.call_id, seconds)
                return await snapshot.resume({'future': ...})
            self.data.sleeps_until = self._scheduler.now + seconds
        left = self.data.sleeps_until - self._scheduler.now
        if left > _INSTANT:
            return Calls(wake_in=left)
        self.data.sleeps_until, self._scheduler.since = None, self._scheduler.now
        return await _resumed(snapshot, Returned(None))

    # -- outcomes

    async def _completed(self, end: MontyComplete) -> Completed | Failed:
        if self.data.exceeded is not None:
            return self.failed(self._report.from_limit(self.data.exceeded), lost=False)
        try:
            result = await convert_async(_output(end), self.limits.max_result_bytes)
        except TooLarge as error:
            return self.failed(self._report.from_result(str(error)), lost=False)
        names = coroutines_in(result.value)
        # Text of a tool may look the same.
        returned = [(name, None) for name in names if f'def {name}(' in self.data.snippet.text]
        missed = [*await self._unawaited_calls(), *returned]
        if missed:
            return self.failed(self._report.never_awaited(*missed[0]), lost=False)
        s, calls = self.data.snippet, tuple(self.data.unasked)
        return Completed(*self._shared(calls), result.value, s.name, result.changes, executed_code=s.awaiting)

    def _shared(self, calls: tuple[CallRecord, ...]) -> tuple[str, tuple[str, ...], str, tuple[CallRecord, ...]]:
        return self.data.snippet.text, self.data.snippet.fixes, self.printed, calls

    async def _unawaited_calls(self) -> list[tuple[str, int | None]]:
        """Return the calls that the script did not await: functions and lines."""
        missed = [(record.call.function, record.call.line) for record in self._not_started()]
        snippet = self.data.snippet
        if snippet.tasks or not defers(snippet.code.text):
            return missed
        left = await unawaited_calls(self.worker.session)
        return [*missed, *((name.removeprefix(HOST), line) for name, line in left)]

    async def _broken(self, error: MontyError) -> Failed:
        report, lost = self._report, self.worker.is_lost
        if self.data.exceeded is not None and not lost:
            return self.failed(report.from_limit(self.data.exceeded), lost=False)
        lost = lost or report.is_lost(error)
        keys = None if lost else await keys_at(error, self.data.snippet, self.worker.session)
        return self.failed(report.from_monty(error, keys, lost=lost), lost=lost)

    def failed(self, error: SnippetError, *, lost: bool = False) -> Failed:
        """Return the outcome of a script that will not be run any further."""
        calls, executed_code = (*self.data.unasked, *self._not_started()), self.data.snippet.awaiting
        return Failed(*self._shared(calls), error, session_lost=lost, executed_code=executed_code)

    def _not_started(self) -> list[CallRecord]:
        return [CallRecord(self.data.open[number].call, 'not started') for number in self._open.having('not asked')]

    @property
    def _report(self) -> Report:
        data = self.data
        return Report(data.snippet, self.functions, self.limits, data.known, data.calls > 0, data.last_failed)

    @property
    def printed(self) -> str:
        return self.data.stdout + self.stdout.output


async def _resumed(snapshot: AsyncFunctionSnapshot, answer: Returned | Raised) -> AsyncSnapshot:
    return await snapshot.resume(for_monty(answer))


def _output(end: MontyComplete) -> Any:
    try:
        return end.output
    except Exception:
        # Python cannot build some values of the sandbox, such as sets of instances.
        return '<a value that cannot leave the sandbox; turn it into dicts, lists and strings>'


_ENDS = (Calls, Exceeded)
_DRAWING = frozenset([polyfill('uuid', '_source')])
"""The sources of randomness in polyfills, apart from `random`."""
CANCELLED = 'CancelledError: the script cancelled it {}'
_NO_REQUEST = Raised('TypeError', 'no such request')
_NOT_PLAIN = Raised('TypeError', 'only plain values are taken here, so no objects of the script in sets or as keys')
_TOO_MANY = Raised('MemoryError', 'too many tasks')
_INSTANT = 1e-9
"""Seconds by which sums of times may differ because of rounding."""
_NOT_COUNTED = -1_000_000
"""The value of `_turns` when the caller has just been asked."""
_MAX_STOPS = 3
# A script may still catch BaseException; after this many times it is abandoned together with its session.
