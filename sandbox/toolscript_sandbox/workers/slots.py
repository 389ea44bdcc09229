"""A limited number of slots, and a pool of idle things: both for any number of event loops and threads.

Monty's pool keeps every worker that it ever started, and offers no way to end one. So each process has a pool of its
own, which costs half a millisecond, and what a pool would do is done here: keep those that were used last, and end the
others once they have been idle for a while. That must happen where no event loop runs any more, too, so a timer's
thread does it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar


@dataclass(frozen=True, eq=False)
class Slot:
    """A slot that was asked for."""

    loop: asyncio.AbstractEventLoop
    """Of the task that asked for it."""
    granted: Future[None] = field(default_factory=Future[None])

    @property
    def is_stranded(self) -> bool:
        """Whether it is never given back: a closed event loop runs none of its tasks."""
        return self.loop.is_closed()


class Slots:
    """So many slots at a time, granted in the order of asking, light work before heavy work.

    A lock of asyncio belongs to one event loop, and one of threading would stop the loop that waits for it.
    """

    def __init__(self, count: int, *, reserved: int = 0) -> None:
        """Of `count` slots, `reserved` are for light work only."""
        self._count = count
        self._reserved = reserved
        # A finalizer that the collector runs in the midst of this may give its slot back.
        self._lock = threading.RLock()
        self._taken = set[Slot]()
        self._light = deque[Slot]()
        self._heavy = deque[Slot]()

    @property
    def free(self) -> int:
        """How many slots are free."""
        return self._count - len(self._taken)

    async def take(self, *, heavy: bool = False, timeout: float | None = None) -> Slot:
        """Wait for a slot, which may be one that a closed event loop left behind. Raises `TimeoutError`."""
        slot, most = Slot(asyncio.get_running_loop()), self._reserved if heavy else 0
        with self._lock:
            if self.free <= most:
                self._take_back()
            if self.free > most:
                self._taken.add(slot)
                return slot
            (self._heavy if heavy else self._light).append(slot)
        try:
            done, _ = await asyncio.wait([asyncio.wrap_future(slot.granted)], timeout=timeout)
        except BaseException:
            self._leave(slot)
            raise
        if not done:
            self._leave(slot)
            raise TimeoutError
        return slot

    def has(self, slot: Slot) -> bool:
        """Whether the slot was not taken back: a stranded one may be another's by now."""
        return slot in self._taken

    def give_back(self, slot: Slot) -> None:
        """Free the slot."""
        with self._lock:
            self._taken.discard(slot)
            self._serve()

    def _leave(self, slot: Slot) -> None:
        if not slot.granted.cancel():
            # It was granted in this very moment.
            self.give_back(slot)

    def _take_back(self) -> None:
        self._taken.difference_update([slot for slot in list(self._taken) if slot.is_stranded])
        self._serve()

    def _serve(self) -> None:
        while self.free > 0 and self._light:
            self._hand(self._light.popleft())
        while self.free > self._reserved and self._heavy:
            self._hand(self._heavy.popleft())

    def _hand(self, slot: Slot) -> None:
        if not slot.is_stranded and slot.granted.set_running_or_notify_cancel():
            self._taken.add(slot)
            slot.granted.set_result(None)


class Ending(Protocol):
    """What can be ended, from any event loop."""

    async def end(self) -> None:
        """Release all that it holds; never an error."""
        ...


T = TypeVar('T', bound=Ending)


class IdlePool(Generic[T]):
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
