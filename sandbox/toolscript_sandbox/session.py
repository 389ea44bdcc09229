"""A REPL whose variables live over the snippets of one run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Protocol

from pydantic_monty import (
    AsyncMontySession,
    AsyncSnapshot,
    CollectString,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
)

from .checking.checker import Context, Diagnostic, Unchecked
from .contract.as_of import AsOf
from .contract.calls import Dispatch
from .contract.errors import StateError, Unavailable
from .contract.functions import Functions
from .contract.kept import Kept
from .contract.limits import Limits
from .contract.outcomes import Completed, Failed, Outcome, Suspended
from .contract.tracing import Tracing
from .event_loop.loop_turns import turn_for_step
from .files.host_files import HostFiles
from .polyfills import linker
from .preparation import Snippet, prelude
from .messages.report import told_of_loss
from .processes.process import Worker
from .running.deferred import left_behind
from .running.keeping import PIECE as KEEPING
from .running.keeping import Lightening, seen
from .running.ledger import Ledger
from .running.missing_keys import keys_at
from .running.session_memory import Memory
from .running.snippet_run import Begin, Checkpoint, KeepPage, Keeps, KeysAt, SnippetRun, snippet_from_json
from .running.stages import Asked, Checked, Prepared, off_loop
from .running.state import SessionState, State, calls_of_pages
from .transforms.tree import polyfill
from .running.telemetry import SnippetSpan, check_span, snippet_span


class Workshop(Protocol):
    """What a session needs of its sandbox."""

    async def worker(self, limits: Limits, as_of: AsOf | None = None) -> Worker:
        """A worker for this session alone, whose clock stands where there is `as_of`."""
        ...

    async def give_back(self, worker: Worker) -> None:
        """The session needs it no more; never an error."""
        ...

    async def check(self, code: str, context: Context) -> list[Diagnostic]:
        """What the type checker finds. Raises `Unchecked` where it comes to no end."""
        ...


class Session:
    """State over snippets. Takes a worker with the first one."""

    def __init__(
        self,
        workshop: Workshop,
        limits: Limits,
        *,
        ordered: bool = False,
        as_of: AsOf | None = None,
        files: HostFiles | None = None,
    ) -> None:
        self._workshop = workshop
        self._limits = limits
        self._ordered = ordered
        self._as_of = as_of
        self._files = files
        self._lock = asyncio.Lock()
        self._worker: Worker | None = None
        self._memory = Memory()
        self._ended = False

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended = True
        # Whoever leaves in the middle of a snippet, as a cancelled agent does, does not wait for it.
        await self._drop(at_once=self._lock.locked())

    @property
    def limits(self) -> Limits:
        """The bounds of the session."""
        return self._limits

    @property
    def worker(self) -> AsyncMontySession | None:
        """The worker that it has, for diagnosis; None before its first snippet."""
        return None if self._worker is None else self._worker.session

    @property
    def variables(self) -> frozenset[str]:
        """The variables that its snippets left, functions and imports among them."""
        return self._memory.bound

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
        page: KeepPage | None = None,
        predefined: Mapping[str, Any] | None = None,
        tracing: Tracing | None = None,
    ) -> Outcome:
        """Repair, check and run a snippet. `predefined` are variables that it finds set.

        `checkpoint` gets the state before new calls start. With a `page`, calls that are over stand in pages, which it
        gets once each, with the number of the last call in it; the states after that hold none of them. What is written
        of many calls is then no more for each of them.

        Raises what `dispatch` raises to end the snippet, and `Unavailable` where no worker can be had.
        """
        async with self._lock:
            with snippet_span(tracing, 'run snippet') as span:
                bereft = await self._bereft()
                asked = self._asked(code, functions, dict(predefined or {}))
                outcome = await self._outcome(asked, dispatch, Keeps(checkpoint, page), tracing, span)
                outcome = told_of_loss(outcome) if bereft else outcome
                span.ended(outcome)
                return outcome

    async def check(self, code: str, functions: Functions, *, tracing: Tracing | None = None) -> Failed | None:
        """Why `run` would refuse a snippet before anything of it runs; None where it would not."""
        asked = self._asked(code, functions, {})
        checked = await self._prepared_and_checked(asked, tracing)
        return checked if isinstance(checked, Failed) else None

    async def warm(self) -> None:
        """Take the worker that the first snippet would take."""
        async with self._lock:
            await self._taken()

    async def resume(
        self,
        state: bytes,
        functions: Functions,
        dispatch: Dispatch,
        *,
        checkpoint: Checkpoint | None = None,
        page: KeepPage | None = None,
        pages: Sequence[bytes] = (),
        tracing: Tracing | None = None,
    ) -> Outcome:
        """Go on with a suspended snippet, in a session that has run nothing yet.

        `pages` are those that `page` got until then. Every call that waited or was in flight is given to `dispatch`
        again, under its old id.
        """
        saved = State.from_bytes(state)
        ledger = Ledger.going_on(saved.facts['calls'], calls_of_pages(pages, saved.facts['paged']))
        async with self._lock:
            if self._worker is not None:
                raise StateError('a suspended snippet goes on in a session that has run nothing yet')
            with snippet_span(tracing, 'resume snippet') as span:
                outcome = await self._restored(saved, ledger, functions, dispatch, Keeps(checkpoint, page), span)
                span.ended(outcome)
                return outcome

    async def keep(self, most_bytes: int) -> Kept | None:
        """What the snippets left, for a session that goes on with it; `None` where there is nothing that can be kept.

        Variables that would make more than `most_bytes` of it are left out.
        """
        async with self._lock:
            worker = self._worker
            if worker is None or worker.is_lost or not self._memory.bound:
                return None
            try:
                return await self._kept(worker, most_bytes)
            except (MontyError, RuntimeError):
                if worker.is_lost:
                    return None
                raise

    async def load(self, state: bytes, functions: Functions) -> None:
        """Go on after the last snippet of a session that was kept, in one that has run nothing yet.

        What the functions among the variables call is asked of `functions` then, and of nothing that was offered
        before. Raises `StateError` for what another version kept.
        """
        saved = SessionState.from_bytes(state)
        async with self._lock:
            if self._memory.bound:
                raise StateError('a session goes on in one that has run nothing yet')
            worker = await self._taken()
            try:
                await worker.session.load_session(saved.dump)
                await worker.session.feed_run(_reseeding(Memory.from_json(saved.memory)), skip_type_check=True)
            except (MontyError, RuntimeError) as error:
                await self._drop(at_once=True)
                raise StateError(f'the sandbox cannot load the variables: {error}') from error
            self._memory = Memory.from_json(saved.memory).offered(functions)

    async def _kept(self, worker: Worker, most_bytes: int) -> Kept | None:
        pieces = linker.in_order([KEEPING])
        if KEEPING not in self._memory.loaded:
            await worker.session.feed_run(linker.code_of(piece for piece in pieces if piece not in self._memory.loaded), skip_type_check=True)
            self._memory = replace(self._memory, loaded=self._memory.loaded.union(pieces))
        imported = dict(self._memory.meanings)
        names = [name for name in self._memory.bound if not name.startswith('_') and name not in imported]
        variables, dump = await seen(worker.session, names), await worker.session.dump()
        if len(dump) <= most_bytes:
            return Kept(self._state(dump), tuple(one.variable for one in variables))
        others = list[Worker]()

        async def load(dump: bytes) -> AsyncMontySession:
            others.append(await self._workshop.worker(self._limits))
            await others[-1].session.load_session(dump)
            return others[-1].session

        try:
            lightening = Lightening(dump, most_bytes, load)
            lighter = await lightening.to(variables)
        finally:
            for other in others:
                await self._workshop.give_back(other)
        if lighter is None:
            return None
        left_out = {one.variable.name for one in lightening.left_out}
        return Kept(
            self._state(lighter, without=left_out),
            tuple(one.variable for one in variables if one.variable.name not in left_out),
            tuple(one.variable for one in lightening.left_out),
        )

    def _state(self, dump: bytes, without: Collection[str] = ()) -> bytes:
        return SessionState(self._memory.without(without).to_json(), dump).to_bytes()

    def _asked(self, code: str, functions: Functions, inputs: Mapping[str, Any]) -> Asked:
        has_files = self._files is not None
        return Asked(code, functions, self._limits, inputs, self._memory, self._ordered, has_files)

    async def _outcome(
        self,
        asked: Asked,
        dispatch: Dispatch,
        keeps: Keeps,
        tracing: Tracing | None,
        span: SnippetSpan,
    ) -> Outcome:
        checked = await self._prepared_and_checked(asked, tracing)
        if isinstance(checked, Failed):
            span.prepared(checked.ran or checked.code, checked.repairs)
            return checked
        snippet = checked.prepared.snippet
        span.prepared(snippet.code, snippet.repairs)
        return await self._driven(await self._started(checked, dispatch, keeps))

    async def _prepared_and_checked(self, asked: Asked, tracing: Tracing | None) -> Checked | Failed:
        await turn_for_step()
        with check_span(tracing) as span:
            prepared = await off_loop(len(asked.code), asked.prepared)
            if isinstance(prepared, Failed):
                span.checked(prepared)
                return prepared
            return await self._checked(prepared, span)

    async def _checked(self, prepared: Prepared, span: SnippetSpan) -> Checked | Failed:
        code = prepared.snippet.checked.text
        try:
            findings = await self._workshop.check(code, prepared.context)
        except Unchecked as error:
            span.unchecked(str(error))
            return prepared.unchecked(error)
        checked = await off_loop(len(code), lambda: prepared.judged(findings))
        span.checked(checked if isinstance(checked, Failed) else None)
        return checked

    async def _started(self, checked: Checked, dispatch: Dispatch, keeps: Keeps) -> _Started:
        await self._taken()
        prepared, asked = checked.prepared, checked.prepared.asked
        run = SnippetRun(
            prepared.snippet,
            asked.functions,
            dispatch,
            self._limits,
            keeps,
            lambda: checked.memory_if_whole.to_json(),
            Ledger(),
            known=asked.known,
            keys_at=self._keys_at(prepared.snippet),
            is_lost=self._is_lost,
            left_behind=self._left_behind,
            code=checked.text,
            ordered=self._ordered,
            files=self._files,
        )

        async def begin(sink: CollectString) -> AsyncSnapshot:
            return await self._fed(checked, sink)

        return _Started(run, begin, lambda: checked.memory_if_whole, lambda: checked.memory_if_broken)

    async def _fed(self, checked: Checked, sink: CollectString, attempts: int = 2) -> AsyncSnapshot:
        worker, asked = await self._taken(), checked.prepared.asked
        try:
            await _furnish(worker, checked)
            inputs = dict(asked.inputs)
            return await worker.session.feed_start(
                checked.text,
                inputs=inputs,
                print_callback=sink,
                skip_type_check=True,
                cwd=None if self._files is None else self._files.cwd,
            )
        except MontyCrashedError:
            if attempts == 1 or asked.memory.bound or sink.output:
                raise
        # It was killed before the script reached anything outside, and held nothing: another one does as well.
        await self._drop()
        return await self._fed(checked, sink, attempts - 1)

    async def _restored(
        self,
        saved: State,
        ledger: Ledger,
        functions: Functions,
        dispatch: Dispatch,
        keeps: Keeps,
        span: SnippetSpan,
    ) -> Outcome:
        facts = saved.facts
        snippet, memory = snippet_from_json(facts['snippet']), Memory.from_json(facts['memory'])
        span.prepared(snippet.code, snippet.repairs)
        run = SnippetRun(
            snippet,
            functions,
            dispatch,
            self._limits,
            keeps,
            lambda: facts['memory'],
            ledger,
            known=memory.bound,
            keys_at=self._keys_at(snippet),
            is_lost=self._is_lost,
            printed=facts['printed'],
            slept=facts['slept'],
            ready=facts['ready'],
            ordered=self._ordered,
            files=self._files,
            before=facts['before'],
            code=facts['ran'],
        )

        async def begin(sink: CollectString) -> AsyncSnapshot:
            return await self._loaded(saved.dump, sink)

        broken = memory.after(snippet, (), ran_to_end=False)
        return await self._driven(_Started(run, begin, lambda: memory, lambda: broken))

    async def _loaded(self, dump: bytes, sink: CollectString) -> AsyncSnapshot:
        for _ in range(_ATTEMPTS):
            worker = await self._taken()
            try:
                return await worker.session.load_snapshot(dump, print_callback=sink)
            except (MontyError, RuntimeError) as error:
                if worker.is_lost:
                    # Nothing of the script has gone on, so any other worker will do.
                    await self._drop()
                    continue
                if isinstance(error, MontyRuntimeError):
                    raise StateError(f'the sandbox cannot load the state of the suspended snippet: {error}') from error
                raise
        raise StateError('the sandbox died of the state of the suspended snippet')

    async def _driven(self, started: _Started) -> Outcome:
        try:
            outcome = await started.run.outcome(started.begin)
        except BaseException:
            # The script is in the middle of something that nobody will answer.
            await self._drop(at_once=True)
            raise
        if isinstance(outcome, Suspended) or (isinstance(outcome, Failed) and outcome.session_lost):
            await self._drop(at_once=isinstance(outcome, Failed))
        else:
            self._memory = started.whole() if isinstance(outcome, Completed) else started.broken()
        return outcome

    def _keys_at(self, snippet: Snippet) -> KeysAt:
        async def keys(error: MontyError) -> list[str] | None:
            return None if self._worker is None else await keys_at(error, snippet, self._worker.session)

        return keys

    async def _left_behind(self) -> list[tuple[str, int]]:
        return [] if self._worker is None else await left_behind(self._worker.session)

    def _is_lost(self) -> bool:
        return self._worker is None or self._worker.is_lost

    async def _bereft(self) -> bool:
        """Whether the worker has died since the last snippet, and variables with it."""
        if self._worker is None or not self._worker.is_lost:
            return False
        had_some = bool(self._memory.bound)
        await self._drop()
        return had_some

    async def _taken(self) -> Worker:
        if self._ended:
            raise Unavailable('the session has ended')
        if self._worker is None:
            self._worker = await self._workshop.worker(self._limits, self._as_of)
        return self._worker

    async def _drop(self, *, at_once: bool = False) -> None:
        worker, self._worker, self._memory = self._worker, None, Memory()
        if worker is None:
            return
        if at_once:
            worker.kill()
        await self._workshop.give_back(worker)


@dataclass(frozen=True)
class _Started:
    """A snippet on its way."""

    run: SnippetRun
    begin: Begin
    whole: Callable[[], Memory]
    """What the session knows once it ran to its end."""
    broken: Callable[[], Memory]
    """What the session knows once it broke off."""


async def _furnish(worker: Worker, checked: Checked) -> None:
    snippet, memory = checked.prepared.snippet, checked.prepared.asked.memory
    text = prelude(snippet, memory.loaded)
    if text:
        await worker.session.feed_run(text, skip_type_check=True)


def _reseeding(memory: Memory) -> str:
    """What gives identifiers and tokens a new chance: two sessions may go on with the same state."""
    sources = [polyfill(piece, '_source') for piece in _DRAWING & memory.loaded]
    return '\n'.join([*(f'{source}.seed()' for source in sorted(sources)), 'None'])


_ATTEMPTS = 3
_DRAWING = frozenset(['secrets', 'uuid'])
"""Guest modules with a chance of their own."""
