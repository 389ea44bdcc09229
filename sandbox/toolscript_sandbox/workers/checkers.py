"""Type checkers that wait for snippets.

A check is bounded by the time that its process computes, not by a clock: on a busy machine an innocent snippet waits
for its turn at the processor, too. Nothing but the end of the process stops a check, and a fresh one needs a third of a
second for its first check.

One hostile snippet costs its bound, and many queue. One turn is therefore kept for snippets that cannot be slow,
whoever else waits.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from operator import add

from pydantic_monty import MontyError

from toolscript_sandbox.checking.checker import Checker, CheckerFailed, Context, Diagnostic, Unchecked
from toolscript_sandbox.checking.cost import MOST_NESTED, Cost, cost_of
from toolscript_sandbox.contract.errors import Unavailable

from .idle_processes import Shelf
from .process import SECONDS, Process, Worker
from .recent_results import LONGEST, Lately
from .slots import Slots
from .stats import Counts
from .turns import ended
from .workers import finished

_logger = logging.getLogger('toolscript.sandbox')


class Checkers:
    """Checkers of one process of ours, each for one snippet at a time."""

    def __init__(self, *, most: int, seconds: float, idle_seconds: float, counts: Counts) -> None:
        self._slots = Slots(most, reserved=min(1, most - 1))
        self._shelf = Shelf[_Desk](1, idle_seconds)
        self._seconds = seconds
        self._counts = counts
        self._findings = Lately[_Read, tuple[Diagnostic, ...]](128)

    async def warm(self) -> None:
        """Make the first check a fast one, where the machine is not too busy for that."""
        with suppress(_Stopped):
            await self._read(_WARMING, Context())

    async def check(self, code: str, context: Context) -> list[Diagnostic]:
        """What the type checker finds. Raises `Unchecked`, so that no snippet passes unseen, and `Unavailable`.

        Of the very same text it finds the same, so it is not asked again; checks that came to no end are not findings.
        """
        if len(code) > LONGEST:
            return await self._read(code, context)
        read = _read_of(code, context)
        findings = self._findings.get(read)
        if findings is None:
            findings = tuple(await self._read(code, context))
            self._findings.put(read, findings)
        return [*findings]

    async def _read(self, code: str, context: Context) -> list[Diagnostic]:
        cost = reduce(add, map(cost_of, (code, *context.history)), Cost())
        if cost.nested > MOST_NESTED:
            raise Unchecked(_NESTED.format(cost=cost, most=MOST_NESTED))
        try:
            turn = await self._slots.take(heavy=not cost.is_light, timeout=self._seconds * _QUEUE)
        except TimeoutError as error:
            raise Unavailable('every type checker of the sandbox is busy; allow more checkers') from error
        try:
            return await self._attempted(code, context)
        finally:
            self._slots.give_back(turn)

    async def close(self) -> None:
        """End those that are idle."""
        await self._shelf.clear()

    async def _attempted(self, code: str, context: Context) -> list[Diagnostic]:
        self._counts.checks += 1
        try:
            return await self._checked(await self._free(), code, context)
        except CheckerFailed as error:
            self._counts.checks_repeated += 1
            _logger.warning('a type checker failed, and a fresh one checks the snippet again: %s', error)
        try:
            return await self._checked(_Desk(), code, context)
        except CheckerFailed as error:
            self._counts.checks_failed += 1
            _logger.error('a snippet could not be checked, and was refused: %s', error)
            raise Unchecked(_FAILED) from error

    async def _free(self) -> _Desk:
        while (desk := self._shelf.take()) is not None:
            if not desk.is_lost:
                return desk
            await finished(desk.end())
        return _Desk()

    async def _checked(self, desk: _Desk, code: str, context: Context) -> list[Diagnostic]:
        try:
            findings = await desk.check(code, context, self._seconds)
        except _TooLong:
            self._counts.checks_stopped += 1
            _logger.warning('the type check of a snippet took more than %g s, and was stopped', self._seconds)
            await finished(desk.end())
            raise _Stopped(_STOPPED.format(seconds=self._seconds)) from None
        except BaseException:
            await finished(desk.end())
            raise
        if desk.checker.is_worn:
            await finished(desk.end())
        else:
            self._shelf.put(desk)
        return findings


@dataclass(frozen=True)
class _Read:
    """All that a checker reads."""

    code: str
    history: tuple[str, ...]
    functions: tuple[tuple[str, str], ...]
    """Names and stubs. Functions themselves would hold on to the run that they are of."""
    types: tuple[tuple[str, str, str], ...]
    untyped: frozenset[str]


def _read_of(code: str, context: Context) -> _Read:
    functions = tuple((function.name, function.stub) for function in context.functions)
    types = tuple((name, function.name, function.stub) for name, function in context.types)
    return _Read(code, context.history, functions, types, context.untyped)


class _TooLong(Exception):
    pass


class _Stopped(Unchecked):
    pass


class _Desk:
    """A checker in a process of its own."""

    def __init__(self) -> None:
        self.checker = Checker()
        self._process = Process()
        self._worker: Worker | None = None

    @property
    def is_lost(self) -> bool:
        """Whether its process has died."""
        return self._worker is not None and self._worker.is_lost

    async def check(self, code: str, context: Context, seconds: float) -> list[Diagnostic]:
        """What the checker finds. Raises `_TooLong`, `CheckerFailed` and `Unchecked`."""
        worker = await self._opened()
        check, watch = self.checker.begin(code, context), _Watch(worker, seconds)
        try:
            await ended(check.turn, seconds * _PATIENCE + SECONDS)
        except (MontyError, RuntimeError) as error:
            # What it says is for the findings to tell. A traceback would hold the check, which holds the error.
            error.__traceback__ = None
        except TimeoutError:
            raise _TooLong from None
        finally:
            watch.end()
        if watch.stopped:
            raise _TooLong
        return check.findings()

    async def _opened(self) -> Worker:
        if self._worker is None:
            try:
                self._worker = await self._process.lend(self.checker.checkout)
            except (MontyError, RuntimeError, OSError) as error:
                raise CheckerFailed(f'no process could be had: {error}') from error
        return self._worker

    async def end(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.kill()
            await self._worker.close()
        await self._process.end()


class _Watch:
    """Looks at a check now and then, and ends its process where it computes for too long."""

    def __init__(self, worker: Worker, seconds: float) -> None:
        self.stopped = False
        self._worker = worker
        self._seconds = seconds
        self._before: float | None = None
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._timer = self._loop.call_later(_LOOK, self._look)

    def end(self) -> None:
        """The check is over."""
        self._timer.cancel()

    def _look(self) -> None:
        waited = self._loop.time() - self._began
        computed = waited if (total := self._worker.cpu_seconds) is None else total
        if self._before is None:
            # What came before the first look was short, and most checks are over by then.
            self._before = computed - min(waited, _LOOK)
        if waited > self._seconds * _PATIENCE or computed - self._before > self._seconds:
            self.stopped = True
            self._worker.kill()
        else:
            self._timer = self._loop.call_later(_LOOK, self._look)


_LOOK = 0.1
_PATIENCE = 20
"""How much longer than it may compute a check may take by the clock."""
_QUEUE = 60
"""How many checks of the longest kind a snippet waits for at most."""
_NESTED = """\
Functions stand inside functions {cost.nested} deep; {most} are allowed. Write them side by side.
Nothing was run."""
_STOPPED = """\
The type check of this snippet was stopped after {seconds:g} s. Write it simpler: shorter, with less nesting, with \
fewer variables that are built from each other in branches and loops, or annotate what functions return.
Nothing was run."""
_FAILED = """\
This snippet could not be checked: the type checker failed twice. Write it simpler, in smaller steps.
Nothing was run."""
_WARMING = """\
import asyncio, datetime, json, re
from collections import Counter, defaultdict
async def _warm(x: int) -> list[dict[str, str]]: return []
await asyncio.gather(*[_warm(i) for i in range(3)])
"""
# Whatever the checker has seen once is cheap from then on; await and asyncio are the dear ones.
