"""The prefix helper's report about two requests."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic import JsonValue
from pydantic_ai import Agent, RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import ToolDefinition

from toolscript.testing import PrefixChange, RecordingModel, RequestPrefix, prefix_changes, wire_prefix

TOOL: dict[str, JsonValue] = {'name': 'add', 'description': 'Add.'}
LATE: dict[str, JsonValue] = {'name': 'late'}


def request(*said: str, tools: list[dict[str, JsonValue]] | None = None, system: str = 'Be brief.') -> bytes:
    messages = [{'role': 'user', 'content': text} for text in said]
    return json.dumps({'tools': tools or [TOOL], 'system': system, 'messages': messages}).encode()


def test_a_change_reports_its_place_and_the_old_text() -> None:
    assert prefix_changes([request('a'), request('a', tools=[{**TOOL, 'description': 'Adds.'}])]) == snapshot(
        [PrefixChange(step=1, section='tools', byte=32, before='."}', after='s."}')]
    )


def test_each_section_reports_its_own_change() -> None:
    changes = prefix_changes([request('a'), request('b', tools=[TOOL, LATE], system='Be kind.')])
    assert changes == snapshot(
        [
            PrefixChange(step=1, section='tools', byte=36, before='', after='{"name":"late"}'),
            PrefixChange(step=1, section='system', byte=40, before='brief."', after='kind."'),
            PrefixChange(step=1, section='messages', byte=74, before='a"}', after='b"}'),
        ]
    )


def test_a_deferred_tool_is_not_part_of_the_prefix() -> None:
    assert prefix_changes([request('a'), request('a', tools=[TOOL, {**LATE, 'defer_loading': True}])]) == []


def test_a_cache_marker_is_not_part_of_the_prefix() -> None:
    assert prefix_changes([request('a'), request('a', tools=[{**TOOL, 'cache_control': {'type': 'ephemeral'}}])]) == []


@pytest.mark.parametrize('instructions', ['instructions', 'system'])
def test_each_wire_names_the_same_sections_in_its_own_words(instructions: str) -> None:
    body: dict[str, JsonValue] = {'tools': [TOOL], instructions: 'Be brief.', 'input': 'Hello'}
    assert wire_prefix(body) == RequestPrefix(('{"name":"add","description":"Add."}',), ('"Be brief."',), ('"Hello"',))


ENTRIES = st.lists(st.text(), max_size=4).map(tuple)
PREFIXES = st.builds(RequestPrefix, tools=ENTRIES, system=ENTRIES, messages=ENTRIES)


@given(PREFIXES, PREFIXES)
def test_no_change_means_that_every_earlier_byte_is_the_same(earlier: RequestPrefix, later: RequestPrefix) -> None:
    kept = (later.tools, later.system, later.messages[: len(earlier.messages)])
    unchanged = kept == (earlier.tools, earlier.system, earlier.messages)
    assert (prefix_changes([earlier, later]) == []) == unchanged


async def _one_call(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
    return ModelResponse([TextPart('Done.')] if len(messages) > 2 else [ToolCallPart('add', {'a': 1})])


def _agent(model: RecordingModel, descriptions: list[str]) -> Agent[None, str]:
    agent = Agent(model, instructions='Be brief.')

    async def prepare(_ctx: RunContext[object], tool_def: ToolDefinition) -> ToolDefinition:
        tool_def.description = descriptions[len(model.requests)]
        return tool_def

    def add(a: int) -> int:
        """Add one."""
        return a + 1

    agent.tool_plain(prepare=prepare)(add)
    return agent


@pytest.mark.parametrize('streams', [False, True])
async def test_a_recording_model_shows_what_a_run_changed(streams: bool) -> None:
    model = RecordingModel(FunctionModel(_one_call) if not streams else TestModel())
    agent = _agent(model, ['Add one.', 'Add one more.'])
    if streams:
        async with agent.run_stream('Go') as result:
            await result.get_output()
    else:
        await agent.run('Go')
    assert prefix_changes(model.requests) == snapshot(
        [
            PrefixChange(
                step=1,
                section='tools',
                byte=36,
                before='.","parameters":{"additionalProperties":false,"properties":{"a":{"type":"integer',
                after=' more.","parameters":{"additionalProperties":false,"properties":{"a":{"type":"in',
            )
        ]
    )
