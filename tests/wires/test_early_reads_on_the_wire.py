"""On every wire, reads start while the script is still on its way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable

import pytest
from pydantic_ai import Agent, RunContext, Tool, ToolReturnPart
from pydantic_ai.capabilities import Hooks
from pydantic_ai.messages import AgentStreamEvent, ModelRequest, PartDeltaEvent, PartStartEvent
from pydantic_ai.toolsets import FunctionToolset

from tests.providers.loopback import loopback
from tests.providers.replies import Call, reply
from tests.wires.office import in_turn
from toolscript import CodeModeToolset, SpeculativeReads
from toolscript.scripts.speculation import SpeculationCounts

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

CODE = f"""\
first, second = await asyncio.gather(get('ä'), get('\\n'))
{'#' * 300}
[first, second]"""


@pytest.mark.parametrize('name', ['anthropic:claude-haiku-4-5', 'responses:gpt-5.4', 'chat:gpt-5.4'])
async def test_a_read_begins_before_its_script_has_come(name: str) -> None:
    begun = asyncio.Event()

    async def get(key: str) -> str:
        begun.set()
        return key

    hooks = Hooks[object]()

    @hooks.on.run_event_stream
    async def held(
        ctx: RunContext[object], *, stream: AsyncIterable[AgentStreamEvent]
    ) -> AsyncIterable[AgentStreamEvent]:
        """The events; none comes behind the first half of the script before the read has begun."""
        async for event in stream:
            yield event
            written = event.part if isinstance(event, PartStartEvent) else None
            written = event.delta if isinstance(event, PartDeltaEvent) else written
            if '##' in repr(written):
                await asyncio.wait_for(begun.wait(), 300)

    early, tools = SpeculativeReads[object](), FunctionToolset[object]([Tool(get, metadata={'read_only': True})])
    with loopback(in_turn(reply(Call('run_code', {'code': CODE})), reply('Done.'))) as wires:
        agent = Agent(wires.named(name), toolsets=[CodeModeToolset(tools)], capabilities=[hooks, early])
        result = await agent.run('go')
    assert wires.refusals == []
    assert early.counts == SpeculationCounts(started=2, used=2)
    requests = [message for message in result.all_messages() if isinstance(message, ModelRequest)]
    [returned] = [part for part in requests[-1].parts if isinstance(part, ToolReturnPart)]
    assert returned.content == '["ä","\\n"]'
    assert all(request.streams for request in wires.requests)
