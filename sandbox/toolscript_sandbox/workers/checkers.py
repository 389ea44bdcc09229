"""A pool of type checker processes.

A check is limited in processor time, not in elapsed time: on a busy machine even a harmless snippet waits for the
processor. Only killing the process stops a check, and a new process needs a third of a second for its first check.

One hostile snippet uses up its limit, and many of them form a queue. So one slot is reserved for snippets that cannot
be slow.
"""

import logging
from contextlib import suppress

from pydantic_monty import MontyError

from toolscript_sandbox.checking.checker import CheckContext, Checker, CheckerFailed, Diagnostic, Unchecked
from toolscript_sandbox.contract.errors import Unavailable

from .process import PATIENCE, SECONDS, Process, Watch, Worker, ended
from .slots import IdlePool, Slots
from .workers import Stats, finished

_logger = logging.getLogger('toolscript.sandbox')


class Checkers:
    """The checkers of this process. Each checks one snippet at a time."""

    def __init__(self, *, most: int, seconds: float, idle_seconds: float, counts: Stats) -> None:
        self._slots = Slots(most, reserved=min(1, most - 1))
        self._idle_pool = IdlePool[_CheckerProcess](1, idle_seconds)
        self._seconds = seconds
        self._counts = counts

    async def warm(self) -> None:
        """Start a checker so that the first check is fast, unless the machine is too busy for that."""
        with suppress(_Stopped):
            await self.check(_WARMING, CheckContext())

    async def check(self, code: str, context: CheckContext, *, is_heavy: bool = False) -> list[Diagnostic]:
        """Return the type checker's findings. Raises `Unchecked`, so no snippet runs unchecked, or `Unavailable`."""
        try:
            slot = await self._slots.take(heavy=is_heavy, timeout=self._seconds * _QUEUE)
        except TimeoutError as error:
            raise Unavailable('every type checker of the sandbox is busy; allow more checkers') from error
        try:
            return await self._attempted(code, context)
        finally:
            self._slots.give_back(slot)

    async def close(self) -> None:
        await self._idle_pool.clear()

    async def _attempted(self, code: str, context: CheckContext) -> list[Diagnostic]:
        self._counts.checks += 1
        try:
            return await self._checked(await self._free(), code, context)
        except CheckerFailed as error:
            self._counts.checks_repeated += 1
            _logger.warning('a type checker failed, and a fresh one checks the snippet again: %s', error)
        try:
            return await self._checked(_CheckerProcess(), code, context)
        except CheckerFailed as error:
            self._counts.checks_failed += 1
            _logger.error('a snippet could not be checked, and was refused: %s', error)
            raise Unchecked(_FAILED) from error

    async def _free(self) -> '_CheckerProcess':
        while (process := self._idle_pool.take()) is not None:
            if not process.is_lost:
                return process
            await finished(process.end())
        return _CheckerProcess()

    async def _checked(self, process: '_CheckerProcess', code: str, context: CheckContext) -> list[Diagnostic]:
        try:
            findings = await process.check(code, context, self._seconds)
        except _TooLong:
            self._counts.checks_stopped += 1
            _logger.warning('the type check of a snippet took more than %g s, and was stopped', self._seconds)
            await finished(process.end())
            raise _Stopped(_STOPPED.format(seconds=self._seconds)) from None
        except BaseException:
            await finished(process.end())
            raise
        if process.checker.is_worn:
            await finished(process.end())
        else:
            self._idle_pool.put(process)
        return findings


class _TooLong(Exception):
    pass


class _Stopped(Unchecked):
    pass


class _CheckerProcess:
    """A checker in its own process."""

    def __init__(self) -> None:
        self.checker = Checker()
        self._process = Process()
        self._worker: Worker | None = None

    @property
    def is_lost(self) -> bool:
        return self._worker is not None and self._worker.is_lost

    async def check(self, code: str, context: CheckContext, seconds: float) -> list[Diagnostic]:
        """Return the checker's findings. Raises `_TooLong`, `CheckerFailed` and `Unchecked`."""
        worker = await self._opened()
        check, watch = self.checker.begin(code, context), Watch(worker, seconds)
        try:
            await ended(check.turn, seconds * PATIENCE + SECONDS)
        except (MontyError, RuntimeError) as error:
            # `Check.findings` handles the error. Its traceback would refer to the check, which refers to the error.
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
                raise CheckerFailed(f'no process could be started: {error}') from error
        return self._worker

    async def end(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            await self._worker.close()
        await self._process.end()


_QUEUE = 60
"""A snippet waits at most as long as this many checks of maximum length take."""
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
# Code that uses features which are slow on first use, mainly await and asyncio, and cheap afterwards.
