"""Locks, semaphores and events. What waits is a key, in a list."""

from .tasks import next_number


class Semaphore:
    _most = None

    def __init__(self, value=1):
        if value < 0:
            raise ValueError('Semaphore initial value must be >= 0')
        self._value, self._waiters = value, []

    def locked(self): return self._value == 0 or bool(self._waiters)

    async def acquire(self):
        if self.locked():
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
    def __init__(self): self._set, self._waiters = False, []
    def is_set(self): return self._set

    def set(self):
        self._set = True
        wake(self._waiters, len(self._waiters))

    def clear(self): self._set = False

    async def wait(self):
        if not self._set:
            await in_line(self._waiters)
        return True
