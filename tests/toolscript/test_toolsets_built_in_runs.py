"""Code mode in a toolset that a function builds, for which upstream makes no copy per run."""

import asyncio
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, UserError
from pydantic_ai.toolsets import FunctionToolset

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def code_mode() -> CodeModeToolset[Any]:
    def add(a: int, b: int) -> int:
        return a + b

    return CodeModeToolset(FunctionToolset[Any]([add]))


async def test_a_toolset_built_for_a_run_keeps_its_variables() -> None:
    script = Script([run_code('x = await add(1, 2)'), run_code('x + 1')])
    agent = Agent(script.model)
    agent.toolset(per_run_step=False)(lambda ctx: code_mode())
    await agent.run('go')
    assert script.answers == [3, 4]


async def test_runs_that_share_a_toolset_share_no_variables() -> None:
    shared = code_mode()

    async def one(n: int) -> list[Any]:
        script = Script([run_code(f'x = {n}\nawait asyncio.sleep(0.01)\nx'), run_code('x')])
        agent = Agent(script.model)
        agent.toolset(lambda ctx: shared)
        await agent.run('go')
        return script.answers

    assert await asyncio.gather(*map(one, range(4))) == [[n, n] for n in range(4)]
    assert await one(9) == [9, 9]


async def test_two_code_modes_side_by_side_are_refused_with_what_to_do() -> None:
    with pytest.raises(UserError) as refused:
        await Agent('test', toolsets=[code_mode(), code_mode()]).run('go')
    assert str(refused.value).partition("'run_code'. ")[2] == snapshot(
        'One run_code serves a whole agent: wrap the toolsets together, CodeModeToolset(CombinedToolset([...])), or '
        'give one code mode another name with .prefixed(...).'
    )
