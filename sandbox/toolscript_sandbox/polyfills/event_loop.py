"""The event loop, as far as a script has to do with it."""

import time

from .tasks import Future, create_task, soon, to_thread


class Loop:
    def create_task(self, coro, *, name=None, context=None):
        return create_task(coro, name=name)

    def create_future(self):
        return Future()

    def call_soon(self, callback, *args, context=None):
        handle = Handle(callback, args)
        soon(handle.run, ())
        return handle

    def call_later(self, delay, callback, *args, context=None):
        handle = Handle(callback, args, time.monotonic() + delay)
        Future(_later(delay, handle), hidden=True)
        return handle

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


class Handle:
    """A call to come, which may be cancelled."""

    def __init__(self, callback, args, when=None):
        self._callback, self._args, self._when = callback, args, when
        self._cancelled, self.alarm = False, Future()

    def run(self):
        if not self._cancelled:
            self._callback(*self._args)

    def cancel(self):
        self._cancelled = True
        if not self.alarm.done():
            self.alarm.set_result(None)

    def cancelled(self):
        return self._cancelled

    def when(self):
        return self._when


async def _later(delay, handle):
    if not handle.alarm.done():
        await handle.alarm._parking(max(0.0, float(delay)))
    handle.run()


def get_event_loop():
    return Loop()


def get_running_loop():
    return Loop()


def new_event_loop():
    return Loop()


def set_event_loop(loop):
    return None
