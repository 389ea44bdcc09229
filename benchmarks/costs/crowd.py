"""Many concurrent runs in one process: runs per second, and the longest pause of the event loop."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TypedDict

from benchmarks.costs.cases import Action

_BEAT_SECONDS = 0.001
_WARMING = 64
"""The number of warm-up runs: as many as can have a worker at a time by default."""


class Crowd(TypedDict):
    done: int
    """The number of runs that succeeded."""
    failed: list[str]
    """The errors of the others."""
    began: float
    """The start by a clock that all processes of the machine share. `ended` uses the same clock."""
    ended: float
    blocked_ms: float
    """The longest time for which the event loop ran nothing else."""


async def crowd(action: Action, at_once: int) -> Crowd:
    """Measure `at_once` concurrent runs, in a warm process."""
    await asyncio.gather(*[action() for _ in range(min(at_once, _WARMING))])
    # As servers do: imported objects need not be scanned by the garbage collector again and again.
    gc.collect()
    gc.freeze()
    async with _beating() as longest:
        began = time.perf_counter()
        results = await asyncio.gather(*[action() for _ in range(at_once)], return_exceptions=True)
        ended = time.perf_counter()
    failed = [f'{type(error).__name__}: {error}'[:300] for error in results if isinstance(error, BaseException)]
    return Crowd(done=at_once - len(failed), failed=failed, began=began, ended=ended, blocked_ms=longest[0])


@asynccontextmanager
async def _beating() -> AsyncGenerator[list[float]]:
    """Yields the maximum delay of a heartbeat, in milliseconds."""
    longest = [0.0]

    async def beat() -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(_BEAT_SECONDS)
            longest[0] = max(longest[0], (time.perf_counter() - start - _BEAT_SECONDS) * 1000)

    beats = asyncio.ensure_future(beat())
    try:
        yield longest
    finally:
        beats.cancel()
