"""A REPL whose variables persist across the scripts of one run."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Protocol, Self

from pydantic_monty import AsyncMontySession, MontyError

from .checking.checker import CheckContext, Diagnostic, Unchecked
from .contract.calls import CallRecord, Dispatch
from .contract.errors import SnippetError, StateError, Unavailable
from .contract.frozen_clock import HostClock, SessionClock
from .contract.functions import Functions
from .contract.limits import Limits
from .contract.outcomes import Completed, Failed, Outcome, SavedSession
from .contract.tracing import Tracing
from .event_loop.loop_turns import wait_for_step_slot
from .execution.executor import LiveExecution, Options, restore, seeding, start
from .execution.in_flight import Checkpoint, InFlight, run_to_outcome
from .execution.inspection import seen, shrink_dump, size_facts
from .execution.memory import Memory
from .execution.preparation import Asked, Prepared, in_thread_if_long
from .execution.preview import EndPreview, PreviewDispatch, preview
from .execution.protocol import Execution
from .execution.recording import RecordedScript, Recorder, Recording, Segment
from .execution.state import NOT_WAITING, SessionState
from .execution.telemetry import CHECK, SnippetSpan, script_span
from .host_library import HostLibrary
from .messages.report import with_note_of_loss
from .mounts.host_files import HostFiles
from .polyfills import linker
from .workers.process import Worker


class WorkerSource(Protocol):
    """The part of the sandbox that a session uses."""

    @property
    def library(self) -> HostLibrary: ...

    async def worker(self, limits: Limits, frozen_clock: SessionClock | None = None, *, seed: bytes = b'') -> Worker:
        """Lend a worker with this seed to this session alone; with `frozen_clock`, its clock is frozen."""
        ...

    async def give_back(self, worker: Worker) -> None: ...

    async def check(self, code: str, context: CheckContext, *, is_heavy: bool = False) -> list[Diagnostic]:
        """Return the type checker's findings. Raises `Unchecked` if the check does not end."""
        ...


class Session:
    """Keeps variables across scripts. Takes a worker for the first one."""

    _patience = 0.0
    """How long answers wait for others, as a multiple of the time that they took: see `InFlight`."""

    def __init__(
        self,
        workers: WorkerSource,
        limits: Limits,
        *,
        frozen_clock: SessionClock | None = None,
        files: HostFiles | None = None,
    ) -> None:
        self._workers = workers
        self._limits = limits
        self._as_of = frozen_clock
        self._files = files
        self._lock = asyncio.Lock()
        self._worker: Worker | None = None
        self._memory = Memory()
        self._recording = Recording()
        """Everything that the session has done since it began."""
        self._segment = Segment()
        """The part of the recording that belongs to the current worker."""
        self._ended = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._ended = True
        # A cancelled agent exits in the middle of a script and does not wait for it.
        await self._drop(at_once=self._lock.locked())

    @property
    def limits(self) -> Limits:
        """The limits of the session."""
        return self._limits

    @property
    def worker(self) -> AsyncMontySession | None:
        """The current worker, for diagnosis; None before the first script."""
        return None if self._worker is None else self._worker.session

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables that the scripts left, including functions and imports."""
        return self._memory.variables

    async def restart(self) -> None:
        """Forget all variables."""
        async with self._lock:
            await self._drop()

    async def run(
        self,
        code: str,
        functions: Functions,
        dispatch: Dispatch,
        *,
        checkpoint: Checkpoint | None = None,
        predefined: Mapping[str, Any] | None = None,
        tracing: Tracing | None = None,
    ) -> Outcome:
        """Fix, check and run a script with the variables in `predefined` set.

        `checkpoint` receives the state before new calls start or a file changes, and the calls that ended since the
        previous state. A state does not contain ended calls, so its size does not grow with the number of calls.

        Raises what `dispatch` raises to end the script, and `Unavailable` if no worker is available.
        """
        async with self._lock:
            with script_span(tracing, 'run script') as span:
                lost_variables = await self._has_lost_variables()
                asked = self._asked(code, functions, dict(predefined or {}))
                execution = await self._started(asked, checkpoint is not None, tracing, span)
                if isinstance(execution, Failed):
                    outcome = execution
                else:
                    in_flight = InFlight(dispatch, self._limits, patience=self._patience)
                    async with self._dropping():
                        ended = await run_to_outcome(execution, in_flight, checkpoint)
                    outcome = await self._ended_as(execution, in_flight, ended)
                outcome = with_note_of_loss(outcome) if lost_variables else outcome
                span.ended(outcome)
                return outcome

    async def check(self, code: str, functions: Functions, *, tracing: Tracing | None = None) -> Failed | None:
        """Return the failure with which `run` would refuse a script before running it, or None."""
        asked = self._asked(code, functions, {})
        prepared = await self._prepared_and_checked(asked, tracing)
        return prepared if isinstance(prepared, Failed) else None

    async def warm(self) -> None:
        """Take a worker now instead of with the first script."""
        async with self._lock:
            await self._take_worker()

    async def resume(
        self,
        state: bytes,
        functions: Functions,
        dispatch: Dispatch,
        *,
        calls: Sequence[CallRecord] = (),
        checkpoint: Checkpoint | None = None,
        tracing: Tracing | None = None,
    ) -> Outcome:
        """Resume a suspended script in a session that has not run anything yet.

        `calls` are the records of the script's calls so far, which the outcome includes. Every call that was waiting
        or in flight is dispatched again under its old id.
        """
        async with self._lock:
            if self._worker is not None:
                raise StateError('this session has run a script already; resume in a new session')
            with script_span(tracing, 'resume script') as span:
                execution = await self._resumed(state, functions, checkpoint is not None, span)
                in_flight = InFlight(dispatch, self._limits, patience=self._patience, earlier=calls)
                async with self._dropping():
                    ended = await run_to_outcome(execution, in_flight, checkpoint)
                outcome = await self._ended_as(execution, in_flight, ended)
                span.ended(outcome)
                return outcome

    async def preview(
        self, state: bytes, functions: Functions, dispatch: PreviewDispatch, *, latest_first: bool, seconds: float
    ) -> Completed | Failed | None:
        """Run a copy of a suspended script in a session that has not run anything yet, to see which calls it makes.

        Returns None if the dispatcher ended it, all remaining calls wait, or a file was about to change.
        """
        async with self._lock, self._dropping():
            execution = await self._restored(state, functions, self._options(checkpoints=True))
            try:
                return await preview(execution, dispatch, latest_first=latest_first, seconds=seconds)
            except EndPreview:
                return None
            finally:
                await execution.close()
                await self._drop()

    async def dump(self, max_bytes: int) -> SavedSession | None:
        """Save the variables that the scripts left, for `load`. Returns None if there is nothing to save.

        Variables that would make the state larger than `max_bytes` are left out.
        """
        async with self._lock:
            worker = self._worker
            if worker is None or worker.is_lost or not self._memory.variables:
                return None
            try:
                return await self._saved(worker, max_bytes)
            except (MontyError, RuntimeError):
                if worker.is_lost:
                    return None
                raise

    async def load(self, state: bytes, functions: Functions) -> None:
        """Restore the variables of a saved session, in a session that has not run anything yet.

        Functions among the variables resolve their calls through `functions`, and never through those offered before.
        Raises `StateError` for a state that another version saved.
        """
        saved = SessionState.from_bytes(state)
        async with self._lock:
            if self._memory.variables:
                raise StateError('this session has run a script already; load the variables into a new session')
            await self._loaded(saved, functions)

    async def _loaded(self, saved: SessionState, functions: Functions) -> None:
        for attempt in range(1, _ATTEMPTS + 1):
            worker = await self._take_worker()
            try:
                await worker.session.load_session(saved.dump)
                await worker.session.feed_run(seeding(saved.memory.polyfills, self._segment.seed), skip_type_check=True)
                break
            except (MontyError, RuntimeError) as error:
                was_lost = worker.is_lost
                await self._drop(at_once=True)
                # A worker that died says nothing about the variables.
                if not was_lost or attempt == _ATTEMPTS:
                    raise StateError(f'the sandbox cannot load the variables: {error}') from error
        self._memory = saved.memory.offered(functions)
        self._recording = saved.recording or Recording(incomplete=_UNKNOWN)
        self._recording.segments.append(self._segment)

    async def _saved(self, worker: Worker, max_bytes: int) -> SavedSession | None:
        missing = [one for one in linker.in_order([size_facts()]) if one not in self._memory.polyfills]
        if missing:
            await worker.session.feed_run(linker.code_of(missing), skip_type_check=True)
            self._memory = replace(self._memory, polyfills=self._memory.polyfills.union(missing))
        names = self._memory.variables - self._memory.meanings.keys()
        names = [name for name in names if not name.startswith('_')]
        variables, dump = await seen(worker.session, names), await worker.session.dump()
        if len(dump) <= max_bytes:
            recorded = 4 * len(dump) + self._recording.size <= 4 * max_bytes
            state = self._state(dump, self._recording if recorded else None)
            return SavedSession(state, tuple(one.variable for one in variables))
        others = list[Worker]()

        async def load(dump: bytes) -> AsyncMontySession:
            others.append(await self._workers.worker(self._limits))
            await others[-1].session.load_session(dump)
            return others[-1].session

        try:
            found = await shrink_dump(dump, variables, max_bytes, load)
        finally:
            for other in others:
                await self._workers.give_back(other)
        if found is None:
            return None
        lighter, left_out = found
        names = {one.variable.name for one in left_out}
        return SavedSession(
            self._state(lighter, None, without=names),
            tuple(one.variable for one in variables if one.variable.name not in names),
            tuple(one.variable for one in left_out),
        )

    def _state(self, dump: bytes, recording: Recording | None, without: Collection[str] = ()) -> bytes:
        return SessionState(self._memory.without(without), recording, dump=dump).to_bytes()

    def _asked(self, code: str, functions: Functions, inputs: Mapping[str, Any]) -> Asked:
        has_files = self._files is not None
        return Asked(code, functions, self._limits, inputs, self._memory, has_files)

    async def _started(
        self, asked: Asked, checkpoints: bool, tracing: Tracing | None, span: SnippetSpan
    ) -> Execution | Failed:
        """Start a script. Returns the failure if it was refused."""
        prepared = await self._prepared_and_checked(asked, tracing)
        if isinstance(prepared, Failed):
            span.prepared(prepared.executed_code or prepared.code, prepared.fixes)
            return prepared
        snippet, options = prepared.snippet, self._options(checkpoints)
        span.prepared(snippet.checked.text, snippet.fixes)
        execution = await self._live(prepared, options)
        if execution.crashed_at_once and not asked.memory.variables:
            # The worker was killed before the script did anything outside, and held no variables: use another one.
            await self._drop()
            # The polyfills of earlier scripts are gone as well.
            prepared = prepared._replace(asked=asked._replace(memory=self._memory))
            execution = await self._live(prepared, options)
        if asked.inputs:
            self._recording.give_up('it was given variables')
        execution.recorder = self._recorder(RecordedScript(asked.code, checkpoints))
        return execution

    def _recorder(self, script: RecordedScript) -> Recorder:
        return Recorder(self._recording, script)

    async def _live(self, prepared: Prepared, options: Options) -> LiveExecution:
        worker = await self._take_worker()
        async with self._dropping():
            return await start(worker, prepared, replace(options, seed=self._segment.seed))

    async def _prepared_and_checked(self, asked: Asked, tracing: Tracing | None) -> Prepared | Failed:
        await wait_for_step_slot()
        with script_span(tracing, CHECK) as span:
            prepared = await in_thread_if_long(len(asked.code), asked.prepared)
            if isinstance(prepared, Failed):
                span.checked(prepared)
                return prepared
            try:
                refusal, is_complete = await self._refusal(prepared), True
            except Unchecked as error:
                refusal, is_complete = prepared.refused(SnippetError('types', str(error))), False
            span.checked(refusal, is_complete=is_complete)
            return refusal or prepared

    async def _refusal(self, prepared: Prepared) -> Failed | None:
        code, ready = prepared.snippet.checked.text, prepared.ready
        if ready.findings is None:
            # The checker always finds the same in the same text.
            ready.findings = await self._workers.check(code, prepared.context, is_heavy=prepared.is_heavy)
        findings = ready.findings
        return await in_thread_if_long(len(code), lambda: prepared.refusal(findings))

    def _options(self, checkpoints: bool) -> Options:
        clock = self._as_of if isinstance(self._as_of, HostClock) else HostClock()
        return Options(checkpoints, self._files, self._workers.library, clock=clock)

    async def _resumed(self, state: bytes, functions: Functions, checkpoints: bool, span: SnippetSpan) -> Execution:
        execution = await self._restored(state, functions, self._options(checkpoints))
        self._recording = execution.data.recording or Recording(incomplete=NOT_WAITING)
        self._recording.segments.append(self._segment)
        execution.data.recording, execution.recorder = None, self._recorder(RecordedScript(checkpoints=checkpoints))
        snippet = execution.data.snippet
        span.prepared(snippet.checked.text, snippet.fixes)
        return execution

    async def _restored(
        self, state: bytes, functions: Functions, options: Options, *, ask_again: bool = True, elapsed: float = 0.0
    ) -> LiveExecution:
        for _ in range(_ATTEMPTS):
            worker = await self._take_worker()
            try:
                async with self._dropping():
                    return await restore(
                        worker, state, functions, self._limits, options, ask_again=ask_again, elapsed=elapsed
                    )
            except (MontyError, RuntimeError):
                if not worker.is_lost:
                    raise
                # The script has not run yet, so it can use another worker.
                await self._drop()
        raise StateError('the sandbox crashed while it loaded the suspended script')

    async def _ended_as(self, execution: Execution, in_flight: InFlight, ended: Completed | Failed | None) -> Outcome:
        """Return the outcome of a script that ended, or whose remaining calls all wait."""
        assert isinstance(execution, LiveExecution)
        if ended is None:
            execution.data.recording = self._recording
            suspended = execution.suspended(in_flight.log.with_others(()), in_flight.waiting)
            await self._drop()
            return suspended
        await self._remember(execution, ended)
        return ended

    async def _remember(self, execution: LiveExecution, ended: Completed | Failed) -> None:
        """Keep what a script that ended leaves for the next one."""
        if isinstance(ended, Failed) and ended.session_lost:
            await self._drop(at_once=True)
        else:
            memory = execution.data.memory
            self._memory = memory if isinstance(ended, Completed) else memory.after_interruption(execution.data.snippet)

    @asynccontextmanager
    async def _dropping(self) -> AsyncGenerator[None]:
        """Drop the worker if the script is abandoned while it waits for an answer."""
        try:
            yield
        except BaseException:
            await self._drop(at_once=True)
            raise

    async def _has_lost_variables(self) -> bool:
        """Return whether the worker has died since the last script, and variables with it."""
        if self._worker is None or not self._worker.is_lost:
            return False
        had_some = bool(self._memory.variables)
        await self._drop()
        return had_some

    async def _take_worker(self) -> Worker:
        if self._worker is None and not self._ended:
            self._segment, clock = Segment.beginning(self._as_of), self._as_of
            self._worker = await self._workers.worker(self._limits, clock, seed=self._segment.clock.seed)
            self._recording = Recording([self._segment])
        if self._worker is None or self._ended:
            # It may have ended while it waited for the worker.
            await self._drop()
            raise Unavailable('the session has ended')
        return self._worker

    async def _drop(self, *, at_once: bool = False) -> None:
        worker, self._worker, self._memory = self._worker, None, Memory()
        if worker is None:
            return
        if at_once:
            worker.kill()
        await self._workers.give_back(worker)


_ATTEMPTS = 3
_UNKNOWN = 'how the variables of its session came about is not known'
