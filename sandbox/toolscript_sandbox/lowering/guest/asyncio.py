"""What Monty's `asyncio` lacks, as far as calls that run at the same time need it."""

import asyncio
import time

FIRST_COMPLETED = 'FIRST_COMPLETED'
FIRST_EXCEPTION = 'FIRST_EXCEPTION'
ALL_COMPLETED = 'ALL_COMPLETED'
TimeoutError = TimeoutError
CancelledError = KeyboardInterrupt


QueueEmpty = IndexError
_PAUSE = 0.001


class Task:
    """A coroutine that remembers what came of it. It starts when somebody waits for it."""

    def __init__(self, coro, name=None):
        self._coro, self._name = coro, name or 'Task'
        self._state, self._value, self._error = 'new', None, None
        self._callbacks = []
        _tasks.append(self)

    async def settle(self):
        if self._state == 'new':
            self._state = 'running'
            try:
                self._value = await awaited(self._coro)
            except Exception as error:
                self._error = error
            self._state = 'done'
            _tasks.remove(self)
            for callback in self._callbacks:
                callback(self)
        while self._state == 'running':
            await asyncio.sleep(_PAUSE)

    def result(self):
        if self._error is not None:
            raise self._error
        if self._state != 'done':
            raise RuntimeError('Result is not set.')
        return self._value

    def exception(self):
        return self._error

    def done(self):
        return self._state == 'done'

    def cancelled(self):
        return False

    def cancel(self, msg=None):
        return self._state != 'done'

    def get_name(self):
        return self._name

    def add_done_callback(self, callback):
        self._callbacks.append(callback)


_tasks = []


async def awaited(awaitable):
    if isinstance(awaitable, Task):
        await awaitable.settle()
        return awaitable.result()
    return await awaitable


async def gathered(*awaitables):
    return await asyncio.gather(*[awaited(awaitable) for awaitable in awaitables])


class Entered:
    """An asynchronous context, entered and left by hand."""

    def __init__(self, context):
        self._context = context
        self._is_left = False

    async def enter(self):
        context = self._context
        return await context.__aenter__() if hasattr(context, '__aenter__') else context.__enter__()

    async def failed(self, error):
        self._is_left = True
        return await self._leave(type(error), error)

    async def left(self):
        if not self._is_left:
            await self._leave(None, None)

    async def _leave(self, kind, error):
        context = self._context
        if hasattr(context, '__aexit__'):
            return await context.__aexit__(kind, error, None)
        return context.__exit__(kind, error, None)


async def _settled(awaitable):
    try:
        return await awaited(awaitable)
    except Exception as error:
        return error


async def gather_settled(*awaitables):
    return await asyncio.gather(*[_settled(awaitable) for awaitable in awaitables])


async def value(result):
    return result


async def to_thread(func, *args, **kwargs):
    return func(*args, **kwargs)


class Done:
    def __init__(self, outcome):
        self._outcome = outcome

    def result(self):
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome

    def exception(self):
        return self._outcome if isinstance(self._outcome, Exception) else None

    def done(self):
        return True

    def cancelled(self):
        return False


async def wait(awaitables, timeout=None, return_when=None):
    awaitables = list(awaitables)
    if any([isinstance(awaitable, Task) for awaitable in awaitables]):
        await gather_settled(*awaitables)
        return (awaitables, [])
    outcomes = await gather_settled(*list(awaitables))
    return ([Done(outcome) for outcome in outcomes], [])


def as_completed(awaitables, timeout=None):
    return list(awaitables)


class _Context:
    def __init__(self, value=None):
        self._value = value

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False

    def locked(self):
        return False

    async def acquire(self):
        return True

    def release(self):
        return None


def Semaphore(value=1):
    return _Context(value)


def BoundedSemaphore(value=1):
    return _Context(value)


class Lock:
    def __init__(self):
        self._locked = False

    def locked(self):
        return self._locked

    async def acquire(self):
        while self._locked:
            await asyncio.sleep(_PAUSE)
        self._locked = True
        return True

    def release(self):
        self._locked = False

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, trace):
        self.release()


def timeout(delay):
    return _Context(delay)


class TaskGroup:
    def __init__(self):
        self._tasks = []

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        if error is None:
            await gathered(*self._tasks)

    def create_task(self, coro, name=None):
        self._tasks.append(Task(coro, name))
        return self._tasks[-1]


class Queue:
    def __init__(self, maxsize=0):
        self._items = []
        self._unfinished = 0
        self._is_joined = False

    def put_nowait(self, item):
        self._items.append(item)
        self._unfinished += 1

    async def put(self, item):
        self.put_nowait(item)

    def get_nowait(self):
        if not self._items:
            raise IndexError('the queue is empty')
        return self._items.pop(0)

    async def get(self):
        # Whoever waits for an item that nobody can put there any more is stopped.
        for _ in range(_PATIENCE):
            if self._items or (self._is_joined and self._unfinished <= 0):
                break
            await asyncio.sleep(_PAUSE)
        return self.get_nowait()

    def empty(self):
        return not self._items

    def qsize(self):
        return len(self._items)

    def task_done(self):
        self._unfinished -= 1

    async def join(self):
        self._is_joined = True
        await gather_settled(*list(_tasks))


_PATIENCE = 10_000


def iscoroutine(obj):
    return type(obj).__name__ == 'coroutine'


class _Loop:
    def create_task(self, coro, name=None):
        return Task(coro, name)

    def close(self):
        return None

    def time(self):
        return time.monotonic()

    def is_running(self):
        return True


def get_event_loop():
    return _Loop()


def get_running_loop():
    return _Loop()


def new_event_loop():
    return _Loop()


def set_event_loop(loop):
    return None


class Event:
    def __init__(self):
        self._set = False

    def set(self):
        self._set = True

    def clear(self):
        self._set = False

    def is_set(self):
        return self._set

    async def wait(self):
        while not self._set:
            await asyncio.sleep(_PAUSE)
        return True
