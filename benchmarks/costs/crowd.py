"""Many runs at once in one process: how many a second, how long each takes, and the longest turn of the event loop."""

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
"""Runs before: as many as have a worker at a time by default."""


class Crowd(TypedDict):
    """What came of a crowd."""

    alone_ms: list[float]
    """Runs one after the other."""
    runs_ms: list[float]
    """Those at once that ended well."""
    failed: list[str]
    began: float
    """By a clock that all processes of the machine share, as is `ended`."""
    ended: float
    blocked_ms: float
    """The longest time for which nothing else on the event loop had its turn."""


async def crowd(action: Action, at_once: int, alone: int) -> Crowd:
    """So many runs at once, once the process is warm, beside runs that are alone."""
    await asyncio.gather(*[action() for _ in range(min(at_once, _WARMING))])
    # As servers do: what was imported is none of what the garbage collector has to look through again and again.
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
    """Milliseconds by which a beat was late at most."""
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
