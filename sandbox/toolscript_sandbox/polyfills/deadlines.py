"""Deadlines for what is done in a block."""

import time

from .tasks import current_task, next_number, started


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
    """How many requests to cancel the task are left without one of them."""
    task._cancelling = max(0, task._cancelling - 1)
    return task._cancelling
