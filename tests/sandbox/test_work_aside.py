"""Work on threads: one thread at a time computes, and a cancelled caller delays no other."""

import asyncio
import threading
import time

import pytest

from toolscript_sandbox.event_loop.on_threads import run_in_thread

pytestmark = pytest.mark.anyio


async def test_no_two_threads_of_a_line_compute_at_a_time() -> None:
    seen = list[str]()

    def work() -> None:
        seen.append('in')
        # Any other thread that there is continues meanwhile.
        time.sleep(0.001)
        seen.append('out')

    await asyncio.gather(*[run_in_thread(work) for _ in range(8)])
    assert seen == ['in', 'out'] * 8


async def test_what_is_short_does_not_wait_for_what_is_long() -> None:
    go_on = threading.Event()
    long = asyncio.create_task(run_in_thread(lambda: go_on.wait(10), long=True))
    await asyncio.sleep(0)
    await run_in_thread(go_on.set)
    assert await long, 'what is short came after ten seconds'


async def test_whoever_is_cancelled_while_waiting_holds_up_nobody() -> None:
    go_on = threading.Event()

    async def first() -> None:
        await run_in_thread(lambda: go_on.wait(10))
        # The thread is the next one's now, which has not noticed yet.
        waiting[1].cancel()

    begun = asyncio.create_task(first())
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(run_in_thread(lambda: None)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    go_on.set()
    await begun
    done, _ = await asyncio.wait(waiting, timeout=10)
    assert [task in done and not task.cancelled() for task in waiting] == [False, False, True]
