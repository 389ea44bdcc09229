"""Turns at something of which there is only so much, for any number of event loops and threads."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn that was asked for."""

    loop: asyncio.AbstractEventLoop
    """Of whoever asked for it."""
    come: Future[None] = field(default_factory=Future[None])

    @property
    def is_stranded(self) -> bool:
        """Whether nobody will give it back: an event loop that is closed goes on with none of its tasks."""
        return self.loop.is_closed()


class Slots:
    """So many turns at a time; who waits is served in the order of coming, those with little to do before all others.

    A lock of asyncio belongs to one event loop, and one of threading would stop the loop that waits for it.
    """

    def __init__(self, count: int, *, reserved: int = 0) -> None:
        """Of `count` turns, `reserved` are for those with little to do alone."""
        self._count = count
        self._reserved = reserved
        # What the collector ends in the midst of this may give its turn back.
        self._lock = threading.RLock()
        self._taken = set[Turn]()
        self._light = deque[Turn]()
        self._heavy = deque[Turn]()

    @property
    def free(self) -> int:
        """How many turns nobody has."""
        return self._count - len(self._taken)

    async def take(self, *, heavy: bool = False, timeout: float | None = None) -> Turn:
        """Wait for a turn, which may be one that a closed event loop left behind. Raises `TimeoutError`."""
        turn, most = Turn(asyncio.get_running_loop()), self._reserved if heavy else 0
        with self._lock:
            if self.free <= most:
                self._take_back()
            if self.free > most:
                # Nobody waits: who could have been served has been.
                self._taken.add(turn)
                return turn
            (self._heavy if heavy else self._light).append(turn)
        try:
            done, _ = await asyncio.wait([asyncio.wrap_future(turn.come)], timeout=timeout)
        except BaseException:
            self._leave(turn)
            raise
        if not done:
            self._leave(turn)
            raise TimeoutError
        return turn

    def has(self, turn: Turn) -> bool:
        """Whether the turn is still whose it was; one that was left behind may be another's by now."""
        return turn in self._taken

    def give_back(self, turn: Turn) -> None:
        """The turn is over."""
        with self._lock:
            self._taken.discard(turn)
            self._serve()

    def _leave(self, turn: Turn) -> None:
        if not turn.come.cancel():
            # It was served in this very moment.
            self.give_back(turn)

    def _take_back(self) -> None:
        self._taken.difference_update([turn for turn in list(self._taken) if turn.is_stranded])
        self._serve()

    def _serve(self) -> None:
        while self.free > 0 and self._light:
            self._hand(self._light.popleft())
        while self.free > self._reserved and self._heavy:
            self._hand(self._heavy.popleft())

    def _hand(self, turn: Turn) -> None:
        if not turn.is_stranded and turn.come.set_running_or_notify_cancel():
            self._taken.add(turn)
            turn.come.set_result(None)
