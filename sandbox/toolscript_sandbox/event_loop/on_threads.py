"""Work on threads beside the event loop, of which no two of a line compute at a time.

Threads of one interpreter compute by turns, and the event loop takes its turn among them: whenever it comes back from
waiting, it stands for five milliseconds for each thread that computes. More threads would get nothing done sooner.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakKeyDictionary

T = TypeVar('T')


async def aside(work: Callable[[], T], *, long: bool = False) -> T:
    """What `work` gives, on a thread, after what came before it; what is long has a line of its own."""
    loop = asyncio.get_running_loop()
    lines = _LINES.get(loop)
    if lines is None:
        lines = _LINES[loop] = (_Line(), _Line())
    line = lines[long]
    await line.enter(loop)
    try:
        return await asyncio.to_thread(work)
    finally:
        line.leave()


class _Line:
    """Those who wait for the thread. It holds nothing of the event loop, which may end."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting = deque[asyncio.Future[None]]()

    async def enter(self, loop: asyncio.AbstractEventLoop) -> None:
        """Come back where the thread is free, and take it."""
        if not self._taken:
            self._taken = True
            return
        turn = loop.create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                # It was this one's already.
                self.leave()
            raise

    def leave(self) -> None:
        """Give the thread to the next."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._taken = False


_LINES = WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[_Line, _Line]]()
