"""A pool of type checker processes.

A check is limited in processor time, not in elapsed time: on a busy machine even a harmless script waits for the
processor. Only killing the process stops a check, and a new process needs a third of a second for its first check.

One hostile script uses up its limit, and many of them form a queue. So one slot is reserved for scripts that cannot
be slow.
"""

import logging
from contextlib import suppress

from pydantic_monty import AsyncMonty, ExternalModule, MontyError

from toolscript_sandbox.checking.checker import (
    LIMITS,
    CheckContext,
    CheckerFailed,
    Diagnostic,
    Unchecked,
    findings_of,
    prelude,
)
from toolscript_sandbox.contract.errors import Unavailable

from .process import PATIENCE, SECONDS, Process, Watch, Worker, ended
from .slots import IdlePool, Slots
from .workers import Stats, finished

_logger = logging.getLogger('toolscript.sandbox')


class Checkers:
    """The checkers of this process. Each checks one script at a time."""

    def __init__(self, *, max_processes: int, seconds: float, idle_seconds: float, counts: Stats) -> None:
        self._slots = Slots(max_processes, reserved=min(1, max_processes - 1))
        self._idle_pool = IdlePool[_Checker](1, idle_seconds)
        self._seconds = seconds
        self._counts = counts

    async def warm(self) -> None:
        """Start a checker so that the first check is fast, unless the machine is too busy for that."""
        with suppress(_Stopped):
            await self.check(_WARMING, CheckContext())

    async def check(self, code: str, context: CheckContext, *, is_heavy: bool = False) -> list[Diagnostic]:
        """Return the type checker's findings. Raises `Unchecked`, so no script runs unchecked, or `Unavailable`."""
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
            _logger.warning('a type checker failed, and a new one checks the script again: %s', error)
        try:
            return await self._checked(_Checker(), code, context)
        except CheckerFailed as error:
            self._counts.checks_failed += 1
            _logger.error('a script could not be checked, and was refused: %s', error)
            raise Unchecked(_FAILED) from error

    async def _free(self) -> '_Checker':
        while (checker := self._idle_pool.take()) is not None:
            if not checker.is_lost:
                return checker
            await finished(checker.end())
        return _Checker()

    async def _checked(self, checker: '_Checker', code: str, context: CheckContext) -> list[Diagnostic]:
        try:
            findings = await checker.check(code, context, self._seconds)
        except BaseException as error:
            if isinstance(error, _Stopped):
                self._counts.checks_stopped += 1
                _logger.warning('the type check of a script took more than %g s, and was stopped', self._seconds)
            await finished(checker.end())
            raise
        if checker.is_worn:
            await finished(checker.end())
        else:
            self._idle_pool.put(checker)
        return findings


class _Stopped(Unchecked):
    pass


class _Checker:
    """A process with a session that checks scripts and never runs anything."""

    def __init__(self) -> None:
        self._modules = dict[str, ExternalModule]()
        self._process = Process(AsyncMonty(min_processes=0, max_processes=1))
        self._worker: Worker | None = None
        self._checks = 0

    @property
    def is_lost(self) -> bool:
        return self._worker is not None and self._worker.is_lost

    @property
    def is_worn(self) -> bool:
        """Whether the session has accumulated so much that it should be replaced."""
        return self._checks > _CHECKS or len(self._modules) > _MODULES

    async def check(self, code: str, context: CheckContext, seconds: float) -> list[Diagnostic]:
        """Return the checker's findings. Raises `CheckerFailed` and `Unchecked`."""
        worker, error = await self._opened(), None
        self._checks += 1
        before = prelude(context, self._modules)
        watch = Watch(worker, seconds)
        try:
            await ended(worker.session.feed_run(f'{before}\n{code}'), seconds * PATIENCE + SECONDS)
        except (MontyError, RuntimeError) as found:
            # The error's traceback refers to this frame, which refers to the error.
            error = found.with_traceback(None)
        except TimeoutError:
            raise _Stopped(_STOPPED.format(seconds=seconds)) from None
        finally:
            watch.end()
        if watch.stopped:
            raise _Stopped(_STOPPED.format(seconds=seconds))
        return findings_of(error, before.count('\n') + 1)

    async def _opened(self) -> Worker:
        if self._worker is None:
            session = self._process.pool.checkout(
                type_check=True, type_check_format='json', external_modules=self._modules, limits=LIMITS
            )
            try:
                self._worker = await self._process.lend(session)
            except (MontyError, RuntimeError, OSError) as error:
                raise CheckerFailed(f'no process could be started: {error}') from error
        return self._worker

    async def end(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            await self._worker.close()
        await self._process.end()


_QUEUE = 60
"""A script waits at most as long as this many checks of maximum length take."""
_CHECKS = 5_000
_MODULES = 2_000
_STOPPED = """\
The type check of this script was stopped after {seconds:g} s. Write it simpler: shorter, with less nesting, with \
fewer variables that are built from each other in branches and loops, or annotate what functions return.
Nothing was run."""
_FAILED = """\
This script could not be checked: the type checker failed twice. Write it simpler, in smaller steps.
Nothing was run."""
_WARMING = """\
import asyncio, datetime, json, re
from collections import Counter, defaultdict
async def _warm(x: int) -> list[dict[str, str]]: return []
await asyncio.gather(*[_warm(i) for i in range(3)])
"""
# Code that uses features which are slow on first use, mainly await and asyncio, and cheap afterwards.
