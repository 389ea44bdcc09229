"""The warm workers of a process."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from concurrent.futures import Future
from types import TracebackType

from pydantic_monty import AsyncMonty, AsyncMontySession, AsyncMontyWebsocket, MontyError

from .checking.checker import Checker, Context, Diagnostic
from .contract.errors import Unavailable
from .contract.limits import Limits
from .running.quiet_exit import wait_for_rest
from .session import Session


class Sandbox:
    """Owner of the workers that run snippets, and of those that check them.

    May be used from several event loops and threads. Starts by itself with the first snippet.
    """

    def __init__(
        self,
        *,
        workers: int = 64,
        warm: int = 1,
        recycle_after: int | None = 1000,
        checkers: int = 2,
        checkout_seconds: float = 30.0,
        url: str | None = None,
    ) -> None:
        """At most `workers` sessions have a worker at a time, `warm` of which wait ready.

        A worker is replaced after `recycle_after` sessions; with 1, each session gets a process of its own. A session
        that finds no worker free waits `checkout_seconds`, and then fails with `Unavailable`. With `url`, snippets run
        in remote workers behind a WebSocket; they are still checked here.
        """
        if url is None:
            self._pool: AsyncMonty | AsyncMontyWebsocket = AsyncMonty(
                min_processes=warm,
                max_processes=workers,
                checkout_timeout=checkout_seconds,
                max_checkouts_per_worker=recycle_after,
            )
        else:
            self._pool = AsyncMontyWebsocket(
                url, max_processes=workers, checkout_timeout=checkout_seconds, request_timeout=None
            )
        self._checking = AsyncMonty(min_processes=1, max_processes=checkers, checkout_timeout=checkout_seconds)
        self._checkers = _Checkers(self._checking, checkers)
        self._lock = threading.Lock()
        self._starting: Future[None] | None = None

    @classmethod
    def shared(cls) -> Sandbox:
        """The one of this process; it starts on first use and is closed when the process ends."""
        return _shared()

    async def start(self) -> None:
        """Start the workers and warm the type checker, unless that has been done."""
        with self._lock:
            starting, mine = self._starting, self._starting is None
            if starting is None:
                starting = self._starting = Future()
        if not mine:
            await asyncio.shield(asyncio.wrap_future(starting))
            return
        try:
            await asyncio.gather(self._pool.__aenter__(), self._checking.__aenter__())
            await self._checkers.warm()
        except BaseException as error:
            self._starting = None
            starting.set_exception(error if isinstance(error, Exception) else Unavailable('the start was cancelled'))
            _ = starting.exception()
            raise
        starting.set_result(None)

    async def close(self) -> None:
        """Stop the workers."""
        with self._lock:
            starting, self._starting = self._starting, None
        if starting is None:
            return
        await self._checkers.close()
        await self._checking.__aexit__(None, None, None)
        await self._pool.__aexit__(None, None, None)

    async def __aenter__(self) -> Sandbox:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def session(self, *, limits: Limits | None = None, ordered: bool = False) -> Session:
        """A REPL of its own.

        With `ordered`, a script that gets the same results makes the same calls in the same order, whichever of them
        end first: it goes on once all that run have ended. Engines that replay a run need that.
        """
        return Session(self, limits or Limits(), ordered=ordered)

    async def worker(self, limits: Limits) -> AsyncMontySession:
        """A worker for one session. Raises `Unavailable`."""
        await self.start()
        checkout = self._pool.checkout(limits=limits.for_monty(), os_policy={'sleep': 'call_host'})
        try:
            return await checkout.__aenter__()
        except TimeoutError as error:
            raise Unavailable('every worker of the sandbox is in use; close sessions, or allow more workers') from error
        except (MontyError, RuntimeError) as error:
            raise Unavailable(f'no worker could be had: {error}') from error

    async def check(self, code: str, context: Context) -> list[Diagnostic]:
        """What the type checker finds in a snippet; nothing where the checker itself fails."""
        await self.start()
        return await self._checkers.check(code, context)


class _Checkers:
    """Sessions that check, each for one snippet at a time."""

    def __init__(self, pool: AsyncMonty, most: int) -> None:
        self._pool = pool
        self._idle = list[Checker]()
        self._slots = threading.Semaphore(most)

    async def warm(self) -> None:
        await self.check(_WARMING, Context())

    async def check(self, code: str, context: Context) -> list[Diagnostic]:
        while not self._slots.acquire(blocking=False):  # noqa: ASYNC110
            # Rare and short: a check takes a millisecond. A lock of asyncio would belong to one event loop.
            await asyncio.sleep(0.001)
        try:
            return await self._check(code, context)
        finally:
            self._slots.release()

    async def _check(self, code: str, context: Context) -> list[Diagnostic]:
        checker = self._idle.pop() if self._idle else Checker(self._pool)
        try:
            await checker.open()
            findings = await checker.check(code, context)
        except MontyError:
            # The checker has died. A snippet that nobody could check is still bounded by the sandbox.
            await checker.close()
            return []
        except BaseException:
            await checker.close()
            raise
        if checker.is_worn:
            await checker.close()
        else:
            self._idle.append(checker)
        return findings

    async def close(self) -> None:
        while self._idle:
            await self._idle.pop().close()


_WARMING = """\
import asyncio, datetime, json, re
from collections import Counter, defaultdict
async def _warm(x: int) -> list[dict[str, str]]: return []
await asyncio.gather(*[_warm(i) for i in range(3)])
"""
# Whatever the checker has seen once is cheap from then on; await and asyncio are the dear ones.

_LOCK = threading.Lock()
_SHARED = list[Sandbox]()


def _shared() -> Sandbox:
    with _LOCK:
        if not _SHARED:
            _SHARED.append(Sandbox())
        return _SHARED[0]


def _at_end() -> None:
    if _SHARED:
        asyncio.run(_close_soon(_SHARED[0]))
    wait_for_rest()


async def _close_soon(sandbox: Sandbox) -> None:
    try:
        await asyncio.wait_for(sandbox.close(), 5)
    except TimeoutError:
        # The workers end with the process, whose pipe they read.
        return


def _in_child() -> None:
    # The workers and the threads that talk to them belong to the parent.
    _SHARED.clear()


# The last callback registered is the first to run: registered here, it runs behind those of programs that import this.
atexit.register(_at_end)
os.register_at_fork(after_in_child=_in_child)
