"""Queues between tasks."""

from .async_errors import QueueEmpty, QueueFull
from .exceptions import raised
from .locks import Event, in_line, wake
from .queue import LifoQueue as _Last
from .queue import PriorityQueue as _Smallest
from .queue import Queue as _First


class Queue:
    def __init__(self, maxsize=0, _items=_First):
        self.maxsize, self._items, self._getters, self._putters = maxsize, _items(maxsize), [], []
        self._unfinished, self._idle = 0, Event()
        self._idle.set()

    def qsize(self): return self._items.qsize()
    def empty(self): return self._items.empty()
    def full(self): return self._items.full()

    def put_nowait(self, item):
        if self.full():
            raise raised(QueueFull())
        self._items.put(item)
        self._unfinished += 1
        self._idle.clear()
        wake(self._getters)

    def get_nowait(self):
        if self.empty():
            raise raised(QueueEmpty())
        item = self._items.get()
        wake(self._putters)
        return item

    async def put(self, item):
        while self.full():
            await _turn(self._putters, self.full)
        self.put_nowait(item)

    async def get(self):
        while self.empty():
            await _turn(self._getters, self.empty)
        return self.get_nowait()

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError('task_done() called too many times')
        self._unfinished -= 1
        if self._unfinished == 0:
            self._idle.set()

    async def join(self):
        if self._unfinished > 0:
            await self._idle.wait()


async def _turn(waiters, is_impossible):
    try:
        await in_line(waiters)
    except SystemExit:
        if not is_impossible():
            wake(waiters)
        raise


def LifoQueue(maxsize=0): return Queue(maxsize, _Last)
def PriorityQueue(maxsize=0): return Queue(maxsize, _Smallest)
