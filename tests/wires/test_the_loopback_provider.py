"""The provider on 127.0.0.1, asked through pydantic-ai's real models and the real SDKs."""

from collections.abc import AsyncIterable

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.toolsets import FunctionToolset

from tests.providers.loopback import Request, loopback
from tests.providers.replies import Call, Reply, reply

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
