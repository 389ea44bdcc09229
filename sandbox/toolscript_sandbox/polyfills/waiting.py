"""Waiting for several tasks at once, for the first of them, or for so long."""

from .tasks import Future, awaited, ensure_future, next_number, started

FIRST_COMPLETED = 'FIRST_COMPLETED'
FIRST_EXCEPTION = 'FIRST_EXCEPTION'
ALL_COMPLETED = 'ALL_COMPLETED'


def shield(arg):
    inner, outer = ensure_future(arg), Future()
    if inner.done():
        return inner

    def ended(done, hops):
        if outer._state == 'PENDING':
            outer._finish(done._state, done._value, done._error, hops)

    inner._link(ended)
    return outer


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
    # What is over already ends in a turn of its own too.
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
