"""One snippet from its start, or from where it was suspended, to its outcome."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeAlias

from pydantic_monty import (
    AsyncFunctionSnapshot,
    AsyncSnapshot,
    CollectString,
    MontyComplete,
    MontyError,
)

from toolscript_sandbox.contract.calls import Call, Dispatch
from toolscript_sandbox.contract.errors import SnippetError, ToolError, Wait
from toolscript_sandbox.contract.functions import HOST, Functions
from toolscript_sandbox.contract.limits import Exceeded, Limits
from toolscript_sandbox.contract.outcomes import Completed, Failed, Outcome, Suspended
from toolscript_sandbox.files.host_files import HostFiles
from toolscript_sandbox.preparation import Snippet
from toolscript_sandbox.messages.report import Report
from toolscript_sandbox.text.syntax import expression_of
from toolscript_sandbox.values.crossing import TooLarge, carried_aside

from .deferred import defers
from .drive import Drive, Pausable, Paused
from .file_changes import Seen
from .ledger import Ledger
from .state import State, calls_to_facts, page_to_bytes

Checkpoint: TypeAlias = Callable[[bytes], Awaitable[None]]
KeepPage: TypeAlias = Callable[[bytes, int], Awaitable[None]]
"""Keeps a page of calls that are over, and the number of the last one in it."""
Begin: TypeAlias = Callable[[CollectString], Awaitable[AsyncSnapshot]]
KeysAt: TypeAlias = Callable[[MontyError], Awaitable[list[str] | None]]


@dataclass(frozen=True)
class Keeps:
    """Where it is kept how far a snippet is, before its next calls start."""

    state: Checkpoint | None = None
    page: KeepPage | None = None
    """Without it, each state holds all calls."""


@dataclass
class SnippetRun:
    """Everything that belongs to one run of a snippet."""

    snippet: Snippet
    functions: Functions
    dispatch: Dispatch
    limits: Limits
    keeps: Keeps
    remembered: Callable[[], dict[str, Any]]
    """The session's memory as JSON, for the state of a suspended snippet."""
    ledger: Ledger
    known: frozenset[str] = frozenset()
    """Variables of the session."""
    keys_at: KeysAt | None = None
    """Looks up the keys of the dict in which one was missing."""
    is_lost: Callable[[], bool] = lambda: False
    """Whether the worker is gone."""
    printed: str = ''
    """Before the snippet was resumed."""
    slept: float = 0.0
    ordered: bool = False
    left_behind: Callable[[], Awaitable[list[tuple[str, int]]]] | None = None
    """Looks up the calls that nobody awaited: functions, and lines of the code."""
    code: str = ''
    """What runs, once the snippet has been fitted to the functions; of states of earlier versions that is not known."""
    ready: dict[str, Any] | None = None
    """Who goes on next, as it was when the snippet was suspended."""
    files: HostFiles | None = None
    """The folders that it sees, if any."""
    before: Seen | None = None
    """What was there before the change of a file that was under way when it was suspended."""

    def __post_init__(self) -> None:
        self._raised: BaseException | None = None
        self._told = 0
        self._sink = CollectString(max_bytes=max(1, self.limits.printed_chars))
        self._drive = Drive(
            self.functions,
            self._dispatched,
            self.limits,
            self.ledger,
            self._line_of,
            self._checkpoint,
            self.slept,
            ordered=self.ordered,
            interleaves=self.snippet.interleaves,
            ready=self.ready,
            files=self.files,
            resumed=self.ready is not None,
            keeps=self.keeps.state is not None,
            before=self.before,
        )

    async def outcome(self, begin: Begin) -> Outcome:
        """Drive to the outcome. What the dispatcher raises to end the snippet passes through."""
        try:
            return await self._driven(begin)
        finally:
            # It calls back here: together they would stay, with all that they hold, until the garbage collector comes.
            del self._drive

    async def _driven(self, begin: Begin) -> Outcome:
        try:
            end = await self._drive.to_end(await begin(self._sink))
        except MontyError as error:
            return await self._broken(error)
        except RuntimeError as error:
            # What Monty's client says of a worker that has died depends on the moment; whether it has, does not.
            if error is self._raised or not self.is_lost():
                raise
            return self._failed(self._report.from_loss(error), lost=True)
        if isinstance(end, Paused):
            return self._suspended(end)
        if isinstance(end, Exceeded):
            return self._failed(self._report.from_limit(end, lost=True), lost=True)
        if self._drive.exceeded is not None:
            return self._failed(self._report.from_limit(self._drive.exceeded, lost=False), lost=False)
        return await self._completed(end)

    async def _broken(self, error: MontyError) -> Outcome:
        report, lost = self._report, self.is_lost()
        if self._drive.exceeded is not None and not lost:
            return self._failed(report.from_limit(self._drive.exceeded, lost=False), lost=False)
        lost = lost or report.is_lost(error)
        keys = None if lost or self.keys_at is None else await self.keys_at(error)
        return self._failed(report.from_monty(error, keys, lost=lost), lost=lost)

    async def _dispatched(self, call: Call) -> Any:
        printed = self._sink.output
        self._told, news = len(printed), printed[self._told :]
        try:
            return await self.dispatch(replace(call, printed=news) if news else call)
        except (ToolError, Wait):
            raise
        except BaseException as error:
            self._raised = error
            raise

    async def _missed(self) -> list[tuple[str, int | None]]:
        """The calls that nobody awaited: functions and lines."""
        missed = [(entry.call.function, entry.line) for entry in self.ledger.in_status('not started')]
        if self.left_behind is None or self.snippet.tasks or not defers(self.code):
            return missed
        left = await self.left_behind()
        return [*missed, *((name.removeprefix(HOST), line) for name, line in left)]

    async def _completed(self, end: MontyComplete) -> Outcome:
        try:
            result = await carried_aside(_output(end), self.limits.result_bytes)
        except TooLarge as error:
            return self._failed(self._report.from_result(error.size), lost=False)
        missed = await self._missed()
        if missed:
            return self._failed(self._report.never_awaited(*missed[0]), lost=False)
        s = self.snippet
        out, calls = self._out(), self.ledger.records()
        return Completed(s.text, s.repairs, out, calls, result.value, s.name, ran=s.awaiting, changes=result.changes)

    def _suspended(self, end: Paused) -> Suspended:
        s = self.snippet
        state = self._state(end.snapshot, self.ledger.to_json())
        return Suspended(s.text, s.repairs, self._out(), self.ledger.records(), state, end.waiting, ran=s.awaiting)

    def _failed(self, error: SnippetError, *, lost: bool) -> Failed:
        s = self.snippet
        return Failed(s.text, s.repairs, self._out(), self.ledger.records(), error, session_lost=lost, ran=s.awaiting)

    @property
    def _report(self) -> Report:
        return Report(self.snippet, self.functions, self.ledger.records(), self.limits, self.known)

    def _out(self) -> str:
        return self.printed + self._sink.output

    async def _checkpoint(self, snapshot: Pausable) -> None:
        if self.keeps.page is not None:
            while (page := self.ledger.next_page(self._drive.ready.leaving)) is not None:
                await self.keeps.page(page_to_bytes(page), self.ledger.paged)
        if self.keeps.state is not None:
            await self.keeps.state(self._state(snapshot, self.ledger.loose_to_json(), self.ledger.paged))

    def _state(self, snapshot: Pausable, calls: list[dict[str, Any]], paged: int = 0) -> bytes:
        facts = {
            **self._same_in_all_states,
            'printed': self._out(),
            'slept': self._drive.slept,
            **calls_to_facts(calls, paged),
            'ready': self._drive.ready.to_json(),
            'before': self._drive.before,
        }
        return State(facts, snapshot.dump()).to_bytes()

    @cached_property
    def _same_in_all_states(self) -> dict[str, Any]:
        return {'snippet': snippet_to_json(self.snippet), 'memory': self.remembered(), 'ran': self.code}

    def _line_of(self, snapshot: AsyncFunctionSnapshot) -> int | None:
        place = snapshot.position.start, snapshot.position.end
        if place not in self._places:
            # Positions in a function of an earlier snippet are those of that one, whose number nobody tells.
            made_here = not self.code or _is_call(self._ran[place[0] : place[1]])
            line = self.snippet.line(bisect_right(self._lines, place[0]) + 1)
            self._places[place] = line if made_here else None
        return self._places[place]

    @cached_property
    def _ran(self) -> bytes:
        return (self.code or self.snippet.code).encode()

    @cached_property
    def _places(self) -> dict[tuple[int, int], int | None]:
        """The lines of the calls that were made, by their places."""
        return {}

    @cached_property
    def _lines(self) -> list[int]:
        """Where the lines of what runs begin, in bytes, from the second on."""
        return [*accumulate(len(line) + 1 for line in self._ran.split(b'\n'))]


def _is_call(text: bytes) -> bool:
    try:
        return isinstance(expression_of(text.decode()), ast.Call)
    except (SyntaxError, ValueError):
        return False


def _output(end: MontyComplete) -> Any:
    try:
        return end.output
    except Exception:
        # Sets of instances and the like are values in the sandbox that Python cannot build here.
        return '<a value that cannot leave the sandbox; turn it into dicts, lists and strings>'


def snippet_to_json(snippet: Snippet) -> dict[str, Any]:
    """What a resumed run needs of a snippet, as JSON."""
    return {
        'text': snippet.text,
        'code': snippet.code,
        'lines': list(snippet.lines),
        'repairs': list(snippet.repairs),
        'name': snippet.name,
        'bound': sorted(snippet.bound),
        'pieces': list(snippet.pieces),
        'interleaves': snippet.interleaves,
    }


def snippet_from_json(data: dict[str, Any]) -> Snippet:
    """The snippet again, as far as it matters."""
    return Snippet(
        text=data['text'],
        code=data['code'],
        lines=tuple(data['lines']),
        repairs=tuple(data['repairs']),
        name=data['name'],
        bound=frozenset(data['bound']),
        pieces=tuple(data['pieces']),
        interleaves=data['interleaves'],
    )
