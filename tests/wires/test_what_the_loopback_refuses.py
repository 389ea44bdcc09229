"""Requests that a provider would refuse, each with the complaint it earns."""

import pytest
from pydantic import JsonValue

from tests.providers import anthropic_requests, chat_requests, responses_requests
from tests.providers.json_values import Mapping
from tests.providers.sdk_types import Wire, type_complaints

VERSION = {'anthropic-version': '2023-06-01'}
SAID: Mapping = {'role': 'user', 'content': 'Hello'}
ADD: Mapping = {'name': 'add', 'input_schema': {'type': 'object'}}
USE: Mapping = {'role': 'assistant', 'content': [{'type': 'tool_use', 'id': 'a', 'name': 'add', 'input': {}}]}
RESULT: Mapping = {'role': 'user', 'content': [{'type': 'tool_result', 'tool_use_id': 'a', 'content': '3'}]}
FUNCTION: Mapping = {'type': 'function', 'name': 'add', 'parameters': {'type': 'object'}, 'strict': False}
CALLED: Mapping = {'type': 'function_call', 'call_id': 'a', 'name': 'add', 'arguments': '{}'}
OUTPUT: Mapping = {'type': 'function_call_output', 'call_id': 'a', 'output': '3'}
CHAT_CALL: Mapping = {'id': 'a', 'type': 'function', 'function': {'name': 'add', 'arguments': '{}'}}


def messages(*turns: Mapping, **rest: JsonValue) -> Mapping:
    return {'model': 'claude-opus-5', 'max_tokens': 9, 'messages': [*turns], **rest}


@pytest.mark.parametrize(
    ('body', 'complaint'),
    [
        (messages(USE, RESULT), 'messages: the first message must be from the user'),
        (messages(SAID, USE, SAID), "messages.1: tool_use ids without tool_result in the next message: ['a']"),
        (messages(SAID, RESULT), "messages.1: tool_result without a tool_use in the message before: ['a']"),
        (messages(SAID, USE, RESULT, USE, RESULT), 'messages: tool_use ids must be unique: a'),
        (
            messages(SAID, USE, {'role': 'user', 'content': [{'type': 'text', 'text': 'x'}, {'type': 'tool_result'}]}),
            'messages.2: tool_result blocks must come first',
        ),
        (messages({'role': 'user', 'content': ' '}), 'messages.0: text content blocks must be non-empty'),
        (messages(SAID, tools=[ADD, ADD]), 'tools: tool names must be unique: add'),
        (
            messages(SAID, tools=[{**ADD, 'defer_loading': True}]),
            'tools: at least one tool must not have defer_loading=true',
        ),
        (
            messages(SAID, tools=[ADD, {'name': 'b', 'input_schema': {'type': 'object', 'anyOf': []}}]),
            'tools: the input_schema of b must be a plain object at the top level',
        ),
        (
            messages(SAID, tools=[ADD], tool_choice={'type': 'tool', 'name': 'sub'}),
            "tool_choice: tool 'sub' not found in tools",
        ),
        (
            messages(SAID, tools=[{**ADD, 'name': str(n), 'cache_control': {'type': 'ephemeral'}} for n in range(5)]),
            'a maximum of 4 blocks with cache_control may be provided, found 5',
        ),
        (
            messages(SAID, tools=[ADD, {**ADD, 'name': 'b', 'defer_loading': True, 'cache_control': {'type': 'x'}}]),
            'tools: tools with defer_loading cannot use prompt caching',
        ),
        (
            messages(SAID, {'role': 'system', 'content': 'Now'}, SAID),
            'messages.1: a system message must follow the user and precede the assistant',
        ),
        (
            messages(SAID, {'role': 'assistant', 'content': [{'type': 'server_tool_use', 'id': 's', 'name': 'x'}]}),
            "messages.1: server_tool_use without its result, or the reverse: ['s']",
        ),
        (
            messages(
                SAID,
                {'role': 'system', 'content': [{'type': 'tool_addition', 'tool': {'name': 'sub'}}]},
                tools=[ADD],
            ),
            "messages.1: tool reference 'sub' not found in available tools",
        ),
        (
            messages(
                SAID,
                {'role': 'system', 'content': [{'type': 'tool_addition', 'tool': {'name': 'add'}}]},
                tools=[ADD],
            ),
            'messages.1: tool_addition requires the beta mid-conversation-tool-changes-2026-07-01',
        ),
    ],
)
def test_anthropic_refuses(body: Mapping, complaint: str) -> None:
    assert complaint in list(anthropic_requests.rule_complaints(body, VERSION))


def test_anthropic_refuses_a_request_without_a_version() -> None:
    assert list(anthropic_requests.rule_complaints(messages(SAID), {})) == ['headers: anthropic-version is required']


def items(*inputs: Mapping, **rest: JsonValue) -> Mapping:
    return {'model': 'gpt-5.4', 'input': [*inputs], **rest}


@pytest.mark.parametrize(
    ('body', 'complaint'),
    [
        (items(SAID, CALLED), 'input: no output found for function call a'),
        (items(SAID, OUTPUT), 'input: no function call found for output a'),
        (
            items({'type': 'tool_search_call', 'call_id': 'a', 'arguments': {}}),
            'input: no output found for tool search call a',
        ),
        (items(tools=[FUNCTION, FUNCTION]), 'tools: tool names must be unique: add'),
        (items(tools=[{**FUNCTION, 'name': 'a b'}]), "tools: 'a b' does not match [a-zA-Z0-9_-]{1,64}"),
        (items(tools=[{**FUNCTION, 'parameters': {}}]), 'tools: schema of add must be of type "object"'),
        (
            items(tools=[{**FUNCTION, 'strict': True, 'parameters': {'type': 'object', 'properties': {'a': {}}}}]),
            'tools: strict schema of add must require every property',
        ),
        (
            items(tools=[{**FUNCTION, 'strict': True, 'parameters': {'type': 'object', 'properties': {}}}]),
            'tools: strict schema of add must set additionalProperties to false',
        ),
        (
            items(tools=[{**FUNCTION, 'defer_loading': True}]),
            'tools.defer_loading: deferred tools require tools.tool_search',
        ),
        (
            items(tools=[{'type': 'tool_search', 'execution': 'client'}]),
            'tools: client-executed tool_search requires a description and parameters',
        ),
        (
            items(tools=[FUNCTION], tool_choice={'type': 'function', 'name': 'sub'}),
            "tool_choice: 'sub' not found in tools",
        ),
        (
            items({'type': 'additional_tools', 'role': 'developer', 'tools': [FUNCTION]}, CALLED, OUTPUT),
            "input: missing namespace for function_call 'add', which is not in the default namespace",
        ),
    ],
)
def test_openai_responses_refuses(body: Mapping, complaint: str) -> None:
    assert complaint in list(responses_requests.rule_complaints(body))


@pytest.mark.parametrize(
    ('turns', 'complaint'),
    [
        (
            [SAID, {'role': 'tool', 'tool_call_id': 'a', 'content': '3'}],
            "messages.1: a tool message must respond to a preceding tool call, not to 'a'",
        ),
        (
            [SAID, {'role': 'assistant', 'tool_calls': [CHAT_CALL]}, SAID],
            "messages.2: tool calls without a tool message in response: ['a']",
        ),
        (
            [SAID, {'role': 'assistant', 'tool_calls': [CHAT_CALL]}],
            "messages: tool calls without a tool message in response: ['a']",
        ),
    ],
)
def test_openai_chat_refuses(turns: list[Mapping], complaint: str) -> None:
    assert list(chat_requests.rule_complaints({'model': 'gpt-5.4', 'messages': [*turns]})) == [complaint]


def test_openai_chat_refuses_deferred_tools() -> None:
    tool: Mapping = {'type': 'function', 'function': {**FUNCTION, 'defer_loading': True}}
    assert list(chat_requests.rule_complaints({'messages': [SAID], 'tools': [tool]})) == [
        'tools: defer_loading of add is unknown here'
    ]


@pytest.mark.parametrize(
    ('wire', 'body', 'complaint'),
    [
        ('anthropic', messages(SAID, topp=1), 'topp: Extra inputs are not permitted'),
        ('anthropic', {'model': 'x', 'messages': [SAID]}, 'max_tokens: Field required'),
        (
            'anthropic',
            messages({'role': 'user', 'content': [{'type': 'text', 'text': 'x', 'colour': 1}]}),
            'messages.0.content.0.colour: Extra inputs are not permitted',
        ),
        ('anthropic', messages(SAID, tools=[{'name': 'add'}]), 'tools.0.input_schema: Field required'),
        (
            'responses',
            items({'type': 'function_call', 'call_id': 'a', 'name': 'add'}),
            'input.0.arguments: Field required',
        ),
        ('responses', items(SAID, temprature=1), 'temprature: Extra inputs are not permitted'),
        (
            'chat',
            {'model': 'gpt-5.4', 'messages': [{'role': 'tool', 'content': 'x'}]},
            'messages.0.tool_call_id: Field required',
        ),
        ('chat', {'model': 'gpt-5.4', 'messages': [SAID], 'n': 'two'}, 'n: Input should be a valid integer'),
    ],
)
def test_the_sdk_types_refuse(wire: Wire, body: Mapping, complaint: str) -> None:
    assert any(one.startswith(complaint) for one in type_complaints(wire, body)), type_complaints(wire, body)


@pytest.mark.parametrize(
    ('wire', 'body'),
    [
        ('anthropic', messages(SAID, USE, RESULT, tools=[ADD], stream=True)),
        ('responses', items(SAID, CALLED, OUTPUT, tools=[FUNCTION])),
        ('chat', {'model': 'gpt-5.4', 'messages': [SAID], 'stream': False}),
    ],
)
def test_what_is_right_is_not_refused(wire: Wire, body: Mapping) -> None:
    rules = {
        'anthropic': anthropic_requests.rule_complaints(body, VERSION),
        'responses': responses_requests.rule_complaints(body),
        'chat': chat_requests.rule_complaints(body),
    }
    assert type_complaints(wire, body) == []
    assert list(rules[wire]) == []
