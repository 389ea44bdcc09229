"""A model reads the result of a snippet for what it is, on every wire."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.models.fallback import FallbackModel

from tests.providers.json_values import mappings
from tests.providers.loopback import loopback
from tests.providers.replies import Call, reply
from tests.toolscript.scripted import play, run_code
from tests.wires.office import in_turn
from toolscript import CodeModeToolset, FunctionToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

EVERY_WIRE = pytest.mark.parametrize('name', ['anthropic:claude-haiku-4-5', 'responses:gpt-5.4', 'chat:gpt-5.4'])

VALUES = ['None', "''", '[]', "['']", '{}', '0', 'False', "['a', 'b']", "'ab'", '[[1]]', '[1]', '1', "[{'a': []}]"]


def shop() -> CodeModeToolset[object]:
    def camera() -> list[str | BinaryContent]:
        return ['front', BinaryContent(b'\x89PNG', media_type='image/png')]

    return CodeModeToolset(FunctionToolset[object]([camera]))


@EVERY_WIRE
async def test_no_two_results_read_alike(name: str) -> None:
    calls = [Call('run_code', {'code': value}) for value in VALUES]
    with loopback(in_turn(reply(*calls), reply('Done.'))) as wires:
        await Agent(wires.named(name), toolsets=[shop()]).run('go')
    assert wires.refusals == []
    results = [line.text for line in wires.requests[1].reading.lines if line.role == 'result']
    assert results == snapshot(
        ['null', '""', '[]', '[""]', '{}', '0', 'false', '["a","b"]', 'ab', '[[1]]', '[1]', '1', '[{"a":[]}]']
    )


async def test_a_fallback_model_is_sent_what_its_models_read() -> None:
    with loopback(in_turn(reply(Call('run_code', {'code': "['a']"})), reply('Done.'))) as wires:
        model = FallbackModel(wires.named('anthropic:claude-haiku-4-5'), wires.named('chat:gpt-5.4'))
        await Agent(model, toolsets=[shop()]).run('go')
    assert [line.text for line in wires.requests[1].reading.lines if line.role == 'result'] == ['["a"]']


async def test_files_travel_as_files() -> None:
    with loopback(in_turn(reply(Call('run_code', {'code': 'await camera()'})), reply('Done.'))) as wires:
        await Agent(wires.named('anthropic:claude-haiku-4-5'), toolsets=[shop()]).run('go')
    assert wires.refusals == []
    [result] = mappings(mappings(wires.requests[1].body['messages'])[-1]['content'])
    assert [block['type'] for block in mappings(result['content'])] == ['text', 'image']


async def test_a_test_model_sees_the_values_themselves() -> None:
    script = await play(shop(), run_code('[]'), run_code("['a']"), run_code("''"), run_code('None'))
    assert script.answers == [[], ['a'], '', None]
