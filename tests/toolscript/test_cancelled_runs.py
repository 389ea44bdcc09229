"""Whoever cancels an agent's run has it back at once, whatever its script is doing."""

import asyncio

import pytest
from pydantic_ai import Agent
from pydantic_ai.toolsets import FunctionToolset

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, Limits

pytestmark = pytest.mark.anyio

_AN_HOUR = Limits(script_seconds=3600)


@pytest.mark.parametrize('code', ['while True: pass', 'await started()\nwhile True: pass', 'await forever()'])
async def test_a_cancelled_run_does_not_wait_for_its_script(code: str) -> None:
    begun = asyncio.Event()

    async def started() -> None:
        begun.set()

    async def forever() -> None:
        begun.set()
        await asyncio.Event().wait()

    toolset = FunctionToolset[object]([started, forever])
    agent = Agent(Script([run_code(code)]).model, toolsets=[CodeModeToolset(toolset, limits=_AN_HOUR)])
    run = asyncio.create_task(agent.run('go'))
    if 'await' in code:
        await begun.wait()
    else:
        await asyncio.sleep(0.5)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        # An hour for one that waits; how long for one that does not depends on the machine.
        await asyncio.wait_for(run, 300)
    again = Agent(Script([run_code('1 + 1')]).model, toolsets=[CodeModeToolset(toolset)])
    assert (await again.run('go')).output == 'done'
