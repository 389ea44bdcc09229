"""Turns of the event loop for everybody, however many would go on in one.

All tasks that are ready go on in one turn of asyncio's loop, one after the other. A hundred runs with five milliseconds
of work each, or one script that gathers a thousand calls, would keep everything else from its turn: the other requests
of a server, timeouts, health checks. So whoever has such work asks here first. Where enough is done in this turn, it
waits for a later one, in the order of coming; who is alone never waits.

Work is counted, not timed: engines that replay a run find the same order each time.
"""

from __future__ import annotations

import asyncio
from collections import deque
from weakref import WeakKeyDictionary

CALLS = 8
"""How many calls of scripts a turn has room for; a step of an agent takes all of it."""


async def turn_for_step() -> None:
    """Come back where a step of an agent, or the preparing of a snippet, has room in the turn of the event loop."""
    await _turn_for(CALLS)


async def turn_for_call() -> None:
    """Come back where a call of a script has room in the turn of the event loop."""
    await _turn_for(1)


async def _turn_for(work: int) -> None:
    loop = asyncio.get_running_loop()
    lane = _LANES.get(loop)
    if lane is None:
        lane = _LANES[loop] = _Lane()
    if not lane.has_room(work, loop):
        await lane.later(work, loop)


class _Lane:
    """Those who work on one event loop. It holds nothing of the loop, which may end."""

    def __init__(self) -> None:
        self._done = 0
        """How much is done in this turn; where it is nothing, nobody waits."""
        self._waiting = deque[tuple[int, asyncio.Future[None]]]()

    def has_room(self, work: int, loop: asyncio.AbstractEventLoop) -> bool:
        """Whether there is room in this turn, which is taken then."""
        if self._done == 0:
            loop.call_soon(self._next_turn, loop)
        elif self._waiting or self._done + work > CALLS:
            return False
        self._done += work
        return True

    async def later(self, work: int, loop: asyncio.AbstractEventLoop) -> None:
        """Wait for room."""
        turn = loop.create_future()
        self._waiting.append((work, turn))
        await turn

    def _next_turn(self, loop: asyncio.AbstractEventLoop) -> None:
        self._done = 0
        while self._waiting and (self._done == 0 or self._done + self._waiting[0][0] <= CALLS):
            work, turn = self._waiting.popleft()
            # Who was cancelled meanwhile takes no room.
            if not turn.done():
                turn.set_result(None)
                self._done += work
        if self._done:
            loop.call_soon(self._next_turn, loop)


_LANES = WeakKeyDictionary[asyncio.AbstractEventLoop, _Lane]()
