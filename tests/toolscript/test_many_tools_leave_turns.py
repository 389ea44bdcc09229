"""A step over thousands of tools leaves turns of the event loop to others."""

import asyncio

import pytest
from pydantic_ai import Agent, Tool
from pydantic_ai.models.test import TestModel

from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset

pytestmark = [pytest.mark.anyio, pytest.mark.pydantic_ai]


async def _turns_of_others(topic: str, *, deferred: bool) -> int:
    """How many turns another task has while an agent with 3,000 tools makes one request."""

    async def work(**arguments: object) -> None:
        """Never called."""

    schema = {'type': 'object', 'properties': {'count': {'type': 'integer'}}}
    tools = [
        Tool.from_schema(work, f'{topic}_{number}', f'Handle {topic} {number}.', schema) for number in range(3_000)
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
async def test_a_first_step_over_many_tools_is_cut_into_turns(deferred: bool) -> None:
    topic = f'mail_{deferred}'.lower()
    first = await _turns_of_others(topic, deferred=deferred)
    again = await _turns_of_others(topic, deferred=deferred)
    # What is known of the same tools is not read again, so nothing has to be cut.
    assert first >= again + (2 if deferred else 12)
