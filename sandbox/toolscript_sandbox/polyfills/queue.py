"""Queues of one thread. A `get` that would wait for ever raises an `IndexError`."""

Empty = Full = IndexError

from .heapq import heappop, heappush


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize, self.queue = maxsize, []

    def put(self, item, block=True, timeout=None):
        if self.full():
            raise Full('queue.Full')
        self.queue.append(item)

    def get(self, block=True, timeout=None):
        return self.queue.pop(0)

    def empty(self):
        return not self.queue

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def qsize(self):
        return len(self.queue)

    def put_nowait(self, item):
        self.put(item)

    def get_nowait(self):
        return self.get()

    def task_done(self):
        return None


class LifoQueue:
    def __init__(self, maxsize=0):
        self.maxsize, self.queue = maxsize, []

    def get(self, block=True, timeout=None):
        return self.queue.pop()


class PriorityQueue:
    def __init__(self, maxsize=0):
        self.maxsize, self.queue = maxsize, []

    def put(self, item, block=True, timeout=None):
        heappush(self.queue, item)

    def get(self, block=True, timeout=None):
        return heappop(self.queue)


for _kind in (LifoQueue, PriorityQueue):
    for _name in 'put get empty full qsize put_nowait get_nowait task_done'.split():
        if not hasattr(_kind, _name):
            setattr(_kind, _name, getattr(Queue, _name))
SimpleQueue = Queue
