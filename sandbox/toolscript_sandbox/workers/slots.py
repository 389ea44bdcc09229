"""A limited number of slots, and a pool of idle resources: both for any number of event loops and threads.

Monty's pool keeps every worker that it ever started, and cannot end a single one. So each process has its own Monty
pool, which costs half a millisecond, and this module does the pooling: it keeps the most recently used processes and
ends the others after some idle time. This must also work when no event loop runs any more, so a timer's thread does it.
"""

import asyncio
import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar


@dataclass(frozen=True, eq=False)
class Slot:
    """A requested slot."""

    loop: asyncio.AbstractEventLoop
    """The event loop of the task that requested the slot."""
    granted: Future[None] = field(default_factory=Future[None])

    @property
    def is_stranded(self) -> bool:
        """Whether the slot will never be released, because its event loop is closed and runs no tasks."""
        return self.loop.is_closed()


class Slots:
    """A limited number of slots, granted in the order of the requests, but to light work before heavy work.

    An asyncio lock belongs to one event loop, and a threading lock would block the loop that waits for it.
    """

    def __init__(self, count: int, *, reserved: int = 0) -> None:
        """Create `count` slots, of which `reserved` are for light work only."""
        self._count = count
        self._reserved = reserved
        # Reentrant, because a finalizer that the garbage collector runs meanwhile may release its slot.
        self._lock = threading.RLock()
        self._taken = set[Slot]()
        self._light = deque[Slot]()
        self._heavy = deque[Slot]()

    @property
    def free(self) -> int:
        return self._count - len(self._taken)

    async def take(self, *, heavy: bool = False, timeout: float | None = None) -> Slot:
        """Wait for a slot, possibly one that a closed event loop left behind. Raises `TimeoutError`."""
        slot, kept_free = Slot(asyncio.get_running_loop()), self._reserved if heavy else 0
        with self._lock:
            if self.free <= kept_free:
                self._taken.difference_update([slot for slot in list(self._taken) if slot.is_stranded])
                self._serve()
            if self.free > kept_free:
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
        """Return whether the slot is still held: a stranded one may belong to another task by now."""
        return slot in self._taken

    def give_back(self, slot: Slot) -> None:
        with self._lock:
            self._taken.discard(slot)
            self._serve()

    def _leave(self, slot: Slot) -> None:
        if not slot.granted.cancel():
            # It was granted at this moment.
            self.give_back(slot)

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
    """A resource that can be ended from any event loop."""

    async def end(self) -> None:
        """Release everything that it holds. Never raises."""
        ...


T = TypeVar('T', bound=Ending)


class IdlePool(Generic[T]):
    """A stack of idle resources, with the most recently used one on top."""

    def __init__(self, keep: int, seconds: float) -> None:
        """Keep `keep` of them indefinitely, and the others for this many seconds."""
        self._keep = keep
        self._seconds = seconds
        self._lock = threading.Lock()
        self._idle = list[tuple[float, T]]()
        self._timer: threading.Timer | None = None

    def __len__(self) -> int:
        return len(self._idle)

    def take(self) -> T | None:
        """Remove and return the most recently used one, or None."""
        with self._lock:
            return self._idle.pop()[1] if self._idle else None

    def put(self, thing: T) -> None:
        with self._lock:
            self._idle.append((time.monotonic(), thing))
            self._watch()

    async def clear(self) -> None:
        with self._lock:
            timer, self._timer = self._timer, None
            idle, self._idle = self._idle, []
        if timer is not None:
            timer.cancel()
        await _end(idle)

    def _watch(self) -> None:
        if self._timer is None and len(self._idle) > self._keep:
            self._timer = threading.Timer(max(0.05, self._idle[0][0] + self._seconds - time.monotonic()), self._reap)
            self._timer.daemon = True
            self._timer.start()

    def _reap(self) -> None:
        with self._lock:
            if self._timer is None:
                # The pool was cleared meanwhile.
                return
            self._timer = None
            now, beyond = time.monotonic(), max(0, len(self._idle) - self._keep)
            overdue = sum(now - since >= self._seconds for since, _ in self._idle[:beyond])
            old, self._idle = self._idle[:overdue], self._idle[overdue:]
            self._watch()
        if old:
            asyncio.run(_end(old))


async def _end(idle: list[tuple[float, T]]) -> None:
    for _, thing in idle:
        await thing.end()
