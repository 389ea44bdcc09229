"""A REPL whose variables live over the snippets of one run."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic_monty import (
    AsyncFunctionSnapshot,
    AsyncMontySession,
    AsyncSnapshot,
    CollectString,
    MontyComplete,
    MontyCrashedError,
    MontyDisconnectError,
    MontyError,
)

from .calls import Dispatch
from .checker import Context
from .drive import Drive, Exceeded, Pausable, Paused
from .errors import SnippetError, StateError
from .fences import unfenced
from .functions import Function, Functions
from .ledger import Ledger
from .limits import Limits
from .names import Names, names_of
from .outcomes import Completed, Failed, Outcome, Suspended
from .policy import is_wrong
from .report import from_monty, from_syntax, from_types
from .result import named_result
from .source import Source
from .state import State
from .values import json_size, to_json

if TYPE_CHECKING:
    from .sandbox import Sandbox

Checkpoint: TypeAlias = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True)
class Snippet:
    """Code that is ready to run."""

    code: str
    repairs: tuple[str, ...]
    name: str | None
    """Variable that will hold the result."""
    names: Names
    text: str
    """What the model wrote, line by line beside `code`."""


class Session:
    """State over snippets. Takes a worker with the first one."""

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._lock = asyncio.Lock()
        self._monty: AsyncMontySession | None = None
        self._history = list[str]()
        self._bound = set[str]()
        self._untyped = set[str]()
        self._functions = dict[str, Function]()

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._drop()

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
        """Repair, check and run a snippet. `predefined` are variables that it finds set."""
        async with self._lock:
            snippet = self._prepare(code, frozenset(predefined or ()))
            if isinstance(snippet, Failed):
                return snippet
            failed = await self._check(snippet, functions, frozenset(predefined or ()))
            if failed is not None:
                return failed
            return await self._start(snippet, functions, dispatch, checkpoint, dict(predefined or {}))

    async def resume(
        self, state: bytes, functions: Functions, dispatch: Dispatch, *, checkpoint: Checkpoint | None = None
    ) -> Outcome:
        """Go on with a suspended snippet, in a session that has run nothing yet.

        Every call that waited or was in flight is given to `dispatch` again, under its old id.
        """
        saved = State.from_bytes(state)
        async with self._lock:
            if self._monty is not None:
                raise StateError('a suspended snippet goes on in a session that has run nothing yet')
            return await self._restore(saved, functions, dispatch, checkpoint)

    # -- steps

    def _prepare(self, code: str, predefined: frozenset[str]) -> Snippet | Failed:
        text, unwrapped = unfenced(code)
        repairs = (unwrapped,) if unwrapped else ()
        source = Source(text)
        try:
            names = names_of(source.tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return Failed(text, repairs, '', (), from_syntax(error, text), session_lost=False)
        source, name = named_result(source, names.bound | self._bound | predefined)
        return Snippet(source.text, repairs, name, names_of(source.tree), text)

    async def _check(self, snippet: Snippet, functions: Functions, predefined: frozenset[str]) -> Failed | None:
        context = self._context(snippet, functions, predefined)
        async with self._sandbox.checker() as checker:
            findings = await checker.check(snippet.code, context)
        wrong = [finding for finding in findings if is_wrong(finding)]
        wrong = [finding for finding in wrong if not self._excused(finding.rule, finding.message, functions)]
        if not wrong:
            return None
        error = from_types(wrong, snippet.text, functions)
        return Failed(snippet.code, snippet.repairs, '', (), error, session_lost=False)

    def _excused(self, rule: str, message: str, functions: Functions) -> bool:
        if rule != 'unresolved-reference':
            return False
        name = message.split('`')[1]
        return hasattr(builtins, name) or functions.get(name) is not None

    def _context(self, snippet: Snippet, functions: Functions, predefined: frozenset[str]) -> Context:
        known = self._bound | predefined
        for name in snippet.names.used - known:
            function = functions.get(name)
            if function is not None:
                self._functions[name] = function
        return Context(
            functions=tuple(self._functions.values()),
            untyped=frozenset(self._untyped | predefined),
            history=tuple(self._history),
        )

    async def _start(
        self,
        snippet: Snippet,
        functions: Functions,
        dispatch: Dispatch,
        checkpoint: Checkpoint | None,
        inputs: dict[str, Any],
    ) -> Outcome:
        journey = _Journey(self, snippet, functions, dispatch, checkpoint, Ledger(), '')
        monty = await self._worker()
        return await journey.go(
            lambda sink: monty.feed_start(snippet.code, inputs=inputs, print_callback=sink, skip_type_check=True)
        )

    async def _restore(
        self, saved: State, functions: Functions, dispatch: Dispatch, checkpoint: Checkpoint | None
    ) -> Outcome:
        facts = saved.facts
        snippet = Snippet(
            facts['code'],
            tuple(facts['repairs']),
            facts['name'],
            Names(frozenset(), frozenset(facts['binds'])),
            facts['text'],
        )
        self._history, self._bound = list(facts['history']), set(facts['bound'])
        self._untyped = set(facts['untyped'])
        ledger = Ledger.from_json(facts['calls'])
        for entry in ledger.in_status('running', 'waiting'):
            ledger.mark(entry.monty_id, 'not started')
        journey = _Journey(self, snippet, functions, dispatch, checkpoint, ledger, facts['printed'])
        monty = await self._worker()
        return await journey.go(lambda sink: monty.load_snapshot(saved.dump, print_callback=sink))

    # -- the worker

    async def _worker(self) -> AsyncMontySession:
        if self._monty is None:
            await self._sandbox.start()
            checkout = self._sandbox.pool.checkout(
                limits=self._limits.for_monty(), os_policy={'sleep': 'call_host'}, assert_message_annotations=True
            )
            self._monty = await checkout.__aenter__()
        return self._monty

    async def _drop(self) -> None:
        monty, self._monty = self._monty, None
        self._history, self._bound, self._untyped = list[str](), set[str](), set[str]()
        if monty is not None:
            await monty.__aexit__(None, None, None)

    def facts(self) -> dict[str, Any]:
        """What a resumed session must know."""
        return {'history': self._history, 'bound': sorted(self._bound), 'untyped': sorted(self._untyped)}

    def learn(self, snippet: Snippet, *, ran_to_end: bool) -> None:
        """Take note of what a snippet bound."""
        self._bound |= snippet.names.bound
        if ran_to_end:
            self._history.append(snippet.code)
            self._untyped -= snippet.names.bound
        else:
            self._untyped |= snippet.names.bound

    async def lose(self) -> None:
        """Give up the worker and all variables."""
        await self._drop()

    @property
    def limits(self) -> Limits:
        """The bounds of the session."""
        return self._limits


class _Journey:
    """One snippet from start or restoration to its outcome."""

    def __init__(
        self,
        session: Session,
        snippet: Snippet,
        functions: Functions,
        dispatch: Dispatch,
        checkpoint: Checkpoint | None,
        ledger: Ledger,
        printed: str,
    ) -> None:
        self._session = session
        self._snippet = snippet
        self._functions = functions
        self._user_checkpoint = checkpoint
        self._ledger = ledger
        self._printed = printed
        self._sink = CollectString(max_bytes=session.limits.printed_chars)
        self._drive = Drive(functions, dispatch, session.limits, ledger, self._line_of, self._checkpoint)

    async def go(self, begin: Callable[[CollectString], Awaitable[AsyncSnapshot]]) -> Outcome:
        """Drive to the outcome; whatever the dispatcher raises to end the snippet passes through."""
        try:
            end = await self._drive.to_end(await begin(self._sink))
        except MontyError as error:
            return await self._failed(error)
        except BaseException:
            await self._session.lose()
            raise
        if isinstance(end, MontyComplete):
            return await self._completed(end)
        if isinstance(end, Paused):
            return await self._suspended(end)
        return await self._exceeded(end)

    async def _completed(self, end: MontyComplete) -> Outcome:
        value = to_json(end.output)
        self._session.learn(self._snippet, ran_to_end=True)
        if json_size(value) > self._session.limits.result_bytes:
            return await self._exceeded(Exceeded('result_bytes', 'the result is too large'))
        s = self._snippet
        return Completed(s.code, s.repairs, self._out(), self._ledger.records(), value, s.name)

    async def _suspended(self, end: Paused) -> Outcome:
        state, s = self._state(end.snapshot), self._snippet
        out = self._out()
        await self._session.lose()
        return Suspended(s.code, s.repairs, out, self._ledger.records(), state, end.waiting)

    async def _exceeded(self, end: Exceeded) -> Outcome:
        await self._session.lose()
        return self._failure(SnippetError('limit', f'{end.message} (limit {end.limit})'), lost=True)

    async def _failed(self, error: MontyError) -> Outcome:
        lost = isinstance(error, (MontyCrashedError, MontyDisconnectError))
        if lost:
            await self._session.lose()
        else:
            self._session.learn(self._snippet, ran_to_end=False)
        return self._failure(from_monty(error, self._snippet.text, self._ledger.records()), lost=lost)

    def _failure(self, error: SnippetError, *, lost: bool) -> Failed:
        s = self._snippet
        return Failed(s.code, s.repairs, self._out(), self._ledger.records(), error, session_lost=lost)

    def _out(self) -> str:
        return self._printed + self._sink.output

    async def _checkpoint(self, snapshot: Pausable) -> None:
        if self._user_checkpoint is not None:
            await self._user_checkpoint(self._state(snapshot))

    def _state(self, snapshot: Pausable) -> bytes:
        s = self._snippet
        facts = {
            'code': s.code,
            'text': s.text,
            'repairs': s.repairs,
            'name': s.name,
            'binds': sorted(s.names.bound),
            'printed': self._out(),
            'calls': self._ledger.to_json(),
            **self._session.facts(),
        }
        return State(facts, snapshot.dump()).to_bytes()

    def _line_of(self, snapshot: AsyncFunctionSnapshot) -> int:
        return self._snippet.code.encode()[: snapshot.position.start].count(b'\n') + 1
