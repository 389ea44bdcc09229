"""The curves, each in a process of its own: `python -m benchmarks.costs.curves NAME PART SECONDS`."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from math import ceil
from statistics import median

from pydantic import TypeAdapter

from benchmarks.costs.effort import Effort
from benchmarks.costs.growth import GROWTHS, Line
from benchmarks.costs.player import milliseconds
from benchmarks.costs.players import MOST_SECONDS, ROOT, environment
from benchmarks.costs.results import Curve

_MOST, _LEAST = 15, 3
"""How often each size is measured."""
_LONG = 1500.0
"""Milliseconds."""
_MOST_MS = 30_000.0
"""What the largest size of a line may take, as far as the size before it tells."""
_SHORTEST = 3
"""Sizes, for a line to have an order."""


def curve(name: str, effort: Effort) -> Curve:
    """One of `GROWTHS`, measured. Raises `RuntimeError` if that fails, and `TimeoutExpired`."""
    if not effort.apart:
        return asyncio.run(measured(name, effort.shortest, effort.seconds))
    command = [sys.executable, '-m', 'benchmarks.costs.curves', name, str(effort.shortest), str(effort.seconds)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False, timeout=MOST_SECONDS
    )
    if done.returncode:
        raise RuntimeError(f'The curve {name} broke off: {done.stderr.strip()[-500:]}')
    return _CURVE.validate_json(done.stdout)


async def measured(name: str, part: float, seconds: float) -> Curve:
    """The part of the curve with the smallest sizes."""
    growth = GROWTHS[name]
    lines = {label: await _line(line, part, seconds) for label, line in growth.lines.items()}
    return Curve(name, growth.name, growth.x, lines)


async def _line(line: Line, part: float, seconds: float) -> dict[int, list[float]]:
    sizes = line.sizes[: max(_SHORTEST, ceil(len(line.sizes) * part))]
    found = dict[int, list[float]]()
    for size in sizes:
        before = max(found, default=size)
        if before in found and median(found[before]) * size / before > _MOST_MS:
            # A slow machine gets a shorter curve, whose last size is told with it.
            break
        found[size] = await _times(line, size, seconds)
    return found


async def _times(line: Line, size: int, seconds: float) -> list[float]:
    """Milliseconds, once it is warm; what takes long is done once more, and no oftener."""
    if line.again:
        async with line.at(size) as action:
            first = await milliseconds(action)
            if first > _LONG:
                return [await milliseconds(action)]
            return await _repeated(lambda: milliseconds(action), seconds)

    async def fresh() -> float:
        async with line.at(size) as action:
            return await milliseconds(action)

    return await _repeated(fresh, seconds)


async def _repeated(measure: Callable[[], Awaitable[float]], seconds: float) -> list[float]:
    times, end = list[float](), time.perf_counter() + seconds
    while len(times) < _LEAST or (len(times) < _MOST and time.perf_counter() < end):
        times.append(await measure())
    return times


_CURVE = TypeAdapter(Curve)

if __name__ == '__main__':
    print(_CURVE.dump_json(asyncio.run(measured(sys.argv[1], float(sys.argv[2]), float(sys.argv[3])))).decode())
