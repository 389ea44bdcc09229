"""A configured search: the provider's where it has one, ours elsewhere, decided for each model of a fallback."""

from typing import Literal

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.toolsets import FunctionToolset

from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Failure, Reply, Search, reply
from tests.wires.office import SEARCH, a_mailer, office, told
from toolscript import ToolSearchConfig
from toolscript.testing import prefix_changes

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

Strategy = Literal['auto', 'bm25', 'regex']


async def mail(model: Model, strategy: Strategy) -> str:
    """What an agent configured so says when asked to send a mail."""
    search = ToolSearchConfig(enabled=True, strategy=strategy).capability()
    agent = Agent(model, toolsets=[office()], capabilities=[search], instructions='Be brief.')
    return (await agent.run('Write to Ada.')).output


def searches(wires: Loopback) -> list[tuple[str, str | None]]:
    """The provider's search that each request switched on."""
    return [(request.wire, request.reading.search) for request in wires.requests]


@pytest.mark.parametrize(
    ('name', 'strategy', 'native'),
    [
        ('anthropic:claude-haiku-4-5', 'auto', 'bm25'),
        ('anthropic:claude-opus-5', 'bm25', 'bm25'),
        ('anthropic:claude-opus-5', 'regex', 'regex'),
        ('responses:gpt-5.4', 'auto', 'hosted'),
    ],
)
async def test_the_provider_searches_by_the_strategy_it_has(name: str, strategy: Strategy, native: str) -> None:
    with loopback(a_mailer) as wires:
        assert await mail(wires.named(name), strategy) == 'Mail is on its way.'
    assert wires.refusals == []
    assert [search for _, search in searches(wires)] == [native, native]
    assert [told(request) for request in wires.requests] == [['now', 'send_mail*', 'refund_payment*']] * 2
    assert prefix_changes(request.raw for request in wires.requests) == []


def overloaded(request: Request) -> Reply | Failure:
    """Providers of which Anthropic is down."""
    return Failure(529, 'Overloaded') if request.wire == 'anthropic' else a_mailer(request)


async def test_each_model_of_a_fallback_has_the_search_it_can_do() -> None:
    with loopback(overloaded) as wires:
        model = FallbackModel(wires.named('anthropic:claude-opus-5'), wires.named('chat:gpt-5.4'))
        assert await mail(model, 'auto') == 'Mail is on its way.'
    assert wires.refusals == []
    assert [(request.wire, told(request)) for request in wires.requests] == snapshot(
        [
            ('anthropic', ['now', 'send_mail*', 'refund_payment*']),
            ('chat', ['now', 'pai_tool_search_tool']),
            ('anthropic', ['now', 'send_mail*', 'refund_payment*']),
            ('chat', ['now', 'pai_tool_search_tool', 'send_mail']),
            ('anthropic', ['now', 'send_mail*', 'refund_payment*']),
            ('chat', ['now', 'pai_tool_search_tool', 'send_mail']),
        ]
    )
    assert wires.requests[2].reading.revealed == {'send_mail'}


@pytest.mark.filterwarnings("ignore:openai has no native 'regex' tool search")
async def test_a_strategy_that_only_some_models_of_a_fallback_know_stops_none_of_them() -> None:
    with loopback(overloaded) as wires:
        model = FallbackModel(wires.named('anthropic:claude-opus-5'), wires.named('responses:gpt-5.4'))
        assert await mail(model, 'regex') == 'Mail is on its way.'
    assert wires.refusals == []
    assert {search for _, search in searches(wires)} == {None}


@pytest.mark.filterwarnings('ignore::toolscript.ToolNameWarning')
@pytest.mark.parametrize('name', ['anthropic:claude-opus-5', 'responses:gpt-5.4', 'chat:gpt-5.4'])
async def test_a_name_that_is_too_long_is_searched_called_and_answered_by_a_shorter_one(name: str) -> None:
    toolset = FunctionToolset[object]()
    long_name = 'post_' + 'very_' * 13 + 'long_mail'
    toolset.add_function(lambda: 'sent', name=long_name, description='Post a letter.', defer_loading=True)

    def model(request: Request) -> Reply:
        known = [tool for tool in request.reading.callable_names if tool.startswith('post_')]
        if any(line.text == 'sent' for line in request.reading.lines):
            return reply('Done.')
        if known:
            return reply(Call(known[0]))
        return reply(Search('letter')) if request.reading.search else reply(Call(SEARCH, {'query': 'letter'}))

    with loopback(model) as wires:
        search = ToolSearchConfig(enabled=True).capability()
        agent = Agent(wires.named(name), toolsets=[office(), toolset], capabilities=[search])
        assert (await agent.run('Write to Ada.')).output == 'Done.'
    assert wires.refusals == []
    assert long_name not in str([request.body for request in wires.requests])
