"""Queues of one thread. A `get` that would wait for ever raises an `IndexError`."""

from .heapq import heappop, heappush

Empty = Full = IndexError


class Queue:
    _kind = 'first in'

    def __init__(self, maxsize=0): self.maxsize, self.queue = maxsize, []

    def put(self, item, block=True, timeout=None):
        if self.full():
            raise Full('queue.Full')
        if self._kind == 'smallest':
            heappush(self.queue, item)
        else:
            self.queue.append(item)

    def get(self, block=True, timeout=None):
        if self._kind == 'smallest':
            return heappop(self.queue)
        return self.queue.pop(0 if self._kind == 'first in' else -1)

    put_nowait = put
    get_nowait = get

    def qsize(self): return len(self.queue)
    def empty(self): return not self.queue
    def full(self): return 0 < self.maxsize <= len(self.queue)
    def task_done(self): return None


SimpleQueue = Queue


def LifoQueue(maxsize=0):
    made = Queue(maxsize)
    made._kind = 'last in'
    return made


def PriorityQueue(maxsize=0):
    made = Queue(maxsize)
    made._kind = 'smallest'
    return made
