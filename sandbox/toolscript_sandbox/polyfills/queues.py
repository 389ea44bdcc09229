"""Queues between tasks."""

from .async_errors import QueueEmpty, QueueFull
from .events import Event, in_line, wake
from .exceptions import raised
from .heapq import heappop, heappush


class Queue:
    _kind = 'first in'

    def __init__(self, maxsize=0):
        self.maxsize, self._items, self._getters, self._putters = maxsize, [], [], []
        self._unfinished, self._idle = 0, Event()
        self._idle.set()

    def qsize(self):
        return len(self._items)

    def empty(self):
        return not self._items

    def full(self):
        return 0 < self.maxsize <= len(self._items)

    def put_nowait(self, item):
        if self.full():
            raise raised(QueueFull())
        if self._kind == 'smallest':
            heappush(self._items, item)
        else:
            self._items.append(item)
        self._unfinished += 1
        self._idle.clear()
        wake(self._getters)

    def get_nowait(self):
        if not self._items:
            raise raised(QueueEmpty())
        if self._kind == 'smallest':
            item = heappop(self._items)
        else:
            item = self._items.pop(0 if self._kind == 'first in' else -1)
        wake(self._putters)
        return item

    async def put(self, item):
        while self.full():
            await self._turn(self._putters, self.full)
        self.put_nowait(item)

    async def get(self):
        while not self._items:
            await self._turn(self._getters, self.empty)
        return self.get_nowait()

    async def _turn(self, waiters, is_impossible):
        try:
            await in_line(waiters)
        except SystemExit:
            if not is_impossible():
                wake(waiters)
            raise

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError('task_done() called too many times')
        self._unfinished -= 1
        if self._unfinished == 0:
            self._idle.set()

    async def join(self):
        if self._unfinished > 0:
            await self._idle.wait()


def LifoQueue(maxsize=0):
    made = Queue(maxsize)
    made._kind = 'last in'
    return made


def PriorityQueue(maxsize=0):
    made = Queue(maxsize)
    made._kind = 'smallest'
    return made
