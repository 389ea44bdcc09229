"""What a model reads of variables of earlier turns is at the end of what every provider is sent."""

from __future__ import annotations

import json

import pytest
from pydantic_ai import Agent, ModelMessage, ModelSettings

from tests.providers.loopback import loopback
from tests.providers.replies import Call, reply
from tests.wires.office import in_turn
from toolscript import CodeModeToolset, FunctionToolset, Sessions
from toolscript.testing import prefix_changes

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

LINE = 'Variables of earlier turns are set in run_code: customers: list of 210; result_1: int.'


def look(n: int) -> int:
    """Look something up."""
    return n


@pytest.mark.parametrize('name', ['anthropic:claude-haiku-4-5', 'responses:gpt-5.4', 'chat:gpt-5.4'])
async def test_the_line_changes_no_byte_that_was_sent(name: str) -> None:
    code = CodeModeToolset(FunctionToolset[object]([look]), sessions=Sessions())
    history = list[ModelMessage]()
    turns = [
        [reply('Hello.')],
        [reply(Call('run_code', {'code': 'customers = list(range(210))\nlen(customers)'})), reply('Done.')],
        [reply(Call('run_code', {'code': 'customers[0]'})), reply('Done.')],
        [reply('Bye.')],
    ]
    with loopback(in_turn(*(answer for turn in turns for answer in turn))) as wires:
        # Otherwise, newer versions of pydantic-ai explain appended lines to some models from the first of them on.
        settings: ModelSettings = {'framing_announcement': 'always'}
        agent = Agent(wires.named(name), toolsets=[code], instructions='Be brief.', model_settings=settings)
        for _ in turns:
            result = await agent.run('go', message_history=history)
            history = result.all_messages()
    assert wires.refusals == []
    bodies = [json.dumps(request.body).encode() for request in wires.requests]
    assert prefix_changes(bodies) == []
    told = [LINE in body.decode() for body in bodies]
    assert told == [False, False, False, True, True, True]
