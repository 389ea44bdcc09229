"""Runs work on two threads outside the event loop: one for short work and one for long work.

Threads of one interpreter take turns holding the GIL: whenever the event loop wakes, it waits up to five milliseconds
for each thread that computes. More threads would not finish the work sooner.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar('T')


async def run_in_thread(work: Callable[[], T], *, long: bool = False) -> T:
    """Run `work` after earlier work of the same kind, and return its result. Short work does not wait for long work.

    The event loop of a Temporal workflow has no threads: there the work runs in place.
    """
    pool = _POOLS.get(long) or _POOLS.setdefault(long, ThreadPoolExecutor(1, 'toolscript'))
    try:
        working = asyncio.get_running_loop().run_in_executor(pool, work)
    except NotImplementedError:
        return work()
    return await working


_POOLS = dict[bool, ThreadPoolExecutor]()
# A forked child inherits the pools without their threads.
if sys.platform != 'win32':
    os.register_at_fork(after_in_child=_POOLS.clear)
