"""Futures and tasks, over the two things that the host does.

The host parks whoever awaits a future (`_loop__('park', key)`) until somebody wakes the key, and runs what is to be run
soon. It keeps one queue of all that is ready, first in, first out, as an event loop does; `running/ready.py` has it.
A wake may take several turns of that queue: as many as asyncio's chain of callbacks takes.

Tasks are started by one that does nothing else. What is given to Monty's `gather` beside something that fails goes on by
itself, and that is how.

A cancellation travels as `SystemExit`: like `CancelledError` it is no `Exception`, and scripts have no other use for it.
"""

import asyncio

from .errors import derived, known_as, own, raised
from .event_loop import Loop


class CancelledError:
    pass


derived(CancelledError, SystemExit, [], 'CancelledError')
known_as(SystemExit, CancelledError)


class InvalidStateError:
    pass


derived(InvalidStateError, Exception, [], 'InvalidStateError')

_tasks = {}
_hidden = {}
_jobs = {}
_parked = {}
_counted = [0]


def next_number():
    _counted[0] += 1
    return _counted[0]


class Future:
    """A value to come; with a coroutine, a task."""

    def __init__(self, coro=None, *, loop=None, name=None, hidden=False, number=None):
        self._coro = coro
        self._state, self._value, self._error, self._why = 'PENDING', None, None, None
        self._callbacks = []
        self._children, self._is_cancel_requested = None, False
        self._begun, self._must_cancel, self._cancelling = False, False, 0
        self._number = number
        if coro is not None:
            self._number = next_number()
            # Where there is no room, this raises.
            _loop__('soon', self._number)
            (_hidden if hidden else _tasks)[self._number] = self
            _jobs[self._number] = self
        self._name = name if name is not None else f'Task-{self._number}'

    def done(self):
        return self._state != 'PENDING'

    def cancelled(self):
        return self._state == 'CANCELLED'

    def result(self):
        if self._state == 'CANCELLED':
            raise cancellation(self._why)
        if self._state == 'PENDING':
            raise raised(InvalidStateError('Result is not set.'))
        if self._error is not None:
            raise self._error
        return self._value

    def exception(self):
        if self._state == 'CANCELLED':
            raise cancellation(self._why)
        if self._state == 'PENDING':
            raise raised(InvalidStateError('Exception is not set.'))
        return own(self._error)

    def set_result(self, result):
        if self._state != 'PENDING':
            raise raised(InvalidStateError('invalid state'))
        self._finish('FINISHED', result, None, 0)

    def set_exception(self, exception):
        if self._state != 'PENDING':
            raise raised(InvalidStateError('invalid state'))
        error = raised(exception() if type(exception).__name__ == 'type' else exception)
        self._finish('FINISHED', None, error, 0)

    def _finish(self, state, value, error, hops):
        self._state, self._value, self._error = state, value, error
        callbacks, self._callbacks = self._callbacks, []
        for kind, callback in callbacks:
            if kind == 'waiter':
                _loop__('wake', callback, hops + 1)
            elif kind == 'link':
                callback(self, hops + 1)
            else:
                soon(callback, (self,))

    def add_done_callback(self, fn, *, context=None):
        if self._state != 'PENDING':
            soon(fn, (self,))
        else:
            self._callbacks.append(('call', fn))

    def remove_done_callback(self, fn):
        kept = [pair for pair in self._callbacks if pair[0] != 'call' or pair[1] is not fn]
        removed = len(self._callbacks) - len(kept)
        self._callbacks = kept
        return removed

    def _link(self, fn):
        if self._state != 'PENDING':
            soon(fn, (self, 0))
        else:
            self._callbacks.append(('link', fn))

    def _unlink(self, fn):
        self._callbacks = [pair for pair in self._callbacks if pair[1] is not fn]

    def cancel(self, msg=None):
        if self._state != 'PENDING':
            return False
        if self._children is not None:
            before, self._is_cancel_requested = self._is_cancel_requested, True
            asked = any([child.cancel(msg) for child in self._children])
            self._is_cancel_requested = asked or before
            return asked
        self._why = msg
        if self._number is None:
            self._finish('CANCELLED', None, None, 0)
            return True
        self._cancelling += 1
        if not self._begun:
            self._must_cancel = True
            return True
        why = '' if msg is None else str(msg)
        for key in _loop__('cancel', self._number, why):
            if not _parked[key].cancel(msg):
                # It is over already, and about to wake the one that waits.
                _loop__('doom', key, why)
        return True

    def cancelling(self):
        return self._cancelling

    def uncancel(self):
        if self._cancelling > 0:
            self._cancelling -= 1
        return self._cancelling

    def get_name(self):
        return self._name

    def set_name(self, value):
        self._name = str(value)

    def get_coro(self):
        return self._coro

    def get_loop(self):
        return Loop()

    async def _wait(self):
        if self._state == 'PENDING':
            await self._parking(None)
        return self.result()

    async def _parking(self, seconds, guarded=[]):
        # Whether it was woken, rather than left alone for so many seconds.
        key = next_number()
        waiter = ('waiter', key)
        self._callbacks.append(waiter)
        _parked[key] = self
        try:
            return await _loop__('park', key, seconds, ' '.join([str(number) for number in guarded]))
        finally:
            _parked.pop(key, None)
            if waiter in self._callbacks:
                self._callbacks.remove(waiter)


Task = Future


def cancellation(why):
    return SystemExit() if why is None else SystemExit(str(why))


async def _run(task):
    task._begun = True
    try:
        if task._must_cancel:
            raise cancellation(task._why)
        value = await awaited(task._coro)
    except SystemExit as error:
        _end(task, 'CANCELLED', None, None)
    except BaseException as error:
        _end(task, 'FINISHED', None, error)
    else:
        _end(task, 'FINISHED', value, None)


def _end(task, state, value, error):
    _tasks.pop(task._number, None)
    _hidden.pop(task._number, None)
    task._finish(state, value, error, 0)


async def _fails():
    raise ValueError('')


async def _detached(work):
    try:
        await asyncio.gather(work, _fails())
    except ValueError:
        pass


async def _nursery():
    while True:
        number = await _loop__('park', 0, None, '')
        job = _jobs.pop(number)
        if isinstance(job, Future):
            await _detached(_run(job))
        else:
            try:
                job[0](*job[1])
            except Exception as error:
                pass


def soon(fn, args):
    number = next_number()
    _loop__('soon', number)
    _jobs[number] = (fn, args)


async def opened():
    # At the start of a snippet. What an earlier one left is gone.
    _tasks.clear()
    _hidden.clear()
    _jobs.clear()
    _parked.clear()
    main = Future(number=0, name='Task-1')
    main._begun = True
    _tasks[0] = main
    await _detached(_nursery())


async def finished():
    # At the end of a snippet: waits for what it started. What nobody can wake any more is cancelled.
    left = _others()
    while left:
        stuck = await _ended(left, True)
        left = _others()
        if stuck:
            await abandoned()
            left = []


async def abandoned():
    left = _others()
    for task in left:
        task.cancel()
    await _ended(left, False)


def _others():
    current = _loop__('current')
    return [task for number, task in list(_tasks.items()) if number != 0 and number != current]


async def _ended(tasks, may_be_stuck):
    waiter = Future()
    left = [len(tasks)]

    def one_less(task, hops):
        left[0] -= 1
        if left[0] == 0 and not waiter.done():
            waiter._finish('FINISHED', None, None, hops)

    for task in tasks:
        task._link(one_less)
    if not waiter.done() and tasks:
        woken = await waiter._parking('end' if may_be_stuck else None)
        return not woken
    return False


async def awaited(awaitable):
    if isinstance(awaitable, Future):
        return await awaitable._wait()
    return await awaitable


def iscoroutine(obj):
    return type(obj).__name__ == 'coroutine'


def isfuture(obj):
    return isinstance(obj, Future)


def create_task(coro, *, name=None, context=None):
    if not iscoroutine(coro):
        raise TypeError(f'a coroutine was expected, got {coro!r}')
    return Future(coro, name=name)


def ensure_future(coro_or_future, *, loop=None):
    if isinstance(coro_or_future, Future):
        return coro_or_future
    if not iscoroutine(coro_or_future):
        raise TypeError('An asyncio.Future, a coroutine or an awaitable is required')
    return Future(coro_or_future)


def current_task(loop=None):
    return _tasks.get(_loop__('current'))


def all_tasks(loop=None):
    return set(list(_tasks.values()))


async def sleep(delay, result=None):
    await asyncio.sleep(delay)
    return result


async def to_thread(_threads_function, /, *args, **kwargs):
    # A thread starts at once; whoever waits for it goes on later.
    try:
        return _threads_function(*args, **kwargs)
    finally:
        await asyncio.sleep(0)


async def run(main, *, debug=None):
    if not iscoroutine(main):
        raise ValueError(f'a coroutine was expected, got {main!r}')
    try:
        value = await main
    except BaseException as error:
        await abandoned()
        raise
    await finished()
    return value
