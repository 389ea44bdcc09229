"""The effect of a discovery on the bytes that Anthropic and OpenAI receive."""

from collections.abc import Callable
from typing import Literal

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelMessagesTypeAdapter, capture_run_messages
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.messages import ModelResponse
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import UsageLimits

from tests.providers.json_values import mappings
from tests.providers.loopback import Loopback, loopback
from tests.providers.replies import Call, reply
from tests.wires.office import EVERY_WIRE, MAIL, SEARCH, declared, in_turn, mailer, office
from toolscript import CodeModeToolset, SearchableToolset, ToolSearchOptions
from toolscript.testing import prefix_changes

pytestmark = pytest.mark.pydantic_ai

KEEPS_ITS_TOOLS = pytest.mark.parametrize(
    'name', ['anthropic:claude-haiku-4-5', 'anthropic:claude-opus-5', 'responses:gpt-5.4', 'responses:gpt-4.1']
)


async def run(wires: Loopback, name: str, toolset: AbstractToolset[object]) -> list[ModelResponse]:
    """Run an agent with the loopback provider, and return its responses."""
    result = await Agent(wires.named(name), toolsets=[toolset], instructions='Be brief.').run('Write to Ada.')
    return [message for message in result.all_messages() if isinstance(message, ModelResponse)]


def ours() -> SearchableToolset[object]:
    """Return direct tools behind our own search, whatever the provider supports."""
    return SearchableToolset(office(), ToolSearchOptions(algorithm='ranked'))


@KEEPS_ITS_TOOLS
async def test_a_found_direct_tool_changes_no_byte_of_the_prefix(name: str) -> None:
    with loopback(mailer) as wires:
        await run(wires, name, ours())
    assert prefix_changes(request.raw for request in wires.requests) == []
    assert [sorted(request.reading.revealed) for request in wires.requests] == [[], ['send_mail'], ['send_mail']]


async def test_openai_receives_a_found_tool_after_the_search_that_found_it() -> None:
    with loopback(mailer) as wires:
        await run(wires, 'responses:gpt-5.4', ours())
    assert [declared(request) for request in wires.requests] == [['now', SEARCH]] * 3
    assert mappings(wires.requests[1].body['input'])[-1] == snapshot(
        {
            'type': 'additional_tools',
            'role': 'developer',
            'tools': [
                {
                    'name': 'send_mail',
                    'parameters': {
                        'additionalProperties': False,
                        'properties': {'to': {'type': 'string'}, 'text': {'type': 'string'}},
                        'required': ['to', 'text'],
                        'type': 'object',
                    },
                    'type': 'function',
                    'description': 'Send an e-mail message.',
                    'strict': True,
                }
            ],
        }
    )


async def test_anthropic_receives_a_found_tool_in_its_own_block() -> None:
    with loopback(mailer) as wires:
        await run(wires, 'anthropic:claude-opus-5', ours())
    assert [declared(request) for request in wires.requests] == [['now', SEARCH], *[['now', SEARCH, 'send_mail*']] * 2]
    assert mappings(wires.requests[1].body['messages'])[-1] == snapshot(
        {
            'role': 'system',
            'content': [{'type': 'tool_addition', 'tool': {'type': 'tool_reference', 'name': 'send_mail'}}],
        }
    )


async def test_an_older_anthropic_model_receives_a_reference_in_a_result() -> None:
    with loopback(mailer) as wires:
        await run(wires, 'anthropic:claude-haiku-4-5', ours())
    assert [declared(request) for request in wires.requests] == [['now', SEARCH], *[['now', SEARCH, 'send_mail*']] * 2]
    assert mappings(wires.requests[1].body['messages'])[-2:] == snapshot(
        [
            {
                'role': 'assistant',
                'content': [
                    {
                        'id': 'pyd_ai_7e6c698162dd993c',
                        'type': 'tool_use',
                        'name': 'search_tools',
                        'input': {'queries': ['send_mail']},
                    }
                ],
            },
            {
                'role': 'user',
                'content': [
                    {
                        'tool_use_id': 'pyd_ai_7e6c698162dd993c',
                        'type': 'tool_result',
                        'content': [{'tool_name': 'send_mail', 'type': 'tool_reference'}],
                        'is_error': False,
                    }
                ],
            },
        ]
    )


@KEEPS_ITS_TOOLS
async def test_a_run_that_stopped_after_its_search_continues_with_the_same_bytes(name: str) -> None:
    with loopback(in_turn(reply(Call(SEARCH, {'query': 'mail'})), reply(MAIL), reply('Done.'))) as wires:
        agent = Agent(wires.named(name), toolsets=[ours()])
        with capture_run_messages() as messages, pytest.raises(UsageLimitExceeded):
            await agent.run('Write to Ada.', usage_limits=UsageLimits(request_limit=1))
        stored = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(messages))
        await agent.run(message_history=stored)
    assert prefix_changes(request.raw for request in wires.requests) == []
    assert [sorted(request.reading.revealed) for request in wires.requests] == [[], ['send_mail'], ['send_mail']]


def code_mode(catalog: Literal['description', 'append']) -> CodeModeToolset[object]:
    return CodeModeToolset(SearchableToolset(office('code'), ToolSearchOptions(prefetch=0)), catalog=catalog)


SEND = Call('run_code', {'code': "await send_mail(to='Ada', text='hello')"})


@KEEPS_ITS_TOOLS
async def test_with_an_appended_catalog_a_found_function_changes_no_byte(name: str) -> None:
    find = Call('run_code', {'code': "await search_tools('refund')"})
    with loopback(in_turn(reply(find), reply(SEND), reply('Done.'))) as wires:
        await run(wires, name, code_mode('append'))
    assert prefix_changes(request.raw for request in wires.requests) == []
    assert all('refund_payment' in str(request.body) for request in wires.requests[1:])


@pytest.mark.parametrize('toolset', [ours, lambda: code_mode('append')], ids=['direct', 'code'])
async def test_cache_markers_are_never_on_a_found_tool_and_change_no_byte(
    toolset: Callable[[], AbstractToolset[object]],
) -> None:
    from pydantic_ai.models.anthropic import AnthropicModelSettings

    marked = AnthropicModelSettings(
        anthropic_cache_tool_definitions=True, anthropic_cache_instructions=True, anthropic_cache_messages=True
    )
    with loopback(in_turn(reply(Call(SEARCH, {'query': 'mail'})), reply('Done.'))) as wires:
        agent = Agent(wires.named('anthropic:claude-opus-5'), toolsets=[toolset()], instructions='Be brief.')
        await agent.run('Write to Ada.', model_settings=marked)
    assert prefix_changes(request.raw for request in wires.requests) == []
    tools = [mappings(request.body['tools']) for request in wires.requests]
    assert [[tool['name'] for tool in step if 'cache_control' in tool] for step in tools] == [
        [tools[0][-1]['name']]
    ] * 2


@EVERY_WIRE
@pytest.mark.parametrize('catalog', ['description', 'append'])
async def test_a_code_only_tool_is_never_declared(name: str, catalog: Literal['description', 'append']) -> None:
    with loopback(in_turn(reply(Call(SEARCH, {'query': 'mail'})), reply(MAIL), reply(SEND), reply('Done.'))) as wires:
        await run(wires, name, code_mode(catalog))
    assert [declared(request) for request in wires.requests] == [[SEARCH, 'run_code']] * 4
    assert all(not request.reading.revealed for request in wires.requests)
    results = [line.text for line in wires.requests[2].reading.lines if line.role == 'result']
    assert 'send_mail is called from code. Call run_code with this code' in results[-1]
