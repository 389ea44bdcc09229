"""Events, and lists of what waits."""

from .tasks import next_number


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
