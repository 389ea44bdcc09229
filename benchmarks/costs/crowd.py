"""Many concurrent runs in one process: runs per second, the time of each, and the longest pause of the event loop."""

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
    alone_ms: list[float]
    """The times of runs one after the other."""
    runs_ms: list[float]
    """The times of the concurrent runs that succeeded."""
    failed: list[str]
    began: float
    """The start by a clock that all processes of the machine share. `ended` uses the same clock."""
    ended: float
    blocked_ms: float
    """The longest time for which the event loop ran nothing else."""


async def crowd(action: Action, at_once: int, alone: int) -> Crowd:
    """Measure `alone` runs one by one and `at_once` concurrent runs, in a warm process."""
    await asyncio.gather(*[action() for _ in range(min(at_once, _WARMING))])
    # As servers do: imported objects need not be scanned by the garbage collector again and again.
    gc.collect()
    gc.freeze()
    times = [(await _timed(action))[0] for _ in range(alone)]
    async with _beating() as longest:
        began = time.perf_counter()
        results = await asyncio.gather(*[_timed(action) for _ in range(at_once)])
        ended = time.perf_counter()
    return Crowd(
        alone_ms=times,
        runs_ms=[taken for taken, error in results if error is None],
        failed=[error for _, error in results if error is not None],
        began=began,
        ended=ended,
        blocked_ms=longest[0],
    )


async def _timed(action: Action) -> tuple[float, str | None]:
    start, error = time.perf_counter(), None
    try:
        await action()
    except Exception as raised:
        error = f'{type(raised).__name__}: {raised}'[:300]
    return (time.perf_counter() - start) * 1000, error


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
