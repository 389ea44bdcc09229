"""What a run held goes with it: nothing of this project's waits for Python's garbage collector, which stops everybody."""

import gc

import pytest
from pydantic_ai import Agent

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, FunctionToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

LOOP = 'total = 0\nfor n in range(3):\n    total = await add(a=total, b={n})\ntotal'
GATHER = 'import asyncio\nsum(await asyncio.gather(*[add(a=n, b={n}) for n in range(3)]))'
WRONG_TYPE = 'await add(a="no number", b={n})'
FAILING = 'print({n})\n1 // 0'


@pytest.mark.parametrize('code', [LOOP, GATHER, WRONG_TYPE, FAILING])
async def test_a_run_that_is_over_is_gone_at_once(code: str) -> None:
    await _run(code.format(n=1))
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        # A text of its own: nothing of it is kept from before.
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
        """Add two numbers."""
        return a + b

    script = Script([run_code(code)])
    agent = Agent(script.model, deps_type=object, toolsets=[CodeModeToolset(toolset)])
    await agent.run('go')
