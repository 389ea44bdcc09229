"""The warm workers of a process."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from types import TracebackType

from pydantic_monty import AsyncMonty

from .checker import Checker
from .limits import Limits
from .session import Session


class Sandbox:
    """Owner of the pool that runs snippets and of the sessions that check them."""

    def __init__(self, *, workers: int = 64, recycle_after: int | None = 1000) -> None:
        self._pool = AsyncMonty(min_processes=1, max_processes=workers, max_checkouts_per_worker=recycle_after)
        self._checking = AsyncMonty(min_processes=1, max_processes=_CHECKERS_AT_ONCE)
        self._idle = list[Checker]()
        self._started = False

    @classmethod
    def shared(cls) -> Sandbox:
        """The one of this process; it starts on first use and is closed when the process ends."""
        return _shared()

    async def start(self) -> None:
        """Start the workers, unless they run."""
        if not self._started:
            self._started = True
            await self._pool.__aenter__()
            await self._checking.__aenter__()

    async def close(self) -> None:
        """Stop the workers."""
        if self._started:
            self._started = False
            idle, self._idle = self._idle, []
            for checker in idle:
                await checker.close()
            await self._checking.__aexit__(None, None, None)
            await self._pool.__aexit__(None, None, None)

    async def __aenter__(self) -> Sandbox:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def session(self, *, limits: Limits | None = None) -> Session:
        """A REPL of its own."""
        return Session(self, limits or Limits())

    @property
    def pool(self) -> AsyncMonty:
        """Where snippets run."""
        return self._pool

    @asynccontextmanager
    async def checker(self) -> AsyncGenerator[Checker]:
        """A warm checker for the length of a check."""
        await self.start()
        checker = self._idle.pop() if self._idle else Checker(self._checking)
        await checker.open()
        try:
            yield checker
        except BaseException:
            await checker.close()
            raise
        if checker.checks < _CHECKS_PER_SESSION and self._started:
            self._idle.append(checker)
        else:
            await checker.close()


_CHECKERS_AT_ONCE = 4
_CHECKS_PER_SESSION = 2000
_LOCK = threading.Lock()
_SHARED = list[Sandbox]()


def _shared() -> Sandbox:
    with _LOCK:
        if not _SHARED:
            _SHARED.append(Sandbox())
            atexit.register(_close_shared)
        return _SHARED[0]


def _close_shared() -> None:
    asyncio.run(_SHARED[0].close())
