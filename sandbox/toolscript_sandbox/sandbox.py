"""The sandbox: one pool of warm workers per process.

Importing it loads only what starts the workers, which takes as long as loading the rest: both can happen at once.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic_monty import AsyncMonty, AsyncMontyWebsocket

from .checking.checker import CheckContext, Diagnostic
from .contract.errors import Unavailable
from .contract.frozen_clock import SessionClock
from .contract.limits import Limits
from .host_library import HostLibrary
from .workers.checkers import Checkers
from .workers.host_process import check_not_inherited, client_is_inherited, keep_over_forks, wait_until_idle
from .workers.process import Pool, Worker
from .workers.workers import Stats, Workers

if TYPE_CHECKING:
    from .contract.functions import Functions
    from .mounts.host_files import HostFiles
    from .session import Session


class Sandbox:
    """Owns the worker processes, the type checkers and the helper processes of CPython.

    Several event loops and threads may share it. It starts with the first script.
    """

    def __init__(
        self,
        *,
        workers: int = 64,
        warm: int = 1,
        recycle_after: int | None = 1000,
        checkers: int | None = None,
        checkout_seconds: float = 30.0,
        check_seconds: float = 3.0,
        idle_seconds: float = 5.0,
        url: str | None = None,
        headers: Callable[[], Mapping[str, str]] | None = None,
    ) -> None:
        """Allow at most `workers` sessions to hold a worker at a time, and keep `warm` workers ready.

        A worker is replaced after `recycle_after` sessions; with 1, each session gets its own process. A session
        that finds no free worker waits `checkout_seconds`, then fails with `Unavailable`. Workers beyond `warm` are
        stopped after `idle_seconds` without work. With `url`, scripts run in remote workers behind a WebSocket, but
        are still checked here. `headers` is called for each connection and returns its headers, such as a fresh
        token; it must not block.

        At most `checkers` scripts are type-checked at a time; None means one per processor, and at least two. A
        check that computes longer than `check_seconds` is stopped, and the script is refused.
        """
        if headers is not None and url is None:
            raise ValueError('headers= needs url=: headers are sent to remote workers')
        max_checkers = max(2, os.cpu_count() or 2) if checkers is None else checkers
        _positive(workers=workers, checkers=max_checkers, checkout_seconds=checkout_seconds)
        _positive(check_seconds=check_seconds, idle_seconds=idle_seconds, warm=warm + 1)
        _positive(recycle_after=1 if recycle_after is None else recycle_after)
        self._counts = Stats()

        def new_pool() -> Pool:
            if url is None:
                return AsyncMonty(min_processes=0, max_processes=1, max_checkouts_per_worker=recycle_after)
            return AsyncMontyWebsocket(url, max_processes=1, request_timeout=None, connect_headers=headers)

        self._workers = Workers(
            new_pool,
            max_processes=workers,
            warm=min(warm, workers) if url is None else 0,
            idle_seconds=idle_seconds,
            checkout_seconds=checkout_seconds,
            counts=self._counts,
        )
        self._checkers = Checkers(
            max_processes=max_checkers, seconds=check_seconds, idle_seconds=idle_seconds, counts=self._counts
        )
        self.library: HostLibrary = HostLibrary()
        self._waits_ready = warm > 0
        self._lock = threading.Lock()
        self._starting: Future[None] | None = None

    @classmethod
    def shared(cls) -> Sandbox:
        """Return the sandbox of this process, which starts on first use and closes when the process ends."""
        with _LOCK:
            if not _SHARED:
                _SHARED.append(Sandbox())
            return _SHARED[0]

    async def start(self) -> None:
        """Start the workers and warm the type checker if that has not happened yet. Raises `Unavailable`."""
        check_not_inherited()
        starting = self._begin()
        # Waiting for a future that is done would cost a turn of the event loop.
        if starting.done():
            starting.result()
        else:
            await asyncio.shield(asyncio.wrap_future(starting))

    def start_ahead(self) -> None:
        """Begin to start if that has not happened yet, and return at once. Does nothing if `warm` is 0.

        Errors are dropped: `start` tries again and raises them.
        """
        if self._waits_ready and not client_is_inherited():
            with suppress(Unavailable):
                self._begin()

    def _begin(self) -> Future[None]:
        """Return the start, which happens on a thread, so that it survives the caller's task and event loop.

        Raises `Unavailable` if no thread can be started.
        """
        with self._lock:
            if self._starting is None:
                # A child forked meanwhile would wait for work that a thread of the parent had begun.
                keep_over_forks(self)
                starting = Future[None]()
                try:
                    threading.Thread(target=self._start, args=[starting], name='toolscript-start').start()
                except RuntimeError as error:
                    raise Unavailable(f'the sandbox cannot start: {error}') from error
                self._starting = starting
            return self._starting

    def _start(self, starting: Future[None]) -> None:
        async def start() -> None:
            # The first check takes longest, so its process starts first.
            await asyncio.gather(self._checkers.warm(), self._workers.start())

        try:
            asyncio.run(start())
        except BaseException as error:
            with self._lock:
                self._starting = None
            starting.set_exception(error)
        else:
            starting.set_result(None)

    async def close(self) -> None:
        """Stop the workers."""
        with self._lock:
            starting, self._starting = self._starting, None
        if starting is None:
            return
        # Workers that do not exist yet could not be stopped.
        with suppress(Exception):
            await asyncio.shield(asyncio.wrap_future(starting))
        await self._checkers.close()
        await self._workers.close()
        await self.library.close()

    async def __aenter__(self) -> Sandbox:
        await self.start()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def session(
        self,
        *,
        limits: Limits | None = None,
        frozen_clock: SessionClock | None = None,
        files: HostFiles | None = None,
    ) -> Session:
        """Return a new REPL session.

        With `frozen_clock`, scripts see the same time and the same random numbers on every run; a `HostClock` can be
        started again. With `files`, scripts see its folders.
        """
        from .session import Session

        return Session(self, limits or Limits(), frozen_clock=frozen_clock, files=files)

    async def replay(
        self, state: bytes, functions: Functions, *, limits: Limits | None = None, files: HostFiles | None = None
    ) -> bytes:
        """Convert the state of a suspended script that another version of Monty saved to the format of this version.

        The script and the earlier ones of its session run again. Their calls and file operations get the recorded
        answers: nothing outside is called or changed. Raises `ReplayDiffers` if they behave differently than before,
        or if the recording in the state is incomplete.
        """
        from .execution.state import State
        from .replay import Replay

        recording = State.recording_in(state)
        async with Replay(self, limits or Limits(), recording, functions, files) as replay:
            return await replay.state()

    @property
    def stats(self) -> Stats:
        """Counts of the workers, and of the checks that failed."""
        return replace(self._counts, workers_in_use=self._workers.lent, workers_idle=self._workers.idle)

    async def worker(self, limits: Limits, frozen_clock: SessionClock | None = None, *, seed: bytes = b'') -> Worker:
        """Lend a worker to one session. Raises `Unavailable`."""
        await self.start()
        return await self._workers.lend(limits, frozen_clock, seed=seed)

    async def give_back(self, worker: Worker) -> None:
        """Return the worker of a session that has ended to the pool."""
        await self._workers.give_back(worker)

    async def check(self, code: str, context: CheckContext, *, is_heavy: bool = False) -> list[Diagnostic]:
        """Return the type checker's findings in a script. Raises `Unchecked` if the check does not end."""
        await self.start()
        return await self._checkers.check(code, context, is_heavy=is_heavy)


def _positive(**settings: float) -> None:
    for name, value in settings.items():
        if value <= 0:
            raise ValueError(f'{name} of a sandbox is {value:g}; it must be more than 0')


_LOCK = threading.Lock()
_SHARED = list[Sandbox]()


def _at_end() -> None:
    # Workers that do not end in time end with the process, whose pipe they read.
    with suppress(TimeoutError):
        if _SHARED:
            asyncio.run(asyncio.wait_for(_SHARED[0].close(), 5))
    wait_until_idle()


# Callbacks run in reverse order of registration, so this one runs after those of programs that import this module.
atexit.register(_at_end)
if sys.platform != 'win32':
    # The workers and the threads that talk to them belong to the parent.
    os.register_at_fork(after_in_child=_SHARED.clear)
