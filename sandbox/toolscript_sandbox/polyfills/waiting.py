"""Waiting for several at once, for the first of them, or for so long."""

from .queues import Queue
from .errors import own
from .tasks import CancelledError, Future, awaited, cancellation, ensure_future, iscoroutine

FIRST_COMPLETED = 'FIRST_COMPLETED'
FIRST_EXCEPTION = 'FIRST_EXCEPTION'
ALL_COMPLETED = 'ALL_COMPLETED'


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
                outer._finish('FINISHED', None, cancellation(child._why), hops)
                return
            if child._error is not None:
                outer._finish('FINISHED', None, child._error, hops)
                return
        if left[0] == 0:
            values = [_outcome(child) for child in children]
            if outer._is_cancel_requested:
                outer._finish('FINISHED', None, cancellation(outer._why), hops)
            else:
                outer._finish('FINISHED', values, None, hops)

    for child in distinct:
        child._link(one_less)
    return outer


def _outcome(child):
    if child._state == 'CANCELLED':
        return CancelledError('' if child._why is None or child._coro is not None else str(child._why))
    return child._value if child._error is None else own(child._error)


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
    _refuse_single(fs, 'a list')
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


def _refuse_single(fs, several):
    name = type(fs).__name__
    if name in ('_iterators_Values', '_generators_Generator'):
        # In Python 3.11, a generator is taken for a coroutine.
        raise TypeError(f'expect {several} of futures, not generator')
    if isinstance(fs, Future) or iscoroutine(fs):
        raise TypeError(f'expect {several} of futures, not {"Task" if isinstance(fs, Future) else name}')


async def _until(tasks, timeout, return_when):
    # What is over already is told of in a turn of its own too.
    left, waiter = [len(tasks)], Future()

    def one_less(task, hops):
        left[0] -= 1
        failed = task._state == 'FINISHED' and task._error is not None
        enough = return_when == 'FIRST_COMPLETED' or (return_when == 'FIRST_EXCEPTION' and failed)
        if (left[0] == 0 or enough) and not waiter.done():
            waiter._finish('FINISHED', None, None, hops)

    for task in tasks:
        task._link(one_less)
    try:
        await _parked_for(waiter, timeout, tasks)
    finally:
        for task in tasks:
            task._unlink(one_less)


async def _parked_for(waiter, timeout, tasks):
    # Raises where the one that waits is cancelled.
    seconds = None if timeout is None else max(0.0, float(timeout))
    if (
        await waiter._parking(seconds, [task._number for task in tasks if task._number is not None])
        and waiter.cancelled()
    ):
        raise cancellation(waiter._why)


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
    _refuse_single(fs, 'an iterable')
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
