"""A process in the environment of one side, which answers requests: `python -m benchmarks.costs.player SIDE`.

Requests and answers are lines of JSON. A request is `{"do": NAME, ...}`. The first answer is sent without a request and
lists the packages.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from importlib.metadata import version
from typing import Any, TypeAlias

from benchmarks.costs.cases import Action
from benchmarks.costs.crowd import Crowd, crowd
from benchmarks.costs.sides.all_sides import SIDES, Side
from benchmarks.costs.sides.runs import Runs

Operation: TypeAlias = Callable[..., Awaitable[object]]


async def play(side: Side) -> None:
    """Answer requests until the input ends."""
    async with import_module(f'benchmarks.costs.sides.{side.module}').runs() as runs:
        operations = operations_of(runs)
        _send({package: version(package) for package in side.packages})
        while line := await asyncio.to_thread(sys.stdin.readline):
            request: dict[str, Any] = json.loads(line)
            _send(await operations[request.pop('do')](**request))


def operations_of(runs: Runs) -> dict[str, Operation]:
    async def case(name: str) -> float:
        return await milliseconds(runs.cases[name])

    async def first() -> float:
        """Measure a process's first script, minus its next direct call."""
        await runs.cases['direct']()
        return await milliseconds(runs.cases['trivial']) - await milliseconds(runs.cases['direct'])

    async def first_floor() -> float:
        return await milliseconds(runs.cases['raw'])

    async def many(at_once: int) -> Crowd:
        return await crowd(runs.crowd, at_once)

    async def many_direct(at_once: int) -> Crowd:
        assert runs.direct_crowd is not None
        return await crowd(runs.direct_crowd, at_once)

    return {'case': case, 'first': first, 'first floor': first_floor, 'crowd': many, 'direct crowd': many_direct}


async def milliseconds(action: Action) -> float:
    start = time.perf_counter()
    await action()
    return (time.perf_counter() - start) * 1000


def _send(answer: object) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == '__main__':
    asyncio.run(play(SIDES[sys.argv[1]]))
