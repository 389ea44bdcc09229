"""Work on threads beside the event loop: one thread for what is short, and one for what is long.

Threads of one interpreter compute by turns, and the event loop takes its turn among them: whenever it comes back from
waiting, it waits five milliseconds for each thread that computes. More threads would get nothing done sooner.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar('T')


async def run_in_thread(work: Callable[[], T], *, long: bool = False) -> T:
    """What `work` gives, after what came before it. What is short does not wait for what is long.

    The event loop of a Temporal workflow has no threads: there it is done in place.
    """
    pool = _POOLS.get(long) or _POOLS.setdefault(long, ThreadPoolExecutor(1, 'toolscript'))
    try:
        working = asyncio.get_running_loop().run_in_executor(pool, work)
    except NotImplementedError:
        return work()
    return await working


_POOLS = dict[bool, ThreadPoolExecutor]()
# A forked child has the pools but none of their threads.
if sys.platform != 'win32':
    os.register_at_fork(after_in_child=_POOLS.clear)
