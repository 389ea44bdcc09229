"""The sandbox starts while the model thinks, once a run offers it code."""

import asyncio
import threading

import pytest
from pydantic_ai import Agent
from pydantic_ai.toolsets import FunctionToolset

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, Sandbox
from toolscript.routing.callers import AllowedCallers

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def _agent(sandbox: Sandbox, callers: AllowedCallers, *turns: str) -> Agent[object, str]:
    def add(a: int, b: int) -> int:
        return a + b

    tools = CodeModeToolset(
        FunctionToolset[object]([add]).with_metadata(allowed_callers=callers), sandbox=sandbox, default_callers='direct'
    )
    return Agent(Script([run_code(code) for code in turns]).model, deps_type=object, toolsets=[tools])


async def test_a_run_that_offers_code_starts_it_though_the_model_sends_none() -> None:
    sandbox = Sandbox()
    await _agent(sandbox, 'code').run('go')
    # A thread of its own does it, and nobody else has.
    starts = [thread for thread in threading.enumerate() if thread.name == 'toolscript-start']
    await asyncio.gather(*[asyncio.to_thread(thread.join) for thread in starts])
    assert (sandbox.stats.checks, sandbox.stats.workers_idle) == (1, 1)
    await sandbox.close()
    assert sandbox.stats.workers_idle == 0


async def test_a_run_without_code_starts_nothing() -> None:
    sandbox = Sandbox()
    await _agent(sandbox, 'direct').run('go')
    await sandbox.close()
    assert sandbox.stats.checks == 0


async def test_a_script_that_comes_at_once_waits_for_the_start_that_is_under_way() -> None:
    async with asyncio.timeout(300):
        sandbox = Sandbox()
        # A text that no other test has had checked: checks are cached.
        await _agent(sandbox, 'code', 'await add(a=2_718, b=2)').run('go')
        # One to warm the checker, and that of the script.
        assert sandbox.stats.checks == 2
        await sandbox.close()
