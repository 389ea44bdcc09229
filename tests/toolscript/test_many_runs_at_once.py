"""Simultaneous runs share the event loop, start the sandbox in advance, and leave nothing behind."""

import asyncio
import gc
import threading
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from pydantic_ai import Agent, RunContext, Tool
from pydantic_ai.models.test import TestModel
from pydantic_ai.toolsets import AbstractToolset, WrapperToolset

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, FunctionToolset, Sandbox, SearchableToolset
from toolscript.routing.placement import AllowedCallers

SOME = 6
"""The least number of turns of the event loop for earlier runs."""


@dataclass
class Beginnings(WrapperToolset[None]):
    """Records the turn of the event loop in which each run starts."""

    turns: list[int] = field(default_factory=list)
    now: int = 0

    def count(self) -> None:
        self.now += 1
        self.handle = asyncio.get_running_loop().call_soon(self.count)

    async def for_run(self, ctx: RunContext[None]) -> AbstractToolset[None]:
        self.turns.append(self.now)
        return await super().for_run(ctx)


async def test_simultaneous_runs_leave_turns_to_each_other() -> None:
    shop = FunctionToolset[None]()

    @shop.tool_plain
    def price() -> int:
        return 1

    began = Beginnings(shop)
    agent = Agent(TestModel(call_tools=[]), deps_type=type(None), toolsets=[CodeModeToolset(began)])
    began.count()
    await asyncio.gather(*[agent.run('go') for _ in range(5)])
    began.handle.cancel()
    assert len(began.turns) == 5
    assert all(later - earlier >= SOME for earlier, later in pairwise(began.turns)), began.turns


async def _turns_of_others(topic: str, *, deferred: bool) -> int:
    """Return how many turns another task has while an agent with 1,000 tools makes one request."""

    async def work(**arguments: object) -> None:
        """Never called."""

    schema = {'type': 'object', 'properties': {'count': {'type': 'integer'}}}
    tools = [
        Tool.from_schema(work, f'{topic}_{number}', f'Handle {topic} {number}.', schema) for number in range(1_000)
    ]
    for tool in tools:
        tool.defer_loading = deferred
    toolset = CodeModeToolset(SearchableToolset(FunctionToolset(tools)))
    agent = Agent(TestModel(call_tools=[]), toolsets=[toolset])
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    beside = asyncio.create_task(other())
    await agent.run(f'handle the {topic}')
    beside.cancel()
    return turns


@pytest.mark.parametrize('deferred', [True, False])
async def test_a_first_step_over_many_tools_is_divided_into_turns(deferred: bool) -> None:
    topic = f'mail_{deferred}'.lower()
    first = await _turns_of_others(topic, deferred=deferred)
    again = await _turns_of_others(topic, deferred=deferred)
    # Known tools are not read again, so no work has to be divided.
    assert first >= again + (2 if deferred else 12)


LOOP = 'total = 0\nfor n in range(3):\n    total = await add(a=total, b={n})\ntotal'
GATHER = 'import asyncio\nsum(await asyncio.gather(*[add(a=n, b={n}) for n in range(3)]))'
WRONG_TYPE = 'await add(a="no number", b={n})'
FAILING = 'print({n})\n1 // 0'


@pytest.mark.parametrize('code', [LOOP, GATHER, WRONG_TYPE, FAILING])
async def test_a_finished_run_is_freed_at_once(code: str) -> None:
    await _run(code.format(n=1))
    gc.collect()
    gc.freeze()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        # A unique text, which no cache holds.
        await _run(code.format(n=2))
        gc.collect()
        left = {f'{type(thing).__module__}.{type(thing).__qualname__}' for thing in gc.garbage}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert [name for name in sorted(left) if name.startswith('toolscript')] == []


async def _run(code: str) -> None:
    toolset = FunctionToolset[object]()

    @toolset.tool
    async def add(a: int, b: int) -> int:
        return a + b

    script = Script([run_code(code)])
    agent = Agent(script.model, deps_type=object, toolsets=[CodeModeToolset(toolset)])
    await agent.run('go')


def _agent(sandbox: Sandbox, callers: AllowedCallers, *turns: str) -> Agent[object, str]:
    def add(a: int, b: int) -> int:
        return a + b

    tools = CodeModeToolset(
        FunctionToolset[object]([add]).with_metadata(allowed_callers=callers), sandbox=sandbox, default_callers='direct'
    )
    return Agent(Script([run_code(code) for code in turns]).model, deps_type=object, toolsets=[tools])


async def test_a_run_that_offers_code_starts_workers_before_the_model_sends_a_script() -> None:
    sandbox = Sandbox()
    await _agent(sandbox, 'code').run('go')
    # Only its own thread does it.
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


async def test_an_early_script_waits_for_the_running_start() -> None:
    async with asyncio.timeout(300):
        sandbox = Sandbox()
        # A text that no other test has checked: checks are cached.
        await _agent(sandbox, 'code', 'await add(a=2_718, b=2)').run('go')
        # One to warm the checker, and that of the script.
        assert sandbox.stats.checks == 2
        await sandbox.close()
