"""Deadlines for what is done in a block."""

import time

from .tasks import current_task, is_cancellation, next_number, started


class Timeout:
    def __init__(self, when, delay=None):
        self._when, self._delay, self._state, self._key = when, delay, 'created', None

    def when(self):
        return self._when

    def expired(self):
        return self._state in ('expiring', 'expired')

    def reschedule(self, when):
        self._when, self._delay = when, None
        self._set()

    def _set(self):
        if self._key is not None:
            _loop__('wake', self._key, 1)
        self._key = None
        if self._when is not None and self._state == 'active':
            self._key = next_number()
            seconds = self._when - time.monotonic() if self._delay is None else self._delay
            started(self._ring(self._key, max(0.0, float(seconds))), hidden=True)

    async def _ring(self, key, seconds):
        if self._key == key and not await _loop__('park', key, seconds, str(self._task._number)) and self._key == key:
            self._state = 'expiring'
            self._task.cancel()

    async def __aenter__(self):
        if self._state != 'created':
            raise RuntimeError('Timeout has already been entered')
        self._state, self._task = 'active', current_task()
        self._cancelling = self._task.cancelling()
        self._set()
        return self

    async def __aexit__(self, kind, error, trace):
        expiring, self._state = self._state == 'expiring', 'exited'
        self._set()
        if expiring:
            self._state = 'expired'
            if self._task.uncancel() <= self._cancelling and is_cancellation(error):
                raise TimeoutError()


def timeout(delay):
    return Timeout(None if delay is None else time.monotonic() + delay, delay)


def timeout_at(when):
    return Timeout(when)
