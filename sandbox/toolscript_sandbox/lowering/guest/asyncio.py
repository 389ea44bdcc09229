"""`asyncio` in Python that Monty runs: futures and tasks over the two things that the host does.

The host parks whoever awaits a future (`_loop__('park', key)`) until somebody wakes the key, and runs what is to be run
soon. It keeps one queue of all that is ready, first in, first out, as an event loop does; `running/ready.py` has it.
A wake may take several turns of that queue: as many as asyncio's chain of callbacks takes.

Tasks are started by one that does nothing else. What is given to Monty's `gather` beside something that fails goes on by
itself, and that is how.

A cancellation travels as `SystemExit`: like `CancelledError` it is no `Exception`, and scripts have no other use for it.
"""

import asyncio
import binascii
import csv
import re
import time
from collections import deque

FIRST_COMPLETED = 'FIRST_COMPLETED'
FIRST_EXCEPTION = 'FIRST_EXCEPTION'
ALL_COMPLETED = 'ALL_COMPLETED'
TimeoutError = TimeoutError
CancelledError = SystemExit
QueueEmpty = csv.Error
QueueFull = re.error
InvalidStateError = binascii.Incomplete

_tasks = {}
_hidden = {}
_jobs = {}
_parked = {}
_counted = [0]


def _next():
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
            self._number = _next()
            (_hidden if hidden else _tasks)[self._number] = self
            _jobs[self._number] = self
            _loop__('soon', self._number)
        self._name = name if name is not None else f'Task-{self._number}'

    def done(self):
        return self._state != 'PENDING'

    def cancelled(self):
        return self._state == 'CANCELLED'

    def result(self):
        if self._state == 'CANCELLED':
            raise _cancellation(self._why)
        if self._state == 'PENDING':
            raise InvalidStateError('Result is not set.')
        if self._error is not None:
            raise self._error
        return self._value

    def exception(self):
        if self._state == 'CANCELLED':
            raise _cancellation(self._why)
        if self._state == 'PENDING':
            raise InvalidStateError('Exception is not set.')
        return self._error

    def set_result(self, result):
        if self._state != 'PENDING':
            raise InvalidStateError('invalid state')
        self._finish('FINISHED', result, None, 0)

    def set_exception(self, exception):
        if self._state != 'PENDING':
            raise InvalidStateError('invalid state')
        error = exception() if type(exception).__name__ == 'type' else exception
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
                _soon(callback, (self,))

    def add_done_callback(self, fn, *, context=None):
        if self._state != 'PENDING':
            _soon(fn, (self,))
        else:
            self._callbacks.append(('call', fn))

    def remove_done_callback(self, fn):
        kept = [pair for pair in self._callbacks if pair[0] != 'call' or pair[1] is not fn]
        removed = len(self._callbacks) - len(kept)
        self._callbacks = kept
        return removed

    def _link(self, fn):
        if self._state != 'PENDING':
            _soon(fn, (self, 0))
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
        return _Loop()

    async def _wait(self):
        if self._state == 'PENDING':
            await self._parking(None)
        return self.result()

    async def _parking(self, seconds, guarded=[]):
        # Whether it was woken, rather than left alone for so many seconds.
        key = _next()
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


def _cancellation(why):
    return SystemExit() if why is None else SystemExit(str(why))


async def _run(task):
    task._begun = True
    try:
        if task._must_cancel:
            raise _cancellation(task._why)
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


def _soon(fn, args):
    number = _next()
    _jobs[number] = (fn, args)
    _loop__('soon', number)


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


def repr_of(value):
    text = repr(value)
    return f'CancelledError{text[len("SystemExit") :]}' if isinstance(value, SystemExit) else text


def type_name(value, name_of):
    if isinstance(value, SystemExit):
        return 'CancelledError'
    return 'ExceptionGroup' if repr(value).startswith(f"Exception('{_GROUP}") else name_of(type(value))


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
    await asyncio.sleep(0)
    return _threads_function(*args, **kwargs)


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


def gather(*coros_or_futures, return_exceptions=False):
    outer = Future()
    if not coros_or_futures:
        outer._finish('FINISHED', [], None, 0)
        return outer
    made = []
    children = []
    for awaitable in coros_or_futures:
        known = [child for given, child in made if given is awaitable]
        child = known[0] if known else ensure_future(awaitable)
        made.append((awaitable, child))
        children.append(child)
    distinct = [
        child for place, child in enumerate(children) if not any([child is other for other in children[:place]])
    ]
    outer._children = distinct
    left = [len(distinct)]

    def one_less(child, hops):
        left[0] -= 1
        if outer._state != 'PENDING':
            return
        if not return_exceptions:
            if child._state == 'CANCELLED':
                outer._finish('FINISHED', None, _cancellation(child._why), hops)
                return
            if child._error is not None:
                outer._finish('FINISHED', None, child._error, hops)
                return
        if left[0] == 0:
            values = [_outcome(child) for child in children]
            if outer._is_cancel_requested:
                outer._finish('FINISHED', None, _cancellation(outer._why), hops)
            else:
                outer._finish('FINISHED', values, None, hops)

    for child in distinct:
        child._link(one_less)
    return outer


def _outcome(child):
    if child._state == 'CANCELLED':
        return SystemExit('' if child._why is None or child._coro is not None else str(child._why))
    return child._value if child._error is None else child._error


def shield(arg):
    inner = ensure_future(arg)
    if inner.done():
        return inner
    outer = Future()

    def follow(done, hops):
        if outer._state == 'PENDING':
            outer._finish(done._state, done._value, done._error, hops)

    inner._link(follow)
    return outer


async def wait(fs, *, timeout=None, return_when='ALL_COMPLETED'):
    if isinstance(fs, Future) or iscoroutine(fs):
        raise TypeError(f'expect a list of futures, not {type(fs).__name__}')
    tasks = list(fs)
    if not tasks:
        raise ValueError('Set of Tasks/Futures is empty.')
    if return_when not in ('FIRST_COMPLETED', 'FIRST_EXCEPTION', 'ALL_COMPLETED'):
        raise ValueError(f'Invalid return_when value: {return_when}')
    if any([iscoroutine(task) for task in tasks]):
        raise TypeError('Passing coroutines is forbidden, use tasks explicitly.')
    unique = []
    for task in tasks:
        if not any([task is other for other in unique]):
            unique.append(task)
    await _until(unique, timeout, return_when)
    return set([task for task in unique if task.done()]), set([task for task in unique if not task.done()])


async def _until(tasks, timeout, return_when):
    left = [len([task for task in tasks if not task.done()])]

    def enough(task):
        failed = task._state == 'FINISHED' and task._error is not None
        return return_when == 'FIRST_COMPLETED' or (return_when == 'FIRST_EXCEPTION' and failed)

    if left[0] == 0 or any([task.done() and enough(task) for task in tasks]):
        return
    waiter = Future()

    def one_less(task, hops):
        left[0] -= 1
        if (left[0] == 0 or enough(task)) and not waiter.done():
            waiter._finish('FINISHED', None, None, hops)

    waiting = [task for task in tasks if not task.done()]
    for task in waiting:
        task._link(one_less)
    try:
        await _parked_for(waiter, timeout, waiting)
    finally:
        for task in waiting:
            task._unlink(one_less)


async def _parked_for(waiter, timeout, tasks):
    # Raises where the one that waits is cancelled.
    seconds = None if timeout is None else max(0.0, float(timeout))
    if (
        await waiter._parking(seconds, [task._number for task in tasks if task._number is not None])
        and waiter.cancelled()
    ):
        raise _cancellation(waiter._why)


async def wait_for(fut, timeout):
    if timeout is None:
        return await awaited(fut)
    task = ensure_future(fut)
    if timeout <= 0:
        if task.done():
            return task.result()
        return await _too_late(task)
    try:
        await _until([task], timeout, 'ALL_COMPLETED')
    except SystemExit as error:
        if task.done():
            return task.result()
        await _cancelled_and_over(task)
        raise
    return task.result() if task.done() else await _too_late(task)


async def _too_late(task):
    await _cancelled_and_over(task)
    try:
        return task.result()
    except SystemExit as error:
        raise TimeoutError()


async def _cancelled_and_over(task):
    task.cancel()
    await _until([task], None, 'ALL_COMPLETED')


def as_completed(fs, *, timeout=None):
    if isinstance(fs, Future) or iscoroutine(fs):
        raise TypeError(f'expect an iterable of futures, not {type(fs).__name__}')
    tasks = [ensure_future(awaitable) for awaitable in fs]
    done = Queue()
    over = []

    def ended(task, hops):
        done._put_after(task, hops)

    for task in tasks:
        task._link(ended)
    if timeout is not None and tasks:
        Future(_hurry(tasks, done, timeout), hidden=True)
    return iter([_next_of(done) for _ in tasks])


async def _hurry(tasks, done, timeout):
    await _until(tasks, timeout, 'ALL_COMPLETED')
    for task in tasks:
        if not task.done():
            done.put_nowait(None)


async def _next_of(done):
    task = await done.get()
    if task is None:
        raise TimeoutError()
    return task.result()


class Timeout:
    def __init__(self, when, delay=None):
        self._when, self._delay = when, delay
        self._state = 'created'

    def when(self):
        return self._when

    def expired(self):
        return self._state in ('expiring', 'expired')

    def reschedule(self, when):
        if self._state != 'active':
            raise RuntimeError(f'Cannot change state of {self._state} Timeout')
        self._alarm._finish('FINISHED', None, None, 0)
        self._when = when
        self._set_alarm()

    def _set_alarm(self):
        self._alarm = Future()
        if self._when is not None:
            seconds, self._delay = self._delay, None
            seconds = self._when - time.monotonic() if seconds is None else seconds
            Future(self._ring(self._alarm, max(0.0, float(seconds))), hidden=True)

    async def _ring(self, alarm, seconds):
        if not alarm.done() and not await alarm._parking(seconds, [self._task._number]) and self._state == 'active':
            self._state = 'expiring'
            self._task.cancel()

    async def __aenter__(self):
        if self._state != 'created':
            raise RuntimeError('Timeout has already been entered')
        self._state = 'active'
        self._task = current_task()
        self._cancelling = self._task.cancelling()
        self._set_alarm()
        return self

    async def __aexit__(self, kind, error, trace):
        self._alarm._finish('FINISHED', None, None, 0)
        if self._state == 'expiring':
            self._state = 'expired'
            if self._task.uncancel() <= self._cancelling and isinstance(error, SystemExit):
                raise TimeoutError()
        elif self._state == 'active':
            self._state = 'exited'
        return None


def timeout(delay):
    return Timeout(None if delay is None else time.monotonic() + delay, delay)


def timeout_at(when):
    return Timeout(when)


class TaskGroup:
    def __init__(self):
        self._state = 'new'
        self._errors = []
        self._open = []
        self._waiter = None
        self._parent_asked = False

    async def __aenter__(self):
        if self._state != 'new':
            raise RuntimeError(f'TaskGroup has been already entered')
        self._state = 'entered'
        self._parent = current_task()
        return self

    def create_task(self, coro, *, name=None, context=None):
        if self._state == 'new':
            raise RuntimeError('TaskGroup has not been entered')
        if self._state == 'left' and not self._open:
            raise RuntimeError('TaskGroup is finished')
        if self._state == 'aborting':
            raise RuntimeError('TaskGroup is shutting down')
        task = create_task(coro, name=name)
        self._open.append(task)
        # It cancels others, and those that are ready go on before.
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task):
        self._open = [other for other in self._open if other is not task]
        if not self._open and self._waiter is not None and not self._waiter.done():
            self._waiter._finish('FINISHED', None, None, 0)
        if task._state == 'CANCELLED' or task._error is None:
            return
        self._errors.append(task._error)
        if self._state == 'aborting':
            return
        inside = self._state == 'entered'
        self._abort()
        if inside:
            self._parent_asked = True
            self._parent.cancel()

    def _abort(self):
        self._state = 'aborting'
        for task in self._open:
            task.cancel()

    async def __aexit__(self, kind, error, trace):
        is_cancelled = isinstance(error, SystemExit)
        propagated = error if is_cancelled else None
        if is_cancelled and self._parent_asked and self._parent.uncancel() == 0:
            propagated = None
        if error is not None and self._state != 'aborting':
            self._abort()
        if self._state == 'entered':
            self._state = 'left'
        while self._open:
            self._waiter = Future()
            try:
                await self._waiter._wait()
            except SystemExit as cancelled:
                if self._state != 'aborting':
                    propagated = cancelled
                    self._abort()
            self._waiter = None
        if propagated is not None and not self._errors:
            raise propagated
        if error is not None and not is_cancelled:
            self._errors.append(error)
        if self._errors:
            raise group_of(self._errors)
        return None


_GROUP = 'unhandled errors in a TaskGroup'


def group_of(errors):
    count = len(errors)
    return Exception(f'{_GROUP} ({count} sub-exception{"" if count == 1 else "s"})')


class Entered:
    """An asynchronous context, entered and left by hand."""

    def __init__(self, context):
        self._context = context
        self._is_left = False

    async def enter(self):
        return await self._context.__aenter__()

    async def failed(self, error):
        self._is_left = True
        return await self._context.__aexit__(type(error), error, None)

    async def left(self):
        if not self._is_left:
            await self._context.__aexit__(None, None, None)


class Lock:
    def __init__(self):
        self._locked = False
        self._waiters = []

    def locked(self):
        return self._locked

    async def acquire(self):
        if not self._locked and all([waiter.cancelled() for waiter in self._waiters]):
            self._locked = True
            return True
        waiter = Future()
        self._waiters.append(waiter)
        try:
            try:
                await waiter._wait()
            finally:
                _remove(self._waiters, waiter)
        except SystemExit as error:
            if not self._locked:
                self._wake_first()
            raise
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError('Lock is not acquired.')
        self._locked = False
        self._wake_first()

    def _wake_first(self):
        if self._waiters and not self._waiters[0].done():
            self._waiters[0].set_result(True)

    async def __aenter__(self):
        await self.acquire()
        return None

    async def __aexit__(self, kind, error, trace):
        self.release()


def _remove(items, item):
    for place, other in enumerate(items):
        if other is item:
            items.pop(place)
            return


class Event:
    def __init__(self):
        self._set = False
        self._waiters = []

    def is_set(self):
        return self._set

    def set(self):
        if not self._set:
            self._set = True
            for waiter in self._waiters:
                if not waiter.done():
                    waiter.set_result(True)

    def clear(self):
        self._set = False

    async def wait(self):
        if self._set:
            return True
        waiter = Future()
        self._waiters.append(waiter)
        try:
            await waiter._wait()
            return True
        finally:
            _remove(self._waiters, waiter)


class Condition:
    def __init__(self, lock=None):
        self._lock = Lock() if lock is None else lock
        self._waiters = []

    def locked(self):
        return self._lock.locked()

    async def acquire(self):
        return await self._lock.acquire()

    def release(self):
        self._lock.release()

    async def __aenter__(self):
        await self.acquire()
        return None

    async def __aexit__(self, kind, error, trace):
        self.release()

    async def wait(self):
        if not self.locked():
            raise RuntimeError('cannot wait on un-acquired lock')
        self.release()
        try:
            waiter = Future()
            self._waiters.append(waiter)
            try:
                await waiter._wait()
                return True
            finally:
                _remove(self._waiters, waiter)
        finally:
            cancelled = None
            acquired = False
            while not acquired:
                try:
                    await self.acquire()
                    acquired = True
                except SystemExit as error:
                    cancelled = error
            if cancelled is not None:
                raise cancelled

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self.locked():
            raise RuntimeError('cannot notify on un-acquired lock')
        for waiter in self._waiters:
            if n > 0 and not waiter.done():
                n -= 1
                waiter.set_result(False)

    def notify_all(self):
        self.notify(len(self._waiters))


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError('Semaphore initial value must be >= 0')
        self._value = value
        self._most = None
        self._waiters = []

    def locked(self):
        return self._value == 0 or any([not waiter.cancelled() for waiter in self._waiters])

    async def acquire(self):
        if not self.locked():
            self._value -= 1
            return True
        waiter = Future()
        self._waiters.append(waiter)
        try:
            try:
                await waiter._wait()
            finally:
                _remove(self._waiters, waiter)
        except SystemExit as error:
            if not waiter.cancelled():
                self._value += 1
                self._wake_next()
            raise
        if self._value > 0:
            self._wake_next()
        return True

    def release(self):
        if self._most is not None and self._value >= self._most:
            raise ValueError('BoundedSemaphore released too many times')
        self._value += 1
        self._wake_next()

    def _wake_next(self):
        for waiter in self._waiters:
            if not waiter.done():
                self._value -= 1
                waiter.set_result(True)
                return

    async def __aenter__(self):
        await self.acquire()
        return None

    async def __aexit__(self, kind, error, trace):
        self.release()


def BoundedSemaphore(value=1):
    made = Semaphore(value)
    made._most = value
    return made


class Queue:
    def __init__(self, maxsize=0, *, kind='first in'):
        self.maxsize = maxsize
        self._kind = kind
        self._items = deque()
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
            raise QueueFull()
        self._put_after(item, 0)

    def _put_after(self, item, hops):
        self._items.append(item)
        self._unfinished += 1
        self._idle.clear()
        _wake_next(self._getters, hops)

    def get_nowait(self):
        if not self._items:
            raise QueueEmpty()
        if self._kind == 'first in':
            item = self._items.popleft()
        elif self._kind == 'last in':
            item = self._items.pop()
        else:
            item = min(self._items)
            self._items.remove(item)
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
            _remove(waiters, waiter)
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


class _Loop:
    def create_task(self, coro, *, name=None, context=None):
        return create_task(coro, name=name)

    def create_future(self):
        return Future()

    def call_soon(self, callback, *args, context=None):
        return _soon(callback, args)

    def call_later(self, delay, callback, *args, context=None):
        return Future(_later(delay, callback, args), hidden=True)

    def call_at(self, when, callback, *args, context=None):
        return self.call_later(when - time.monotonic(), callback, *args)

    def run_in_executor(self, executor, func, *args):
        return Future(to_thread(func, *args))

    def time(self):
        return time.monotonic()

    def is_running(self):
        return True

    def is_closed(self):
        return False

    def close(self):
        return None


async def _later(delay, callback, args):
    alarm = Future()
    await alarm._parking(max(0.0, float(delay)))
    callback(*args)


def get_event_loop():
    return _Loop()


def get_running_loop():
    return _Loop()


def new_event_loop():
    return _Loop()


def set_event_loop(loop):
    return None
