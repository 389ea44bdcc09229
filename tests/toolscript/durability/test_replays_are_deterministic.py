"""Engines that replay a run number its steps: an ordered script makes the same calls in the same order every time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai.tool_manager import ToolManager

from tests.toolscript.scripted import play, run_code
from toolscript import CodeModeToolset, FunctionToolset
from toolscript_sandbox import Call, Completed, Deferred, Function, Sandbox, Suspended

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

CHAINS = """
import asyncio
async def chain(n):
    await step(n, 0)
    if n == 2:
        await asyncio.sleep(0.002)
    await asyncio.gather(step(n, 1), step(n, 2))
    return await step(n, 3)
await asyncio.gather(*[chain(n) for n in range(4)])
"""


class Steps:
    """One function, whatever it takes."""

    def get(self, name: str, /) -> Function | None:
        """The function."""
        return Function('step', 'async def step(n: int, stage: int) -> int: ...\n') if name == 'step' else None

    def hint(self, name: str, /) -> str | None:
        """Nothing to say."""


async def calls_of_a_run(delay: Callable[[], float]) -> list[tuple[Any, ...]]:
    made: list[tuple[Any, ...]] = []

    async def dispatch(call: Call) -> int:
        made.append(call.args)
        await asyncio.sleep(delay())
        return 1

    async with Sandbox.shared().session(ordered=True) as session:
        outcome = await session.run(CHAINS, Steps(), dispatch)
    assert isinstance(outcome, Completed)
    assert outcome.value == [1, 1, 1, 1]
    return made


async def test_which_call_ends_first_makes_no_difference() -> None:
    random = Random(0)
    runs = [await calls_of_a_run(lambda: random.random() / 200) for _ in range(5)]
    runs.append(await calls_of_a_run(lambda: 0))
    assert len({tuple(run) for run in runs}) == 1
    assert runs[0][:4] == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert len(runs[0]) == 16


async def test_an_ordered_script_pauses_and_goes_on() -> None:
    async def asks(call: Call) -> int:
        if call.args == (1, 0):
            raise Deferred
        return 1

    async with Sandbox.shared().session(ordered=True) as session:
        outcome = await session.run(CHAINS, Steps(), asks)
    assert isinstance(outcome, Suspended)
    assert [waiting.call.args for waiting in outcome.waiting] == [(1, 0)]
    assert sum(record.status == 'finished' for record in outcome.calls) == 12

    async def answers(call: Call) -> int:
        return 1

    async with Sandbox.shared().session(ordered=True) as session:
        resumed = await session.resume(outcome.state, Steps(), answers)
    assert isinstance(resumed, Completed)
    assert resumed.value == [1, 1, 1, 1]


async def test_a_run_with_ordered_events_has_ordered_scripts() -> None:
    made: list[int] = []

    async def step(n: int, stage: int) -> int:
        made.append(10 * n + stage)
        await asyncio.sleep(0.004 - n / 1000)
        return n

    with ToolManager[object].parallel_execution_mode('parallel_ordered_events'):
        script = await play(CodeModeToolset(FunctionToolset[object]([step])), run_code(CHAINS))
    assert script.answers == [[0, 1, 2, 3]]
    assert made == snapshot([0, 10, 20, 30, 1, 2, 11, 12, 31, 32, 3, 13, 21, 22, 33, 23])
