"""The event loop, as far as a script has to do with it."""

import asyncio
import time

from .tasks import create_task, started


class Loop:
    def create_task(self, coro, *, name=None, context=None): return create_task(coro, name=name)
    def run_in_executor(self, executor, func, *args): return started(to_thread(func, *args))
    def time(self): return time.monotonic()
    def is_running(self): return True
    def close(self): return None


def get_event_loop(): return Loop()


get_running_loop = get_event_loop
new_event_loop = get_event_loop


def set_event_loop(loop): return None


async def sleep(delay, result=None):
    await asyncio.sleep(delay)
    return result


async def to_thread(_threads_function, /, *args, **kwargs):
    # A thread starts at once; what waits for it runs on later.
    try:
        return _threads_function(*args, **kwargs)
    finally:
        await asyncio.sleep(0)
