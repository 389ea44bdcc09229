"""Limits the work in each turn of the event loop.

In one turn, asyncio runs all tasks that are ready, one after the other. A hundred runs with five milliseconds of work
each, or one script that gathers a thousand calls, would delay everything else: the other requests of a server,
timeouts, health checks. So such work asks for a slot first. If this turn is full, it waits for a later one, in the
order of arrival. Work that is alone never waits.

Runs that have begun come before new ones. If a hundred ran concurrently, nearly all would finish at the same late
time, and until then the garbage collector would scan everything that they hold.

Work is counted, not timed, so that engines that replay a run find the same order each time.
"""

import asyncio
from collections import deque
from weakref import WeakKeyDictionary

CALLS = 8
"""How many calls of scripts fit in a turn. A step of an agent takes a whole turn."""
BETWEEN_RUNS = 8
"""A run may begin in every eighth turn. In the turns between, earlier runs continue; without work for them, these
turns end at once."""


async def wait_for_run_slot() -> None:
    """Wait until a run may begin, which is `BETWEEN_RUNS` turns of the event loop after the previous one."""
    await _loop_queue().begin()


async def wait_for_step_slot() -> None:
    """Wait until a turn of the event loop has room for a step of an agent, or for preparing a script."""
    await _loop_queue().take(CALLS)


async def wait_for_call_slot() -> None:
    """Wait until a turn of the event loop has room for a call of a script."""
    await _loop_queue().take(1)


def _loop_queue() -> '_LoopQueue':
    return _QUEUES.setdefault(asyncio.get_running_loop(), _LoopQueue())


class _LoopQueue:
    """The queues of one event loop. Does not refer to the loop, which may end."""

    def __init__(self) -> None:
        self._turning = False
        """Whether `_next_turn` is scheduled; if not, no task waits, and nothing was done lately."""
        self._done = 0
        """The work done in this turn, in calls."""
        self._rest = 0
        """The number of turns until the next run may begin."""
        self._new = deque[asyncio.Future[None]]()
        self._waiting = deque[tuple[int, asyncio.Future[None]]]()

    async def begin(self) -> None:
        """Take a turn for a new run, and wait for one in which a run may begin."""
        if self._rest or self._new or not self._has_room(CALLS):
            turn = asyncio.get_running_loop().create_future()
            self._new.append(turn)
            await turn
        else:
            self._use(CALLS)
            self._rest = BETWEEN_RUNS

    async def take(self, work: int) -> None:
        """Take room in a turn, and wait for one that has enough."""
        if self._has_room(work):
            self._use(work)
        else:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append((work, turn))
            await turn

    def _has_room(self, work: int) -> bool:
        return not self._waiting and (self._done == 0 or self._done + work <= CALLS)

    def _use(self, work: int) -> None:
        self._done += work
        self._notice_next()

    def _notice_next(self) -> None:
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._turning, self._done, self._rest = False, 0, max(0, self._rest - 1)
        # New runs come first here, so that they begin even if earlier ones would fill every turn.
        while self._new and not self._rest:
            if _woken(self._new.popleft()):
                self._done, self._rest = CALLS, BETWEEN_RUNS
        while self._waiting and (self._done == 0 or self._done + self._waiting[0][0] <= CALLS):
            work, turn = self._waiting.popleft()
            if _woken(turn):
                self._done += work
        if self._done or self._rest:
            self._notice_next()


def _woken(turn: asyncio.Future[None]) -> bool:
    """Wake a task. Returns False if it was cancelled meanwhile, so that it takes no room."""
    if turn.done():
        return False
    turn.set_result(None)
    return True


_QUEUES = WeakKeyDictionary[asyncio.AbstractEventLoop, _LoopQueue]()
