"""The event loop, as far as a script has to do with it."""

import asyncio
import time

from .tasks import Future, create_task, started, to_thread


class Loop:
    def create_task(self, coro, *, name=None, context=None):
        return create_task(coro, name=name)

    def create_future(self):
        return Future()

    def call_soon(self, callback, *args, context=None):
        return started(_called(None, callback, args), hidden=True)

    def call_later(self, delay, callback, *args, context=None):
        return started(_called(delay, callback, args), hidden=True)

    def run_in_executor(self, executor, func, *args):
        return started(to_thread(func, *args))

    def time(self):
        return time.monotonic()

    def is_running(self):
        return True

    def is_closed(self):
        return False

    def close(self):
        return None


async def _called(delay, callback, args):
    if delay is not None:
        await asyncio.sleep(delay)
    callback(*args)


def get_event_loop():
    return Loop()


get_running_loop = get_event_loop
new_event_loop = get_event_loop


def set_event_loop(loop):
    return None
