"""The provider on 127.0.0.1, asked through pydantic-ai's real models and the real SDKs."""

from collections.abc import AsyncIterable

import pytest
from anthropic.types.beta import BetaMessage, BetaRawMessageStreamEvent
from inline_snapshot import snapshot
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import BaseModel, TypeAdapter
from pydantic_ai import Agent
from pydantic_ai.exceptions import ModelHTTPError, UsageLimitExceeded
from pydantic_ai.messages import ModelMessage, NativeToolSearchReturnPart, ToolSearchReturnPart
from pydantic_ai.toolsets import FunctionToolset
from pydantic_ai.usage import UsageLimits

from tests.providers import anthropic_answers, chat_answers, responses_answers
from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Reply, Search, reply
from tests.providers.sdk_types import Wire

pytestmark = pytest.mark.anyio

EVERY_WIRE = pytest.mark.parametrize(
    'name', ['anthropic:claude-haiku-4-5', 'anthropic:claude-opus-5', 'responses:gpt-5.4', 'chat:gpt-5.4']
)
EVERY_DELIVERY = pytest.mark.parametrize('streams', [False, True], ids=['whole', 'streamed'])


def town() -> FunctionToolset[object]:
    """A visible tool and two deferred ones."""
    toolset = FunctionToolset[object]()

    def ping() -> str:
        """Answer pong."""
        return 'pong'

    def get_weather(city: str) -> str:
        """The weather in a city."""
        return f'rain in {city}'

    def send_letter(to: str) -> str:
        """Send a letter by mail."""
        return f'sent to {to}'

    toolset.add_function(ping)
    toolset.add_function(get_weather, defer_loading=True)
    toolset.add_function(send_letter, defer_loading=True)
    return toolset


@EVERY_WIRE
@EVERY_DELIVERY
async def test_a_reply_travels_there_and_back_on_every_wire(name: str, streams: bool) -> None:
    def model(request: Request) -> Reply:
        results = [line.text for line in request.reading.lines if line.role == 'result']
        return reply(f'It said {results[0]}.') if results else reply('One moment.', Call('ping'))

    with loopback(model) as wires:
        agent = Agent(wires.named(name), toolsets=[town()], instructions='Be brief.')
        result = await agent.run('Ping!', event_stream_handler=_drain if streams else None)
    assert result.output == 'It said pong.'
    assert wires.refusals == []
    assert [(line.role, line.text or line.name) for line in wires.requests[1].reading.lines[-4:]] == [
        ('user', 'Ping!'),
        ('assistant', 'One moment.'),
        ('call', 'ping'),
        ('result', 'pong'),
    ]
    assert 'Be brief.' in wires.requests[0].reading.system


async def _drain(_context: object, events: AsyncIterable[object]) -> None:
    async for _ in events:
        pass


def _found(messages: list[ModelMessage]) -> list[str]:
    parts = [part for message in messages for part in message.parts]
    returns = [part for part in parts if isinstance(part, NativeToolSearchReturnPart | ToolSearchReturnPart)]
    return [match['name'] for part in returns for match in part.discovered_tools]


@EVERY_DELIVERY
@pytest.mark.parametrize('name', ['anthropic:claude-haiku-4-5', 'anthropic:claude-opus-5', 'responses:gpt-5.4'])
async def test_a_search_that_the_provider_runs_reveals_a_tool_within_one_answer(name: str, streams: bool) -> None:
    def model(request: Request) -> Reply:
        if any(line.role == 'result' for line in request.reading.lines):
            return reply('Rain.')
        return reply(Search('weather'), Call(request.reading.find('weather')[0], {'city': 'Oslo'}))

    with loopback(model) as wires:
        result = await Agent(wires.named(name), toolsets=[town()]).run(
            'Weather?', event_stream_handler=_drain if streams else None
        )
    assert result.output == 'Rain.'
    assert wires.refusals == []
    assert _found(result.all_messages()) == ['get_weather']
    assert wires.requests[1].reading.callable_names == {'ping', 'get_weather'}


async def test_a_request_that_breaks_a_rule_is_refused_as_the_provider_would() -> None:
    def model(request: Request) -> Reply:
        raise AssertionError('not reached')

    toolset = FunctionToolset[object]()
    toolset.add_function(lambda: 'x', name='a b', description='No name for a tool.')
    with loopback(model) as wires:
        with pytest.raises(ModelHTTPError) as caught:
            await Agent(wires.anthropic('claude-haiku-4-5'), toolsets=[toolset]).run('Hello')
        assert wires.refusals == snapshot(["tools: 'a b' does not match [a-zA-Z0-9_-]{1,128}"])
    assert caught.value.status_code == 400


@EVERY_DELIVERY
@pytest.mark.parametrize('name', ['anthropic:claude-haiku-4-5', 'responses:gpt-5.4', 'chat:gpt-5.4'])
async def test_the_answers_fit_the_types_of_the_sdks(name: str, streams: bool) -> None:
    def model(request: Request) -> Reply:
        searches = [Search('weather')] if request.reading.search else []
        return reply('Let me see.', *searches, Call('ping'))

    with loopback(model) as wires:
        request = await _first_request(wires, name)
        status, answer = wires.answer(request.wire, request.headers, request.raw)
    assert status == 200
    if streams:
        parts = [event.rpartition(b'data: ')[2] for event in EVENTS[request.wire](answer)]
        for part in parts:
            if part.strip() != b'[DONE]':
                STREAMED[request.wire].validate_json(part)
    else:
        WHOLE[request.wire].model_validate(answer)


async def _first_request(wires: Loopback, name: str) -> Request:
    with pytest.raises(UsageLimitExceeded):
        await Agent(wires.named(name), toolsets=[town()]).run('Go', usage_limits=UsageLimits(request_limit=1))
    return wires.requests[0]


WHOLE: dict[Wire, type[BaseModel]] = {'anthropic': BetaMessage, 'responses': Response, 'chat': ChatCompletion}
STREAMED: dict[Wire, TypeAdapter[object]] = {
    'anthropic': TypeAdapter(BetaRawMessageStreamEvent),
    'responses': TypeAdapter(ResponseStreamEvent),
    'chat': TypeAdapter(ChatCompletionChunk),
}
EVENTS = {
    'anthropic': anthropic_answers.events,
    'responses': responses_answers.events,
    'chat': chat_answers.events,
}
