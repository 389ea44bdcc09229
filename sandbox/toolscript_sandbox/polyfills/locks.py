"""Locks, semaphores, events and conditions. What waits is a key, in a list."""

from .tasks import next_number


class Semaphore:
    _most = None

    def __init__(self, value=1):
        if value < 0:
            raise ValueError('Semaphore initial value must be >= 0')
        self._value, self._waiters = value, []

    def locked(self):
        return self._value == 0 or bool(self._waiters)

    async def acquire(self):
        if not self.locked():
            self._value -= 1
            return True
        key = next_number()
        self._waiters.append(key)
        try:
            await _loop__('park', key, None, '')
        except SystemExit:
            if key in self._waiters:
                self._waiters.remove(key)
            else:
                self._free()
            raise
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

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, trace):
        self.release()


def BoundedSemaphore(value=1):
    made = Semaphore(value)
    made._most, made._error = value, ValueError('BoundedSemaphore released too many times')
    return made


def Lock():
    made = Semaphore(1)
    made._most, made._error = 1, RuntimeError('Lock is not acquired.')
    return made


async def in_line(waiters):
    """Wait in a list until something takes the key out and wakes it."""
    key = next_number()
    waiters.append(key)
    try:
        await _loop__('park', key, None, '')
    finally:
        if key in waiters:
            waiters.remove(key)


def wake(waiters, n=1):
    for key in waiters[:n]:
        waiters.remove(key)
        _loop__('wake', key, 1)


class Event:
    def __init__(self):
        self._set, self._waiters = False, []

    def is_set(self):
        return self._set

    def set(self):
        self._set = True
        wake(self._waiters, len(self._waiters))

    def clear(self):
        self._set = False

    async def wait(self):
        if not self._set:
            await in_line(self._waiters)
        return True


class Condition:
    def __init__(self, lock=None):
        self._lock, self._waiters = Lock() if lock is None else lock, []
        self.acquire, self.release, self.locked = _methods(self._lock)

    async def __aenter__(self):
        await self._lock.acquire()

    async def __aexit__(self, kind, error, trace):
        self._lock.release()

    async def wait(self):
        self._lock.release()
        cancelled = None
        try:
            await in_line(self._waiters)
        except SystemExit as error:
            cancelled = error
        acquired = False
        while not acquired:
            try:
                acquired = await self._lock.acquire()
            except SystemExit as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled
        return True

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self._lock.locked():
            raise RuntimeError('cannot notify on un-acquired lock')
        wake(self._waiters, n)

    def notify_all(self):
        self.notify(len(self._waiters))


def _methods(lock):
    return (lambda: lock.acquire()), (lambda: lock.release()), (lambda: lock.locked())
