"""Early reads, results, and the line about earlier variables, on the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, BinaryContent, ModelMessage, ModelSettings, RunContext, Tool, ToolReturnPart
from pydantic_ai.capabilities import Hooks
from pydantic_ai.messages import AgentStreamEvent, ModelRequest, PartDeltaEvent, PartStartEvent
from pydantic_ai.models.fallback import FallbackModel

from tests.providers.json_values import mappings
from tests.providers.loopback import loopback
from tests.providers.replies import Call, reply
from tests.toolscript.scripted import play, run_code
from tests.wires.office import EVERY_WIRE, in_turn
from toolscript import CodeModeToolset, FunctionToolset, Sessions, SpeculativeReads
from toolscript.scripts.speculation import SpeculationCounts
from toolscript.testing import prefix_changes

pytestmark = pytest.mark.pydantic_ai


CODE = f"""\
first, second = await asyncio.gather(get('ä'), get('\\n'))
{'#' * 300}
[first, second]"""


@EVERY_WIRE
async def test_a_read_starts_before_its_script_has_arrived(name: str) -> None:
    begun = asyncio.Event()

    async def get(key: str) -> str:
        begun.set()
        return key

    hooks = Hooks[object]()

    @hooks.on.run_event_stream
    async def held(
        ctx: RunContext[object], *, stream: AsyncIterable[AgentStreamEvent]
    ) -> AsyncIterable[AgentStreamEvent]:
        """Yield the events; the rest of the script follows after the read has started."""
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
    assert early.counts == SpeculationCounts(started=2, used=2)
    requests = [message for message in result.all_messages() if isinstance(message, ModelRequest)]
    [returned] = [part for part in requests[-1].parts if isinstance(part, ToolReturnPart)]
    assert returned.content == '["ä","\\n"]'
    assert all(request.streams for request in wires.requests)


VALUES = ['None', "''", '[]', "['']", '{}', '0', 'False', "['a', 'b']", "'ab'", '[[1]]', '[1]', '1', "[{'a': []}]"]


def shop() -> CodeModeToolset[object]:
    def camera() -> list[str | BinaryContent]:
        return ['front', BinaryContent(b'\x89PNG', media_type='image/png')]

    return CodeModeToolset(FunctionToolset[object]([camera]))


@EVERY_WIRE
async def test_no_two_results_look_alike(name: str) -> None:
    calls = [Call('run_code', {'code': value}) for value in VALUES]
    with loopback(in_turn(reply(*calls), reply('Done.'))) as wires:
        await Agent(wires.named(name), toolsets=[shop()]).run('go')
    results = [line.text for line in wires.requests[1].reading.lines if line.role == 'result']
    assert results == snapshot(
        ['null', '""', '[]', '[""]', '{}', '0', 'false', '["a","b"]', 'ab', '[[1]]', '[1]', '1', '[{"a":[]}]']
    )


async def test_a_fallback_model_receives_what_its_models_read() -> None:
    with loopback(in_turn(reply(Call('run_code', {'code': "['a']"})), reply('Done.'))) as wires:
        model = FallbackModel(wires.named('anthropic:claude-haiku-4-5'), wires.named('chat:gpt-5.4'))
        await Agent(model, toolsets=[shop()]).run('go')
    assert [line.text for line in wires.requests[1].reading.lines if line.role == 'result'] == ['["a"]']


async def test_files_are_sent_as_files() -> None:
    with loopback(in_turn(reply(Call('run_code', {'code': 'await camera()'})), reply('Done.'))) as wires:
        await Agent(wires.named('anthropic:claude-haiku-4-5'), toolsets=[shop()]).run('go')
    [result] = mappings(mappings(wires.requests[1].body['messages'])[-1]['content'])
    assert [block['type'] for block in mappings(result['content'])] == ['text', 'image']


async def test_a_test_model_sees_the_values_themselves() -> None:
    script = await play(shop(), run_code('[]'), run_code("['a']"), run_code("''"), run_code('None'))
    assert script.answers == [[], ['a'], '', None]


LINE = 'Variables of earlier turns are set in run_code: customers: list of 210; result_1: int.'


def look(n: int) -> int:
    """Look something up."""
    return n


@EVERY_WIRE
async def test_the_line_of_variables_changes_no_byte_that_was_sent(name: str) -> None:
    code = CodeModeToolset(FunctionToolset[object]([look]), sessions=Sessions())
    history = list[ModelMessage]()
    turns = [
        [reply('Hello.')],
        [reply(Call('run_code', {'code': 'customers = list(range(210))\nlen(customers)'})), reply('Done.')],
        [reply(Call('run_code', {'code': 'customers[0]'})), reply('Done.')],
        [reply('Bye.')],
    ]
    with loopback(in_turn(*(answer for turn in turns for answer in turn))) as wires:
        # Otherwise newer versions of pydantic-ai explain appended lines to some models from the first one on.
        settings: ModelSettings = {'framing_announcement': 'always'}
        agent = Agent(wires.named(name), toolsets=[code], instructions='Be brief.', model_settings=settings)
        for _ in turns:
            result = await agent.run('go', message_history=history)
            history = result.all_messages()
    bodies = [json.dumps(request.body).encode() for request in wires.requests]
    assert prefix_changes(bodies) == []
    shown = [LINE in body.decode() for body in bodies]
    assert shown == [False, False, False, True, True, True]
