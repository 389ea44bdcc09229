"""Futures and tasks, based on operations of the host (`_loop__`).

The host parks a coroutine under a key (`park`) until something wakes the key (`wake`), and runs jobs (`soon`). It has one
queue of everything that is ready, first in, first out, like an event loop. A wake may wait for several turns of this
queue: as many as asyncio's chain of callbacks takes (`hops`).

One coroutine starts all tasks. In Monty a coroutine that is gathered with one that fails continues by itself: this is
how each task starts. A cancellation is a `SystemExit`, because like `CancelledError` it is not an `Exception`.
"""

import asyncio

from .carriers import carrier, seen
from .carriers import tasks as _loaded

_tasks = {}
_jobs = {}
_awaited = {}
_count = [0]
_loaded.append(True)


def next_number():
    _count[0] += 1
    return _count[0]


class Future:
    """A future, or a task if it has a coroutine. Attributes with the defaults of the class take no space in a dump."""

    _state = 'PENDING'
    _value = None
    _error = None
    _why = None
    _children = None
    _number = None
    _name = None
    _asked = False
    _cancelling = 0

    def __init__(self): self._callbacks = []
    def done(self): return self._state != 'PENDING'
    def cancelled(self): return self._state == 'CANCELLED'
    def ready(self): return awaited(self)
    def __await__(self): return self  # Only for `hasattr`; transforms rewrite each `await`.

    def result(self):
        self._check()
        if self._error is not None:
            raise self._error
        return self._value

    def exception(self):
        self._check()
        return seen(self._error)

    def _check(self):
        if self._state == 'PENDING':
            raise RuntimeError('Result is not set.')
        if self._state == 'CANCELLED':
            raise cancellation(self._why)

    def _finish(self, state, value, error, hops):
        self._state, self._value, self._error = state, value, error
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            if isinstance(callback, int):
                _awaited.pop(callback, None)
                _loop__('wake', callback, hops + 1)
            else:
                callback(self, hops + 1)

    def add_done_callback(self, fn, *, context=None):
        self._link(lambda task, hops: started(_called(fn, task), hidden=True))

    def _link(self, fn):
        if self._state == 'PENDING':
            self._callbacks.append(fn)
        else:
            started(_called(fn, self, 0), hidden=True)

    def cancel(self, msg=None):
        if self._state != 'PENDING':
            return False
        if self._children is not None:
            asked = any([child.cancel(msg) for child in self._children])
            self._asked, self._why = asked or self._asked, msg
            return asked
        self._why = msg
        if self._number is None:
            self._finish('CANCELLED', None, None, 0)
            return True
        self._cancelling += 1
        if self._number in _jobs:
            _jobs[self._number] = (self, _cancelled(msg))
            return True
        why = '' if msg is None else str(msg)
        for key in _loop__('cancel', self._number, why):
            future = _awaited.get(key)
            if future is None or not future.cancel(msg):
                _loop__('doom', key, why)
            if future is None:
                _loop__('wake', key, 1)
        return True

    def get_name(self): return f'Task-{self._number}' if self._name is None else self._name
    def set_name(self, value): self._name = str(value)


Task = Future


async def _called(fn, *args): fn(*args)


async def awaited(awaitable):
    if not isinstance(awaitable, Future):
        return await awaitable
    await _ended(awaitable)
    return awaitable.result()


async def _ended(task):
    if task._state == 'PENDING':
        key = next_number()
        _awaited[key] = task
        task._callbacks.append(key)
        await _loop__('park', key, None, '')


def cancellation(why): return SystemExit() if why is None else SystemExit(str(why))


def started(coro, name=None, hidden=False):
    task = Future()
    task._number = next_number()
    if name is not None:
        task.set_name(name)
    _loop__('soon', task._number)
    if not hidden:
        _tasks[task._number] = task
    _jobs[task._number] = (task, coro)
    return task


async def _cancelled(why): raise cancellation(why)


async def _run(task, coro):
    state, value, error = 'FINISHED', None, None
    try:
        value = await coro
    except SystemExit:
        state = 'CANCELLED'
    except KeyError as raised:
        # Its key is only known at once.
        error = carrier(seen(raised))
    except BaseException as raised:
        error = raised
    _tasks.pop(task._number, None)
    task._finish(state, value, error, 0)


async def _fails(): raise ValueError


async def _detached(work):
    try:
        await asyncio.gather(work, _fails())
    except ValueError:
        pass


async def _starter():
    while True:
        await _detached(_run(*_jobs.pop(await _loop__('park', 0, None, ''))))


async def opened(*needed):
    # At the start of a script, the tasks of earlier ones are gone.
    for left in (_tasks, _jobs, _awaited):
        left.clear()
    main = Future()
    main._number, main._name = 0, 'Task-1'
    _tasks[0] = main
    await _detached(_starter())


async def closed():
    # At the end of a script, its remaining tasks are cancelled, like at the end of `asyncio.run`.
    _tasks.pop(0, None)
    left = list(_tasks.values())
    for task in left:
        task.cancel()
    for task in left:
        await _ended(task)


def create_task(coro, *, name=None, context=None):
    if type(coro).__name__ != 'coroutine':
        raise TypeError(f'a coroutine was expected, got {coro!r}')
    return started(coro, name)


def ensure_future(coro_or_future, *, loop=None):
    return coro_or_future if isinstance(coro_or_future, Future) else create_task(coro_or_future)


def current_task(loop=None): return _tasks.get(_loop__('current'))
