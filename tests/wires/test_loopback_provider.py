"""The provider on 127.0.0.1: its answers and its refusals."""

from collections.abc import AsyncIterable, Iterable

import pytest
from inline_snapshot import snapshot
from pydantic import JsonValue
from pydantic_ai import Agent
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.toolsets import FunctionToolset

from tests.providers import anthropic_requests, chat_requests, responses_requests
from tests.providers.json_values import Mapping
from tests.providers.loopback import Request, loopback
from tests.providers.replies import Call, Reply, reply
from tests.providers.sdk_types import Wire, type_complaints
from tests.wires.office import EVERY_MODEL, office

EVERY_DELIVERY = pytest.mark.parametrize('streams', [False, True], ids=['whole', 'streamed'])


@EVERY_MODEL
@EVERY_DELIVERY
async def test_a_reply_survives_the_round_trip_on_every_wire(name: str, streams: bool) -> None:
    def model(request: Request) -> Reply:
        results = [line.text for line in request.reading.lines if line.role == 'result']
        return reply(f'It said {results[0]}.') if results else reply('One moment.', Call('now'))

    with loopback(model) as wires:
        agent = Agent(wires.named(name), toolsets=[office()], instructions='Be brief.')
        result = await agent.run('When?', event_stream_handler=_drain if streams else None)
    assert result.output == 'It said noon.'
    assert [(line.role, line.text or line.name) for line in wires.requests[1].reading.lines[-4:]] == [
        ('user', 'When?'),
        ('assistant', 'One moment.'),
        ('call', 'now'),
        ('result', 'noon'),
    ]
    assert 'Be brief.' in wires.requests[0].reading.system


async def _drain(_context: object, events: AsyncIterable[object]) -> None:
    async for _ in events:
        pass


async def test_a_request_that_breaks_a_rule_is_refused_like_by_the_provider() -> None:
    def model(request: Request) -> Reply:
        raise AssertionError('not reached')

    toolset = FunctionToolset[object]()
    toolset.add_function(lambda: 'x', name='a b', description='No name for a tool.')
    with loopback(model, may_refuse=True) as wires:
        with pytest.raises(ModelHTTPError) as caught:
            await Agent(wires.named('anthropic:claude-haiku-4-5'), toolsets=[toolset]).run('Hello')
        assert wires.refusals == snapshot(["tools: 'a b' does not match [a-zA-Z0-9_-]{1,128}"])
    assert caught.value.status_code == 400


VERSION = {'anthropic-version': '2023-06-01'}
SAID: Mapping = {'role': 'user', 'content': 'Hello'}
ADD: Mapping = {'name': 'add', 'input_schema': {'type': 'object'}}
USE: Mapping = {'role': 'assistant', 'content': [{'type': 'tool_use', 'id': 'a', 'name': 'add', 'input': {}}]}
RESULT: Mapping = {'role': 'user', 'content': [{'type': 'tool_result', 'tool_use_id': 'a', 'content': '3'}]}
ADDITION: Mapping = {'role': 'system', 'content': [{'type': 'tool_addition', 'tool': {'name': 'sub'}}]}
FUNCTION: Mapping = {'type': 'function', 'name': 'add', 'parameters': {'type': 'object'}, 'strict': False}
CALLED: Mapping = {'type': 'function_call', 'call_id': 'a', 'name': 'add', 'arguments': '{}'}
OUTPUT: Mapping = {'type': 'function_call_output', 'call_id': 'a', 'output': '3'}
CHAT_CALL: Mapping = {'id': 'a', 'type': 'function', 'function': {'name': 'add', 'arguments': '{}'}}
REVEALED: Mapping = {'type': 'additional_tools', 'role': 'developer', 'tools': [FUNCTION]}


def messages(*turns: Mapping, **rest: JsonValue) -> Mapping:
    return {'model': 'claude-opus-5', 'max_tokens': 9, 'messages': [*turns], **rest}


def items(*inputs: Mapping, **rest: JsonValue) -> Mapping:
    return {'model': 'gpt-5.4', 'input': [*inputs], **rest}


def chat(*turns: Mapping, **rest: JsonValue) -> Mapping:
    return {'model': 'gpt-5.4', 'messages': [*turns], **rest}


def complaints(wire: Wire, body: Mapping) -> Iterable[str]:
    match wire:
        case 'anthropic':
            return anthropic_requests.rule_complaints(body, VERSION)
        case 'responses':
            return responses_requests.rule_complaints(body)
        case 'chat':
            return chat_requests.rule_complaints(body)


_REFUSED: list[tuple[Wire, Mapping, str]] = [
    ('anthropic', messages(USE, RESULT), 'messages: the first message must be from the user'),
    ('anthropic', messages(SAID, USE, SAID), "messages.1: tool_use ids without tool_result in the next message: ['a']"),
    ('anthropic', messages(SAID, RESULT), "messages.1: tool_result without a tool_use in the message before: ['a']"),
    ('anthropic', messages(SAID, USE, RESULT, USE, RESULT), 'messages: tool_use ids must be unique: a'),
    ('anthropic', messages({'role': 'user', 'content': ' '}), 'messages.0: text content blocks must be non-empty'),
    ('anthropic', messages(SAID, tools=[ADD, ADD]), 'tools: tool names must be unique: add'),
    ('anthropic', messages(SAID, tools=[{**ADD, 'defer_loading': True}]), 'tools: at least one tool must not have defer_loading=true'),
    ('anthropic', messages(SAID, ADDITION, tools=[ADD]), "messages.1: tool reference 'sub' not found in available tools"),
    ('responses', items(SAID, CALLED), 'input: no output found for function call a'),
    ('responses', items(SAID, OUTPUT), 'input: no function call found for output a'),
    ('responses', items(tools=[FUNCTION, FUNCTION]), 'tools: tool names must be unique: add'),
    ('responses', items(tools=[{**FUNCTION, 'name': 'a b'}]), "tools: 'a b' does not match [a-zA-Z0-9_-]{1,64}"),
    ('responses', items(tools=[{**FUNCTION, 'defer_loading': True}]), 'tools.defer_loading: deferred tools require tools.tool_search'),
    ('responses', items(REVEALED, CALLED, OUTPUT), "input: missing namespace for function_call 'add', which is not in the default namespace"),
    ('chat', chat(SAID, {'role': 'tool', 'tool_call_id': 'a', 'content': '3'}), "messages.1: a tool message must respond to a preceding tool call, not to 'a'"),
    ('chat', chat(SAID, {'role': 'assistant', 'tool_calls': [CHAT_CALL]}, SAID), "messages.2: tool calls without a tool message in response: ['a']"),
    ('chat', chat(SAID, tools=[{'type': 'function', 'function': {**FUNCTION, 'defer_loading': True}}]), 'tools: defer_loading of add is unknown here'),
]  # fmt: skip


@pytest.mark.parametrize(('wire', 'body', 'complaint'), _REFUSED)
def test_a_broken_rule_is_refused(wire: Wire, body: Mapping, complaint: str) -> None:
    assert complaint in list(complaints(wire, body))


def test_requests_that_the_sdk_types_forbid_are_refused() -> None:
    assert "'topp'): Extra inputs are not permitted" in type_complaints('anthropic', messages(SAID, topp=1))[0]
    assert "'temprature'): Extra inputs are not permitted" in type_complaints('responses', items(temprature=1))[0]
    assert type_complaints('chat', chat({'role': 'tool', 'content': 'x'}))
    assert type_complaints('chat', chat(SAID)) == []
