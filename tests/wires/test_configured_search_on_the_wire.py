"""A configured search: the provider's where it has one, ours elsewhere, decided for each model of a fallback."""

import warnings
from typing import Literal

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelMessagesTypeAdapter
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.toolsets import FunctionToolset

from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Failure, Reply, Search, reply
from tests.wires.office import SEARCH, a_mailer, office, told
from toolscript import NativeToolSearch, ToolSearchConfig, ToolSearchOptions
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


async def test_what_anthropic_is_sent_for_a_search_by_regular_expressions() -> None:
    with loopback(a_mailer) as wires:
        await mail(wires.named('anthropic:claude-opus-5'), 'regex')
    tools = wires.requests[0].body['tools']
    assert isinstance(tools, list)
    assert tools[-1] == snapshot({'name': 'tool_search_tool_regex', 'type': 'tool_search_tool_regex_20251119'})


@pytest.mark.parametrize('name', ['responses:gpt-5.4', 'chat:gpt-5.4'])
async def test_a_strategy_that_the_provider_lacks_is_ours_after_one_warning(name: str) -> None:
    with loopback(a_mailer) as wires, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        assert await mail(wires.named(name), 'regex') == 'Mail is on its way.'
    assert [str(warning.message) for warning in said] == snapshot(
        ["openai has no native 'regex' tool search; tools are searched here instead."]
    )
    assert wires.refusals == []
    assert told(wires.requests[0]) == ['now', SEARCH]


@pytest.mark.parametrize('algorithm', ['ranked', 'keywords'])
async def test_an_algorithm_that_no_provider_has_is_ours(algorithm: Literal['ranked', 'keywords']) -> None:
    search = NativeToolSearch[object](options=ToolSearchOptions(algorithm=algorithm))
    with loopback(a_mailer) as wires:
        agent = Agent(wires.named('anthropic:claude-opus-5'), toolsets=[office()], capabilities=[search])
        assert (await agent.run('Write to Ada.')).output == 'Mail is on its way.'
    assert wires.refusals == []
    assert searches(wires) == [('anthropic', None)] * 3
    assert told(wires.requests[0]) == ['now', SEARCH]


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


async def test_a_history_moves_between_the_models_of_a_configuration() -> None:
    search = ToolSearchConfig(enabled=True).capability()
    with loopback(a_mailer) as wires:
        first = Agent(wires.named('anthropic:claude-opus-5'), toolsets=[office()], capabilities=[search])
        history = (await first.run('Write to Ada.')).all_messages_json()
        for name in ('responses:gpt-5.4', 'chat:gpt-5.4', 'anthropic:claude-haiku-4-5'):
            asked = len(wires.requests)
            agent = Agent(wires.named(name), toolsets=[office()], capabilities=[search])
            await agent.run('Again.', message_history=ModelMessagesTypeAdapter.validate_json(history))
            assert 'send_mail' in wires.requests[asked].reading.callable_names
    assert wires.refusals == []


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
