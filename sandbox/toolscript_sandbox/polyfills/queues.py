"""Queues between tasks."""

from collections import deque

from .errors import derived, raised
from .heapq import heappop, heappush
from .locks import Event, removed
from .tasks import Future


class QueueEmpty:
    pass


derived(QueueEmpty, Exception, [], 'QueueEmpty')


class QueueFull:
    pass


derived(QueueFull, Exception, [], 'QueueFull')


class Queue:
    def __init__(self, maxsize=0, *, kind='first in'):
        self.maxsize = maxsize
        self._kind = kind
        self._items = [] if kind == 'smallest' else deque()
        self._getters = []
        self._putters = []
        self._unfinished = 0
        self._idle = Event()
        self._idle.set()

    def qsize(self):
        return len(self._items)

    def empty(self):
        return not self._items

    def full(self):
        return self.maxsize > 0 and len(self._items) >= self.maxsize

    def put_nowait(self, item):
        if self.full():
            raise raised(QueueFull())
        self._put_after(item, 0)

    def _put_after(self, item, hops):
        if self._kind == 'smallest':
            heappush(self._items, item)
        else:
            self._items.append(item)
        self._unfinished += 1
        self._idle.clear()
        _wake_next(self._getters, hops)

    def get_nowait(self):
        if not self._items:
            raise raised(QueueEmpty())
        if self._kind == 'first in':
            item = self._items.popleft()
        elif self._kind == 'last in':
            item = self._items.pop()
        else:
            item = heappop(self._items)
        _wake_next(self._putters, 0)
        return item

    async def put(self, item):
        while self.full():
            await self._turn(self._putters, self.full)
        self.put_nowait(item)

    async def get(self):
        while self.empty():
            await self._turn(self._getters, self.empty)
        return self.get_nowait()

    async def _turn(self, waiters, is_impossible):
        waiter = Future()
        waiters.append(waiter)
        try:
            await waiter._wait()
        except BaseException as error:
            waiter.cancel()
            removed(waiters, waiter)
            if not is_impossible() and not waiter.cancelled():
                _wake_next(waiters, 0)
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


def _wake_next(waiters, hops):
    while waiters:
        waiter = waiters.pop(0)
        if not waiter.done():
            waiter._finish('FINISHED', None, None, hops)
            return


def LifoQueue(maxsize=0):
    return Queue(maxsize, kind='last in')


def PriorityQueue(maxsize=0):
    return Queue(maxsize, kind='smallest')
