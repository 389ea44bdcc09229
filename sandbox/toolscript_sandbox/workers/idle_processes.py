"""Processes that wait to be used again.

Monty's pool keeps every worker that it ever started, and offers no way to let one go or to end one. So each process has
a pool of its own, which costs half a millisecond, and what a pool would do is done here: keep those that were used
last, and end the others once they have been idle for a while. That must happen where no event loop runs any more, too,
so a timer's thread does it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Generic, Protocol, TypeVar


class Ending(Protocol):
    """What can be ended, from any event loop."""

    async def end(self) -> None:
        """Let go of all that it holds; never an error."""
        ...


T = TypeVar('T', bound=Ending)


class Shelf(Generic[T]):
    """Idle things, the one used last on top."""

    def __init__(self, keep: int, seconds: float) -> None:
        """Keep `keep` of them for good, the others for so many seconds."""
        self._keep = keep
        self._seconds = seconds
        self._lock = threading.Lock()
        self._idle = list[tuple[float, T]]()
        self._timer: threading.Timer | None = None

    def __len__(self) -> int:
        return len(self._idle)

    def take(self) -> T | None:
        """The one used last, if there is any."""
        with self._lock:
            return self._idle.pop()[1] if self._idle else None

    def put(self, thing: T) -> None:
        """It is idle."""
        with self._lock:
            self._idle.append((time.monotonic(), thing))
            self._watch()

    async def clear(self) -> None:
        """End all of them."""
        with self._lock:
            timer, self._timer = self._timer, None
            idle, self._idle = self._idle, []
        if timer is not None:
            timer.cancel()
        for _, thing in idle:
            await thing.end()

    def _watch(self) -> None:
        if self._timer is None and len(self._idle) > self._keep:
            self._timer = threading.Timer(max(0.05, self._idle[0][0] + self._seconds - time.monotonic()), self._reap)
            self._timer.daemon = True
            self._timer.start()

    def _reap(self) -> None:
        with self._lock:
            if self._timer is None:
                # Cleared meanwhile.
                return
            self._timer = None
            old = self._overdue()
            self._watch()
        if old:
            asyncio.run(_end(old))

    def _overdue(self) -> list[T]:
        now, beyond = time.monotonic(), max(0, len(self._idle) - self._keep)
        overdue = sum(now - since >= self._seconds for since, _ in self._idle[:beyond])
        old, self._idle = self._idle[:overdue], self._idle[overdue:]
        return [thing for _, thing in old]


async def _end(things: list[T]) -> None:
    for thing in things:
        await thing.end()
