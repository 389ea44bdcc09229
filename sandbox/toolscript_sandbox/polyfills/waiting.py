"""Waiting for all of several tasks, for the first of them, or with a timeout."""

import asyncio
import time

from .carriers import seen
from .tasks import Future, awaited, cancellation, current_task, ensure_future, next_number, started

FIRST_COMPLETED = 'FIRST_COMPLETED'
FIRST_EXCEPTION = 'FIRST_EXCEPTION'
ALL_COMPLETED = 'ALL_COMPLETED'


async def wait(fs, *, timeout=None, return_when='ALL_COMPLETED'):
    tasks = []
    for task in fs:
        if not isinstance(task, Future):
            raise TypeError('Passing coroutines is forbidden, use tasks explicitly.')
        if not any([task is other for other in tasks]):
            tasks.append(task)
    if not tasks:
        raise ValueError('Set of Tasks/Futures is empty.')
    await _until(tasks, timeout, return_when)
    return set([task for task in tasks if task.done()]), set([task for task in tasks if not task.done()])


async def _until(tasks, timeout, return_when='ALL_COMPLETED'):
    # A task that has already ended also takes its own turn.
    key, left = next_number(), [len(tasks)]

    def ended(task, hops):
        left[0] -= 1
        first = return_when == 'FIRST_COMPLETED' or (return_when == 'FIRST_EXCEPTION' and task._error is not None)
        if left[0] == 0 or first:
            _loop__('wake', key, hops + 1)

    for task in tasks:
        task._link(ended)
    guarded = ' '.join([str(task._number) for task in tasks if task._number is not None])
    try:
        await _loop__('park', key, None if timeout is None else max(0.0, float(timeout)), guarded)
    finally:
        for task in tasks:
            task._callbacks = [callback for callback in task._callbacks if callback is not ended]


async def wait_for(fut, timeout):
    if timeout is None:
        return await awaited(fut)
    task = ensure_future(fut)
    try:
        if timeout > 0:
            await _until([task], timeout)
    except SystemExit:
        if not task.done():
            await _cancelled(task)
            raise
    if task.done():
        return task.result()
    await _cancelled(task)
    try:
        return task.result()
    except SystemExit:
        raise TimeoutError()


async def _cancelled(task):
    task.cancel()
    await _until([task], None)


def shield(arg):
    inner, outer = ensure_future(arg), Future()
    if inner.done():
        return inner

    def ended(done, hops):
        if outer._state == 'PENDING':
            outer._finish(done._state, done._value, done._error, hops)

    inner._link(ended)
    return outer


def as_completed(fs, *, timeout=None):
    tasks, done, waiters = [ensure_future(awaitable) for awaitable in fs], [], []

    def ended(task, hops):
        done.append(task)
        if waiters:
            _loop__('wake', waiters.pop(0), hops + 1)

    async def hurry():
        await _until(tasks, timeout)
        for task in tasks:
            if not task.done():
                ended(None, 0)

    async def following():
        while not done:
            waiters.append(next_number())
            await _loop__('park', waiters[-1], None, '')
        task = done.pop(0)
        if task is None:
            raise TimeoutError()
        return task.result()

    for task in tasks:
        task._link(ended)
    if timeout is not None and tasks:
        started(hurry(), hidden=True)
    return iter([following() for _ in tasks])


def gather(*coros_or_futures, return_exceptions=False):
    children = [ensure_future(awaitable) for awaitable in coros_or_futures]
    outer, left = Future(), [len(children)]
    outer._children = children

    def ended(child, hops):
        left[0] -= 1
        if outer._state == 'PENDING':
            error = child._error if child._state == 'FINISHED' else cancellation(child._why)
            if left[0] == 0 and (return_exceptions or error is None):
                error = cancellation(outer._why) if outer._asked else None
            elif return_exceptions:
                return
            if error is not None or left[0] == 0:
                outer._finish('FINISHED', None if error else [_outcome(one) for one in children], error, hops)

    for child in children:
        child._link(ended)
    if not children:
        outer._finish('FINISHED', [], None, 0)
    return outer


def _outcome(child):
    if child._state == 'CANCELLED':
        # Python does not report the reason of a task here.
        return seen(cancellation('' if child._number is not None else child._why or ''))
    return child._value if child._error is None else seen(child._error)


async def settled(*coros_or_futures, return_exceptions=False):
    """`gather` with keywords in a script without tasks."""
    if return_exceptions:
        coros_or_futures = [_caught(awaitable) for awaitable in coros_or_futures]
    return await asyncio.gather(*coros_or_futures)


async def _caught(awaitable):
    try:
        return await awaitable
    except Exception as error:
        return seen(error)


class Timeout:
    def __init__(self, delay):
        self._delay, self._key, self._expired = delay, None, False
        self._when = None if delay is None else time.monotonic() + delay

    def when(self): return self._when
    def expired(self): return self._expired

    async def _ring(self):
        key, seconds = self._key, max(0.0, float(self._delay))
        if key is not None and not await _loop__('park', key, seconds, str(self._task._number)) and self._key == key:
            self._expired = True
            self._task.cancel()

    async def __aenter__(self):
        self._task = current_task()
        self._cancelling = self._task._cancelling
        if self._delay is not None:
            self._key = next_number()
            started(self._ring(), hidden=True)
        return self

    async def __aexit__(self, kind, error, trace):
        key, self._key = self._key, None
        if key is not None:
            _loop__('wake', key, 1)
        if self._expired and uncancelled(self._task) <= self._cancelling and is_cancellation(error):
            raise TimeoutError()


timeout = Timeout


def is_cancellation(error): return isinstance(error, SystemExit) or type(error).__name__ == 'CancelledError'


def uncancelled(task):
    """Withdraw one request to cancel the task, and return how many remain."""
    task._cancelling = max(0, task._cancelling - 1)
    return task._cancelling
