"""A REPL whose variables live over the snippets of one run."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Protocol

from pydantic_monty import AsyncMontySession, AsyncSnapshot, CollectString, MontyError, MontyRuntimeError

from .checking.check_policy import wrong
from .checking.checker import Context, Diagnostic
from .checking.unawaited import unawaited
from .checking.unknown_names import unknown_names
from .contract.calls import Dispatch
from .contract.errors import SnippetError, StateError
from .contract.functions import HOST, Function, Functions
from .contract.limits import Limits
from .contract.outcomes import Completed, Failed, Outcome, Suspended
from .lowering.snippet import Snippet, prelude, prepared
from .running.inline import inlined
from .running.ledger import Ledger
from .running.memory import Memory, named_functions
from .running.missing_keys import keys_at
from .running.snippet_run import Begin, Checkpoint, SnippetRun, snippet_from_json
from .running.state import State
from .running.telemetry import SnippetSpan, snippet_span
from .telling.report import Report, from_refusals, from_syntax
from .text.fences import unfenced
from .text.refusals import Refused
from .text.syntax import tree_of


class Workshop(Protocol):
    """What a session needs of its sandbox."""

    async def worker(self, limits: Limits) -> AsyncMontySession:
        """A worker for this session alone."""
        ...

    async def check(self, code: str, context: Context) -> list[Diagnostic]:
        """What the type checker finds."""
        ...


class Session:
    """State over snippets. Takes a worker with the first one."""

    def __init__(self, workshop: Workshop, limits: Limits, *, ordered: bool = False) -> None:
        self._workshop = workshop
        self._limits = limits
        self._ordered = ordered
        self._lock = asyncio.Lock()
        self._worker: AsyncMontySession | None = None
        self._memory = Memory()

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._drop()

    @property
    def limits(self) -> Limits:
        """The bounds of the session."""
        return self._limits

    @property
    def worker(self) -> AsyncMontySession | None:
        """The worker that it has, for diagnosis; None before its first snippet."""
        return self._worker

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
        predefined: Mapping[str, Any] | None = None,
    ) -> Outcome:
        """Repair, check and run a snippet. `predefined` are variables that it finds set.

        Raises what `dispatch` raises to end the snippet, and `Unavailable` where no worker can be had.
        """
        async with self._lock:
            with snippet_span('run snippet') as span:
                outcome = await self._outcome(code, functions, dispatch, checkpoint, dict(predefined or {}), span)
                span.ended(outcome)
                return outcome

    async def resume(
        self, state: bytes, functions: Functions, dispatch: Dispatch, *, checkpoint: Checkpoint | None = None
    ) -> Outcome:
        """Go on with a suspended snippet, in a session that has run nothing yet.

        Every call that waited or was in flight is given to `dispatch` again, under its old id.
        """
        saved = State.from_bytes(state)
        async with self._lock:
            if self._worker is not None:
                raise StateError('a suspended snippet goes on in a session that has run nothing yet')
            with snippet_span('resume snippet') as span:
                outcome = await self._restored(saved, functions, dispatch, checkpoint, span)
                span.ended(outcome)
                return outcome

    async def _outcome(
        self,
        code: str,
        functions: Functions,
        dispatch: Dispatch,
        checkpoint: Checkpoint | None,
        inputs: dict[str, Any],
        span: SnippetSpan,
    ) -> Outcome:
        snippet = self._prepared(code, functions, frozenset(inputs))
        if isinstance(snippet, Failed):
            return snippet
        span.prepared(snippet.code, snippet.repairs)
        failed = await self._checked(snippet, functions, frozenset(inputs))
        span.event('checked')
        return failed or await self._started(snippet, functions, dispatch, checkpoint, inputs)

    def _prepared(self, code: str, functions: Functions, predefined: frozenset[str]) -> Snippet | Failed:
        known = self._memory.bound | predefined
        if len(code) > self._limits.code_chars:
            error = SnippetError(
                'limit', f'The snippet is longer than {self._limits.code_chars:,} characters (code_chars).'
            )
            return Failed(code, (), '', (), error, session_lost=False)
        try:
            return prepared(code, functions, known, dict(self._memory.modules), self._memory.defined)
        except Refused as error:
            return Failed(code, (), '', (), from_refusals(error.refusals, unfenced(code)[0]), session_lost=False)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return Failed(code, (), '', (), from_syntax(error, code), session_lost=False)

    async def _checked(self, snippet: Snippet, functions: Functions, predefined: frozenset[str]) -> Failed | None:
        known = self._memory.bound | predefined
        named = named_functions(snippet, known, functions)
        findings = await self._workshop.check(snippet.code, self._memory.context(snippet, named, predefined))
        found = wrong(findings, snippet, functions, named, self._memory.history, known)
        found = found or self._overlooked(snippet, functions, predefined, named)
        if not found:
            return None
        error = Report(snippet, functions, (), self._limits, known).from_types(
            found, [f.stub for f in (*self._memory.functions, *named)]
        )
        return Failed(snippet.code, snippet.repairs, '', (), error, session_lost=False)

    def _overlooked(
        self, snippet: Snippet, functions: Functions, predefined: frozenset[str], named: tuple[Function, ...]
    ) -> list[Diagnostic]:
        tree = tree_of(snippet.code)
        known = self._memory.bound | predefined | snippet.helpers
        awaited = {function.name for function in named if not function.sequential}
        unknown = [
            found
            for found in unknown_names(tree, known)
            if functions.get(found.message.split('`')[1].removeprefix(HOST)) is None
        ]
        return [*unknown, *unawaited(tree, awaited.__contains__)]

    async def _started(
        self,
        snippet: Snippet,
        functions: Functions,
        dispatch: Dispatch,
        checkpoint: Checkpoint | None,
        inputs: dict[str, Any],
    ) -> Outcome:
        worker = await self._taken()
        named = named_functions(snippet, self._memory.bound, functions)
        remembered = self._memory.after(snippet, named, ran_to_end=True)
        run = SnippetRun(
            snippet,
            functions,
            dispatch,
            self._limits,
            checkpoint,
            remembered.to_json(),
            Ledger(),
            known=self._memory.bound,
            keys_at=lambda error: keys_at(error, snippet, worker),
            ordered=self._ordered,
        )

        async def begin(sink: CollectString) -> Any:
            await self._furnish(worker, snippet)
            code = inlined(snippet, functions, self._memory.bound | inputs.keys())
            return await worker.feed_start(code, inputs=inputs, print_callback=sink, skip_type_check=True)

        outcome = await self._guarded(run, begin)
        self._memory = self._remembering(outcome, remembered, self._memory.after(snippet, named, ran_to_end=False))
        return outcome

    async def _restored(
        self,
        saved: State,
        functions: Functions,
        dispatch: Dispatch,
        checkpoint: Checkpoint | None,
        span: SnippetSpan,
    ) -> Outcome:
        facts = saved.facts
        snippet, remembered = snippet_from_json(facts['snippet']), Memory.from_json(facts['memory'])
        span.prepared(snippet.code, snippet.repairs)
        ledger = Ledger.from_json(facts['calls'])
        for entry in ledger.in_status('running', 'waiting'):
            ledger.mark(entry.monty_id, 'not started')
        worker = await self._taken()
        run = SnippetRun(
            snippet,
            functions,
            dispatch,
            self._limits,
            checkpoint,
            facts['memory'],
            ledger,
            known=remembered.bound,
            keys_at=lambda error: keys_at(error, snippet, worker),
            printed=facts['printed'],
            slept=facts['slept'],
            ordered=self._ordered,
        )

        async def begin(sink: CollectString) -> AsyncSnapshot:
            try:
                return await worker.load_snapshot(saved.dump, print_callback=sink)
            except MontyRuntimeError as error:
                raise StateError(f'the sandbox cannot load the state of the suspended snippet: {error}') from error

        outcome = await self._guarded(run, begin)
        self._memory = self._remembering(outcome, remembered, remembered.after(snippet, (), ran_to_end=False))
        return outcome

    async def _guarded(self, run: SnippetRun, begin: Begin) -> Outcome:
        try:
            outcome = await run.outcome(begin)
        except BaseException:
            # The script is in the middle of something that nobody will answer.
            await self._drop()
            raise
        if isinstance(outcome, Suspended) or (isinstance(outcome, Failed) and outcome.session_lost):
            await self._drop()
        return outcome

    def _remembering(self, outcome: Outcome, whole: Memory, partial: Memory) -> Memory:
        if self._worker is None:
            return Memory()
        return whole if isinstance(outcome, Completed) else partial

    async def _furnish(self, worker: AsyncMontySession, snippet: Snippet) -> None:
        missing = frozenset(snippet.pieces) - self._memory.loaded
        text = prelude(snippet, missing)
        if text:
            await worker.feed_run(text, skip_type_check=True)

    async def _taken(self) -> AsyncMontySession:
        if self._worker is None:
            self._worker = await self._workshop.worker(self._limits)
        return self._worker

    async def _drop(self) -> None:
        worker, self._worker, self._memory = self._worker, None, Memory()
        if worker is not None:
            try:
                await worker.__aexit__(None, None, None)
            except MontyError:
                # It is gone already, which is all that was wanted.
                return
