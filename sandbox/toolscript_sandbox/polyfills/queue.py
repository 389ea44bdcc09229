"""Queues of a script that nobody shares: what would have to wait for somebody else says so."""

from collections import deque

from .errors import derived, raised
from .heapq import heappop, heappush


class Empty:
    pass


derived(Empty, Exception, [], 'Empty')


class Full:
    pass


derived(Full, Exception, [], 'Full')


class Queue:
    def __init__(self, maxsize=0, *, kind='first in'):
        self.maxsize, self._kind, self._unfinished = maxsize, kind, 0
        self.queue = deque() if kind == 'first in' else []

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return not self.queue

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block=True, timeout=None):
        if self.full():
            _wait_for_nobody(Full, block, timeout, 'put() would wait for ever: the queue is full')
        if self._kind == 'smallest':
            heappush(self.queue, item)
        else:
            self.queue.append(item)
        self._unfinished += 1

    def get(self, block=True, timeout=None):
        if not self.queue:
            _wait_for_nobody(Empty, block, timeout, 'get() would wait for ever: the queue is empty')
        if self._kind == 'first in':
            return self.queue.popleft()
        return heappop(self.queue) if self._kind == 'smallest' else self.queue.pop()

    def put_nowait(self, item):
        self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError('task_done() called too many times')
        self._unfinished -= 1

    def join(self):
        if self._unfinished:
            raise RuntimeError('join() would wait for ever: task_done() was not called for each item')


def _wait_for_nobody(error, block, timeout, message):
    if block and timeout is None:
        raise RuntimeError(message)
    raise raised(error())


def LifoQueue(maxsize=0):
    return Queue(maxsize, kind='last in')


def PriorityQueue(maxsize=0):
    return Queue(maxsize, kind='smallest')


def SimpleQueue():
    return Queue()
