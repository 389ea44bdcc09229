"""A process of Monty's, and what is known of it.

Whether a process lives is read from the process. Monty tells of a dead one in many words (`MontyCrashedError`, a
`MemoryError` inside a `MontyRuntimeError`, a plain `RuntimeError` about the protocol or about a checkout that has
ended), and none of them has to be understood here.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias, TypeVar

from pydantic_monty import AsyncMonty, AsyncMontySession, MontyError

from .host_process import held_over_forks, is_inherited

T = TypeVar('T')


async def ended(turn: Awaitable[T], seconds: float) -> T:
    """What the turn gives. Raises what it raises, and `TimeoutError` where it takes longer; it is given up then."""
    try:
        async with asyncio.timeout(seconds):
            return await turn
    except TimeoutError:
        raise TimeoutError(f'no answer in {seconds:g} s') from None


SECONDS = 60.0
"""What a process may take to start or to end, on the busiest machine; one that takes longer is given up."""
PATIENCE = 20
"""How much longer than a process may compute it may take by the clock."""
_LOOK = 0.1
_KILL = signal.SIGTERM if sys.platform == 'win32' else signal.SIGKILL
"""Ends a process at once on each system."""
Checkout: TypeAlias = Callable[[AsyncMonty], AsyncMontySession]
"""Asks a pool for a session of some kind."""


class Worker:
    """A session of Monty's, lent to one who uses it alone."""

    def __init__(self, session: AsyncMontySession) -> None:
        """`session` has been entered."""
        self.session = session
        self._pid = session.worker_pid
        self._handle = _handle(self._pid)
        self._killed = False
        held_over_forks(self)

    @property
    def is_lost(self) -> bool:
        """Whether the process is gone, and all that the session held with it; to be asked between two turns.

        Of a remote one that can only be said once it was killed, or a turn failed.
        """
        if self._killed or (self._pid is not None and self.session.worker_pid is None):
            return True
        return self._handle is not None and _has_ended(self._handle)

    @property
    def cpu_seconds(self) -> float | None:
        """What the process has computed so far; None where the system does not tell."""
        return None if self._pid is None else _cpu_seconds(self._pid)

    def kill(self) -> None:
        """End the process now, whatever it does. Returns at once, and never fails."""
        self._killed = True
        if is_inherited():
            return
        with suppress(OSError):
            if sys.platform == 'linux' and self._handle is not None:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            elif self._pid is not None:
                os.kill(self._pid, _KILL)

    async def close(self) -> bool:
        """End the session, and wait until it has ended; never an error. Whether the process is fit for another one."""
        lost, fit = self.is_lost, False
        try:
            fit = await _ended(self.session) and not lost
        finally:
            # Anyone who was cancelled here leaves a session that may not have ended.
            if not fit:
                self.kill()
            handle, self._handle, self._pid = self._handle, None, None
            if handle is not None:
                os.close(handle)
        return fit


class Watch:
    """Looks at a process now and then, and ends it if it computes for too long.

    By the time that it computes, not by a clock: on a busy machine the innocent wait for the processor, too.
    """

    def __init__(self, worker: Worker, seconds: float, *, first_look: float = 0.1) -> None:
        """What the process computes before the first look, after so many seconds, counts as that many at most."""
        self.stopped = False
        self._worker = worker
        self._seconds = seconds
        self._first_look = first_look
        self._before: float | None = None
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._timer = self._loop.call_later(first_look, self._look)

    def end(self) -> None:
        """The work is over."""
        self._timer.cancel()

    def _look(self) -> None:
        waited = self._loop.time() - self._began
        computed = waited if (total := self._worker.cpu_seconds) is None else total
        if self._before is None:
            # A look at each beginning would be dear, and most work is over by now.
            self._before = computed - min(waited, self._first_look)
        if waited > self._seconds * PATIENCE or computed - self._before > self._seconds:
            self.stopped = True
            self._worker.kill()
        else:
            self._timer = self._loop.call_later(_LOOK, self._look)


class Process:
    """A pool of one."""

    def __init__(self, *, recycle_after: int | None = None) -> None:
        self._pool = AsyncMonty(min_processes=0, max_processes=1, max_checkouts_per_worker=recycle_after)
        self._begun = False
        held_over_forks(self)

    async def lend(self, checkout: Checkout) -> Worker:
        """A worker in the process, which starts with the first. Raises what Monty raises, and `TimeoutError`."""
        if not self._begun:
            self._begun = True
            await ended(self._pool.__aenter__(), SECONDS)
        return Worker(await ended(checkout(self._pool).__aenter__(), SECONDS))

    async def end(self) -> None:
        """Stop the process; never an error."""
        if self._begun:
            await _ended(self._pool)


async def _ended(holder: AsyncMontySession | AsyncMonty) -> bool:
    if is_inherited():
        return False
    # It may be gone already, which is all that was wanted.
    with suppress(MontyError, RuntimeError, OSError):
        await ended(holder.__aexit__(None, None, None), SECONDS)
        return True
    return False


def _handle(pid: int | None) -> int | None:
    # The number of a process that has ended may come to mean another one; a handle cannot.
    if sys.platform == 'linux' and pid is not None:
        with suppress(OSError):
            return os.pidfd_open(pid)
    return None


def _has_ended(handle: int) -> bool:
    assert sys.platform == 'linux'
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(0))


def _cpu_seconds(pid: int) -> float | None:
    if sys.platform != 'linux':
        import psutil

        try:
            times = psutil.Process(pid).cpu_times()
        except psutil.Error:
            return None
        return times.user + times.system
    # Linux answers without psutil, whose import would be a tenth of a first script.
    try:
        fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
