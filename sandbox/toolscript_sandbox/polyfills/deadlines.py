"""Deadlines for what is done in a block."""

import time

from .tasks import Future, current_task


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
