"""What Monty's `asyncio` lacks, as far as calls that run at the same time need it."""

import asyncio
import time

FIRST_COMPLETED = 'FIRST_COMPLETED'
FIRST_EXCEPTION = 'FIRST_EXCEPTION'
ALL_COMPLETED = 'ALL_COMPLETED'
TimeoutError = TimeoutError
CancelledError = KeyboardInterrupt


async def _settled(awaitable):
    try:
        return await awaitable
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


def Lock():
    return _Context()


def timeout(delay):
    return _Context(delay)


class TaskGroup:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False

    def create_task(self, coro, name=None):
        return coro


class Queue:
    def __init__(self, maxsize=0):
        self._items = []

    def put_nowait(self, item):
        self._items.append(item)

    async def put(self, item):
        self._items.append(item)

    def get_nowait(self):
        if not self._items:
            raise IndexError('the queue is empty')
        return self._items.pop(0)

    async def get(self):
        return self.get_nowait()

    def empty(self):
        return not self._items

    def qsize(self):
        return len(self._items)

    def task_done(self):
        return None

    async def join(self):
        return None


def iscoroutine(obj):
    return type(obj).__name__ == 'coroutine'


class _Loop:
    def create_task(self, coro, name=None):
        return coro

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
        return True
