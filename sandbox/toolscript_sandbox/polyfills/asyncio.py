"""`asyncio`: locks, semaphores, events, queues, task groups and event loop. A waiting coroutine is a key in a list."""

import asyncio
import time

from .carriers import seen
from .coroutines import iscoroutine
from .exceptions import group_class, is_instance, own, raised
from .heapq import heappop, heappush
from .natives import TimeoutError
from .tasks import Future, Task, create_task, current_task, ensure_future, next_number
from .waiting import ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION, Timeout, as_completed, is_cancellation, shield
from .waiting import timeout, uncancelled, wait, wait_for

CancelledError = own('CancelledError')
QueueEmpty = own('QueueEmpty')
QueueFull = own('QueueFull')


class Semaphore:
    _most = None

    def __init__(self, value=1):
        if value < 0:
            raise ValueError('Semaphore initial value must be >= 0')
        self._value, self._waiters = value, []

    def locked(self): return self._value == 0 or bool(self._waiters)

    async def acquire(self):
        if self.locked():
            await in_line(self._waiters, self._free)
        else:
            self._value -= 1
        return True

    def release(self):
        if self._most is not None and self._value >= self._most:
            raise self._error
        self._free()

    def _free(self):
        if self._waiters:
            _loop__('wake', self._waiters.pop(0), 1)
        else:
            self._value += 1

    __aenter__ = acquire

    async def __aexit__(self, kind, error, trace): self.release()


def BoundedSemaphore(value=1):
    made = Semaphore(value)
    made._most, made._error = value, ValueError('BoundedSemaphore released too many times')
    return made


def Lock():
    made = Semaphore(1)
    made._most, made._error = 1, RuntimeError('Lock is not acquired.')
    return made


async def in_line(waiters, pass_on):
    """Wait in a list until the key is removed and woken. If this coroutine is then cancelled, wake the next one."""
    key = next_number()
    waiters.append(key)
    try:
        await _loop__('park', key, None, '')
    except SystemExit:
        if key in waiters:
            waiters.remove(key)
        else:
            pass_on()
        raise


def wake(waiters, n=1):
    for key in waiters[:n]:
        waiters.remove(key)
        _loop__('wake', key, 1)


class Event:
    def __init__(self): self._set, self._waiters = False, []
    def is_set(self): return self._set

    def set(self):
        self._set = True
        wake(self._waiters, len(self._waiters))

    def clear(self): self._set = False

    async def wait(self):
        if not self._set:
            await in_line(self._waiters, lambda: None)
        return True


class Queue:
    _smallest_first = False

    def __init__(self, maxsize=0):
        self.maxsize, self._items, self._getters, self._putters = maxsize, [], [], []
        self._unfinished, self._idle = 0, Event()
        self._idle.set()

    def qsize(self): return len(self._items)
    def empty(self): return not self._items
    def full(self): return 0 < self.maxsize <= len(self._items)

    def put_nowait(self, item):
        if self.full():
            raise raised(QueueFull())
        if self._smallest_first:
            heappush(self._items, item)
        else:
            self._items.append(item)
        self._unfinished += 1
        self._idle.clear()
        wake(self._getters)

    def get_nowait(self):
        if self.empty():
            raise raised(QueueEmpty())
        item = heappop(self._items) if self._smallest_first else self._items.pop(0)
        wake(self._putters)
        return item

    async def put(self, item):
        while self.full():
            await in_line(self._putters, lambda: self.full() or wake(self._putters))
        self.put_nowait(item)

    async def get(self):
        while self.empty():
            await in_line(self._getters, lambda: self.empty() or wake(self._getters))
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


def PriorityQueue(maxsize=0):
    made = Queue(maxsize)
    made._smallest_first = True
    return made


class TaskGroup:
    def __init__(self):
        self._state, self._errors, self._open = 'new', [], []
        self._key, self._asked = None, False

    async def __aenter__(self):
        self._state, self._parent = 'entered', current_task()
        return self

    def create_task(self, coro, *, name=None, context=None):
        if self._state in ('new', 'aborting') or (self._state == 'left' and not self._open):
            raise RuntimeError('TaskGroup takes no tasks before it is entered, when it shuts down, and behind its block')
        task = create_task(coro, name=name)
        self._open.append(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task):
        self._open = [other for other in self._open if other is not task]
        if not self._open and self._key is not None:
            _loop__('wake', self._key, 1)
        if task._error is None:
            return
        self._errors.append(seen(task._error))
        if self._state == 'entered':
            self._asked = True
            self._parent.cancel()
        self._abort()

    def _abort(self):
        if self._state != 'aborting':
            self._state = 'aborting'
            for task in self._open:
                task.cancel()

    async def __aexit__(self, kind, error, trace):
        cancelled = is_cancellation(error)
        propagated = error if cancelled else None
        if cancelled and self._asked and uncancelled(self._parent) == 0:
            propagated = None
        if error is not None:
            self._abort()
        if self._state == 'entered':
            self._state = 'left'
        while self._open:
            self._key = next_number()
            try:
                await _loop__('park', self._key, None, '')
            except SystemExit as raising:
                if self._state != 'aborting':
                    propagated = raising
                    self._abort()
            self._key = None
        if propagated is not None and not self._errors:
            raise raised(propagated)
        if error is not None and not cancelled:
            self._errors.append(seen(error))
        if self._errors:
            every = all([is_instance(one, Exception) for one in self._errors])
            group = group_class('ExceptionGroup' if every else 'BaseExceptionGroup')
            raise raised(group('unhandled errors in a TaskGroup', self._errors))


class Loop:
    def create_task(self, coro, *, name=None, context=None): return create_task(coro, name=name)
    def time(self): return time.monotonic()
    def is_running(self): return True
    def close(self): return None


def get_event_loop(): return Loop()


get_running_loop = get_event_loop


async def to_thread(_function, *args, **kwargs):
    # A thread starts at once; what waits for it continues later.
    try:
        return _function(*args, **kwargs)
    finally:
        await asyncio.sleep(0)


async def sleep(delay, result=None):
    await asyncio.sleep(delay)
    return result
