"""Many runs that come at once begin one after the other, so that those before them continue."""

import asyncio
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from pydantic_ai import Agent, RunContext
from pydantic_ai.models.test import TestModel
from pydantic_ai.toolsets import AbstractToolset, WrapperToolset

from toolscript import CodeModeToolset, FunctionToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

SOME = 6
"""Turns of the event loop in which the runs before have room, at least."""


@dataclass
class Beginnings(WrapperToolset[None]):
    """Notes the turn of the event loop in which each run begins."""

    turns: list[int] = field(default_factory=list)
    now: int = 0

    def count(self) -> None:
        self.now += 1
        self.handle = asyncio.get_running_loop().call_soon(self.count)

    async def for_run(self, ctx: RunContext[None]) -> AbstractToolset[None]:
        self.turns.append(self.now)
        return await super().for_run(ctx)


async def test_runs_that_come_at_once_leave_each_other_turns() -> None:
    shop = FunctionToolset[None]()

    @shop.tool_plain
    def price() -> int:
        """What it costs."""
        return 1

    began = Beginnings(shop)
    agent = Agent(TestModel(call_tools=[]), deps_type=type(None), toolsets=[CodeModeToolset(began)])
    began.count()
    await asyncio.gather(*[agent.run('go') for _ in range(5)])
    began.handle.cancel()
    assert len(began.turns) == 5
    assert all(later - earlier >= SOME for earlier, later in pairwise(began.turns)), began.turns
