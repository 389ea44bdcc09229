"""A Monty process: its state, its processor time and its end.

The operating system reports whether a process lives. Monty reports a dead one in many ways (`MontyCrashedError`, a
`MemoryError` inside a `MontyRuntimeError`, a plain `RuntimeError` about the protocol or about a checkout that has
ended), which this module does not interpret.
"""

import asyncio
import os
import select
import signal
import sys
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias, TypeVar

from pydantic_monty import AsyncMonty, AsyncMontySession, AsyncMontyWebsocket, MontyError

from .host_process import client_is_inherited, keep_over_forks

T = TypeVar('T')


async def ended(turn: Awaitable[T], seconds: float) -> T:
    """Await one operation of Monty. Raises its errors, and `TimeoutError` if it takes longer and is abandoned."""
    try:
        async with asyncio.timeout(seconds):
            return await turn
    except TimeoutError:
        raise TimeoutError(f'no answer in {seconds:g} s') from None


SECONDS = 60.0
"""How long a process may take to start or end, even on a very busy machine; a slower one is abandoned."""
PATIENCE = 20
"""The elapsed time that a process may take, as a multiple of its limit of processor time."""
_LOOK = 0.1
_KILL = signal.SIGTERM if sys.platform == 'win32' else signal.SIGKILL
"""The signal that ends a process at once on this system."""
Pool: TypeAlias = AsyncMonty | AsyncMontyWebsocket


class Worker:
    """A Monty session, lent to one user at a time."""

    def __init__(self, session: AsyncMontySession) -> None:
        self.session = session
        self._pid = session.worker_pid
        self._handle = _handle(self._pid)
        self._killed = False
        keep_over_forks(self)

    @property
    def is_local(self) -> bool:
        """Whether the process runs on this machine."""
        return self._pid is not None

    @property
    def is_lost(self) -> bool:
        """Whether the process has ended, and everything in the session is lost. To be read between two turns.

        For a remote process this is only known once it was killed or a turn failed.
        """
        if self._killed or (self._pid is not None and self.session.worker_pid is None):
            return True
        return self._handle is not None and _has_ended(self._handle)

    @property
    def cpu_seconds(self) -> float | None:
        """The processor time of the process so far; None if the system does not report it."""
        return None if self._pid is None else _cpu_seconds(self._pid)

    def kill(self) -> None:
        """Kill the process. Returns at once, and never raises."""
        self._killed = True
        if client_is_inherited():
            return
        with suppress(OSError):
            if sys.platform == 'linux' and self._handle is not None:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            elif self._pid is not None:
                os.kill(self._pid, _KILL)

    async def close(self) -> bool:
        """End the session and wait until it has ended. Never raises. Returns whether the process can be reused."""
        lost, fit = self.is_lost, False
        try:
            fit = await _ended(self.session) and self.is_local and not lost
        finally:
            # If this task was cancelled, the session may not have ended.
            if not fit:
                self.kill()
            handle, self._handle, self._pid = self._handle, None, None
            if handle is not None:
                os.close(handle)
        return fit


class Watch:
    """Checks a process periodically and kills it if it computes for too long.

    The limit is processor time, not elapsed time: on a busy machine even harmless work waits for the processor.
    """

    def __init__(self, worker: Worker, seconds: float, *, first_look: float = 0.1) -> None:
        """Start watching. Work before the first check, after `first_look` seconds, counts as that many at most."""
        self.stopped = False
        self._worker = worker
        self._seconds = seconds
        self._first_look = first_look
        self._before: float | None = None
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._timer = self._loop.call_later(first_look, self._look)

    def end(self) -> None:
        self._timer.cancel()

    def _look(self) -> None:
        waited = self._loop.time() - self._began
        computed = waited if (total := self._worker.cpu_seconds) is None else total
        if self._before is None:
            # Reading the processor time at each start would be expensive, and most work is over by now.
            self._before = computed - min(waited, self._first_look)
        if waited > self._seconds * PATIENCE or computed - self._before > self._seconds:
            self.stopped = True
            self._worker.kill()
        else:
            self._timer = self._loop.call_later(_LOOK, self._look)


class Process:
    """A process of Monty, which its pool starts, or reaches, with the first session."""

    def __init__(self, pool: Pool) -> None:
        """`pool` has at most one process."""
        self.pool = pool
        self._begun = False
        keep_over_forks(self)

    async def lend(self, session: AsyncMontySession) -> Worker:
        """Open a session of the pool. Raises Monty's errors and `TimeoutError`."""
        if not self._begun:
            self._begun = True
            await ended(self.pool.__aenter__(), SECONDS)
        return Worker(await ended(session.__aenter__(), SECONDS))

    async def end(self) -> None:
        """Stop the process. Never raises."""
        if self._begun:
            await _ended(self.pool)


async def _ended(holder: AsyncMontySession | Pool) -> bool:
    if client_is_inherited():
        return False
    # It may have ended already, which is fine.
    with suppress(MontyError, RuntimeError, OSError):
        await ended(holder.__aexit__(None, None, None), SECONDS)
        return True
    return False


def _handle(pid: int | None) -> int | None:
    # The id of a process that has ended may be reused for another one; a handle cannot.
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
    # On Linux this works without psutil, whose import would take a tenth of the time of a first script.
    try:
        fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
