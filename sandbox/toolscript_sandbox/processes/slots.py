"""Turns at something of which there is only so much, for any number of event loops and threads."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from concurrent.futures import Future


class Slots:
    """So many turns at a time; who waits is served in the order of coming, those with little to do before all others.

    A lock of asyncio belongs to one event loop, and one of threading would stop the loop that waits for it.
    """

    def __init__(self, count: int, *, reserved: int = 0) -> None:
        """Of `count` turns, `reserved` are for those with little to do alone."""
        self._free = count
        self._reserved = reserved
        self._lock = threading.Lock()
        self._light = deque[Future[None]]()
        self._heavy = deque[Future[None]]()

    async def take(self, *, heavy: bool = False, timeout: float | None = None) -> None:
        """Wait for a turn. Raises `TimeoutError`."""
        with self._lock:
            if self._free > (self._reserved if heavy else 0):
                # Nobody waits: who could have been served has been.
                self._free -= 1
                return
            turn = Future[None]()
            (self._heavy if heavy else self._light).append(turn)
        try:
            done, _ = await asyncio.wait([asyncio.wrap_future(turn)], timeout=timeout)
        except BaseException:
            self._leave(turn)
            raise
        if not done:
            self._leave(turn)
            raise TimeoutError

    def give_back(self) -> None:
        """The turn is over."""
        with self._lock:
            self._free += 1
            self._serve()

    def _leave(self, turn: Future[None]) -> None:
        if not turn.cancel():
            # It was served in this very moment.
            self.give_back()

    def _serve(self) -> None:
        while self._free and self._light:
            self._hand(self._light.popleft())
        while self._free > self._reserved and self._heavy:
            self._hand(self._heavy.popleft())

    def _hand(self, turn: Future[None]) -> None:
        if turn.set_running_or_notify_cancel():
            self._free -= 1
            turn.set_result(None)
