"""What a call of a script takes of this project's own functions, counted: a bound for each, however many there are."""

import sys
from pathlib import Path
from types import FrameType

import pytest
from pydantic_ai import Agent, FunctionToolset

import toolscript
import toolscript_sandbox
import toolscript_signatures
from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset

pytestmark = pytest.mark.anyio

OWN = tuple(
    str(Path(package.__file__ or '').parent) for package in (toolscript, toolscript_sandbox, toolscript_signatures)
)
LOOP = 'for n in range({calls}):\n    total = await add(a=n, b=2)\ntotal'
GATHER = 'import asyncio\nlen(await asyncio.gather(*[add(a=n, b=2) for n in range({calls})]))'


async def _own_calls(code: str) -> int:
    """How many functions are called by functions of this project while an agent runs a script."""
    tools = FunctionToolset[object]()

    @tools.tool_plain
    async def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    script = Script([run_code(code)])
    agent = Agent(script.model, toolsets=[CodeModeToolset(tools)])
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call') and frame.f_code.co_filename.startswith(OWN)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        await agent.run('go')
    finally:
        sys.setprofile(before)
    assert isinstance(script.answers[0], int), script.answers
    return count


@pytest.mark.parametrize(('code', 'most'), [(LOOP, 265), (GATHER, 270)])
async def test_a_nested_call_takes_a_bounded_number_of_calls(code: str, most: int) -> None:
    await _own_calls(code.format(calls=1))
    few, many = [await _own_calls(code.format(calls=calls)) for calls in (50, 150)]
    assert many - few < 100 * most
