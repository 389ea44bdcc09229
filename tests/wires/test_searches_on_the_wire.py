"""Searches of providers, of agents and of toolscript, as each wire shows them."""

from collections.abc import Sequence
from typing import Any, Literal

import pydantic_ai
import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, RunContext, UserError
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset

from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Failure, Reply, Search, reply
from tests.toolscript.scripted import Script, search
from tests.wires.office import EVERY_MODEL, MODELS, SEARCH, declared, in_turn, mailer, office
from toolscript import (
    AllowedCallers,
    CodeMode,
    CodeModeToolset,
    FunctionToolset,
    SearchableToolset,
    ToolSearchConfig,
    ToolSearchOptions,
    search_function,
)
from toolscript.agent import Agent as OurAgent
from toolscript.testing import prefix_changes

pytestmark = pytest.mark.pydantic_ai


async def mail(model: Model, options: ToolSearchOptions | None = None) -> str:
    """Return the answer of an agent with the direct tools of the office to a request for a mail."""
    toolset = SearchableToolset(office(), options or ToolSearchOptions())
    return (await Agent(model, toolsets=[toolset], instructions='Be brief.').run('Write to Ada.')).output


def searches(wires: Loopback) -> list[str | None]:
    """Return the provider's search that each request enables."""
    return [request.reading.search for request in wires.requests]


@pytest.mark.parametrize(
    ('name', 'native'),
    [
        ('anthropic:claude-haiku-4-5', 'bm25'),
        ('anthropic:claude-opus-5', 'bm25'),
        ('responses:gpt-5.4', 'hosted'),
        ('responses:gpt-5.6', 'hosted'),
    ],
)
async def test_the_search_is_left_to_a_provider_that_has_one(name: str, native: str) -> None:
    with loopback(mailer) as wires:
        assert await mail(wires.named(name)) == 'Mail is on its way.'
    assert searches(wires) == [native, native]
    assert [declared(request) for request in wires.requests] == [['now', 'send_mail*', 'refund_payment*']] * 2
    assert wires.requests[1].reading.revealed == {'send_mail'}
    assert prefix_changes(request.raw for request in wires.requests) == []


@pytest.mark.parametrize('name', ['responses:gpt-4.1', 'responses:gpt-5.4-nano', 'chat:gpt-5.4'])
async def test_our_search_is_used_where_the_provider_has_none(name: str) -> None:
    with loopback(mailer) as wires:
        assert await mail(wires.named(name)) == 'Mail is on its way.'
    assert searches(wires) == [None, None, None]
    assert declared(wires.requests[0]) == ['now', SEARCH]


@pytest.mark.parametrize(
    ('callers', 'expected'),
    [('code', [SEARCH, 'run_code']), ('both', ['now', 'run_code', 'send_mail*', 'refund_payment*'])],
)
async def test_the_provider_never_sees_code_only_tools(callers: AllowedCallers, expected: list[str]) -> None:
    with loopback(in_turn(reply('Done.'))) as wires:
        toolset = CodeModeToolset(SearchableToolset(office(callers)))
        await Agent(wires.named('anthropic:claude-opus-5'), toolsets=[toolset]).run('Write to Ada.')
    assert declared(wires.requests[0]) == expected


@pytest.mark.parametrize('algorithm', ['ranked', 'keywords', 'regex'])
async def test_other_algorithms_are_ours_although_the_provider_searches_too(
    algorithm: Literal['ranked', 'keywords', 'regex'],
) -> None:
    with loopback(mailer) as wires:
        await mail(wires.named('anthropic:claude-opus-5'), ToolSearchOptions(algorithm=algorithm))
    assert searches(wires) == [None, None, None]


async def test_requiring_bm25_elsewhere_is_an_error() -> None:
    with loopback(mailer) as wires, pytest.raises(UserError) as caught:
        await mail(wires.named('responses:gpt-5.4'), ToolSearchOptions(algorithm='bm25', on_unsupported='error'))
    assert str(caught.value) == snapshot(
        "openai has no native 'bm25' tool search; use algorithm=None, or on_unsupported='fallback' to search here."
    )
    assert wires.requests == []


@pytest.mark.parametrize('name', ['anthropic:claude-opus-5', 'responses:gpt-5.4', 'chat:gpt-5.4'])
async def test_our_search_runs_at_the_client_where_the_provider_allows_it(name: str) -> None:
    def plan(request: Request) -> Reply:
        if 'send_mail' in request.reading.callable_names:
            return reply('Found.')
        mails = 'mailing, refunded'
        return reply(Search(mails) if request.wire == 'responses' else Call('search_tools', {'queries': [mails]}))

    with loopback(plan) as wires:
        search = ToolSearch[object](strategy=search_function())
        agent = Agent(wires.named(name), toolsets=[office()], capabilities=[search], deps_type=object)
        assert (await agent.run('Write to Ada.', deps=None)).output == 'Found.'
    assert searches(wires) == ['client' if name.startswith('responses') else None] * 2
    assert {'send_mail', 'refund_payment'} <= wires.requests[1].reading.callable_names


async def test_a_fallback_during_a_run_keeps_discoveries() -> None:
    def flaky(request: Request) -> Reply | Failure:
        is_down = request.wire == 'anthropic' and request.number > 1
        return Failure(529, 'Overloaded') if is_down else mailer(request)

    with loopback(flaky) as wires:
        model = FallbackModel(wires.named('anthropic:claude-haiku-4-5'), wires.named('responses:gpt-5.4'))
        assert await mail(model) == 'Mail is on its way.'
    assert [request.wire for request in wires.requests] == ['anthropic', 'anthropic', 'responses']
    assert wires.requests[2].reading.revealed == {'send_mail'}


Strategy = Literal['auto', 'bm25', 'regex']


async def mail_wire(model: Model, strategy: Strategy) -> str:
    """Return the answer of an agent with this configuration to a request for a mail."""
    search = ToolSearchConfig(enabled=True, strategy=strategy).capability()
    agent = Agent(model, toolsets=[office()], capabilities=[search], instructions='Be brief.')
    return (await agent.run('Write to Ada.')).output


def overloaded(request: Request) -> Reply | Failure:
    return Failure(529, 'Overloaded') if request.wire == 'anthropic' else mailer(request)


async def test_each_model_of_a_fallback_has_the_search_that_it_supports() -> None:
    with loopback(overloaded) as wires:
        model = FallbackModel(wires.named('anthropic:claude-opus-5'), wires.named('chat:gpt-5.4'))
        assert await mail_wire(model, 'auto') == 'Mail is on its way.'
    assert [(request.wire, declared(request)) for request in wires.requests] == snapshot(
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


async def test_each_model_of_a_fallback_has_the_prefetched_tools() -> None:
    with loopback(overloaded) as wires:
        model = FallbackModel(wires.named('anthropic:claude-opus-5'), wires.named('chat:gpt-5.4'))
        search = ToolSearchConfig(enabled=True, prefetch=1).capability()
        await Agent(model, toolsets=[office()], capabilities=[search]).run('Send Ada a mail.')
    assert [declared(request) for request in wires.requests[:2]] == snapshot(
        [['now', 'send_mail', 'refund_payment*'], ['now', 'pai_tool_search_tool', 'send_mail']]
    )


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
    assert long_name not in str([request.body for request in wires.requests])


def tools() -> FunctionToolset[object]:
    toolset = FunctionToolset[object](defer_loading=True)

    @toolset.tool_plain
    def mortgage_calculator(principal: float) -> float:
        """Monthly payment of a loan for a home."""
        return principal

    return toolset


def by_length(ctx: RunContext[Any], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
    return [tool.name for tool in tools if len(tool.name) > len(queries[0])]


@pytest.mark.parametrize('outer', [True, False])
async def test_code_mode_uses_the_strategy_of_the_agent(outer: bool) -> None:
    capabilities: list[Any] = [ToolSearch(strategy=by_length), CodeMode()]
    script = Script([search('zebra'), search('a query that is longer than the name')])
    agent = pydantic_ai.Agent(script.model, toolsets=[tools()], capabilities=capabilities[:: 1 if outer else -1])
    await agent.run('go')
    assert [[tool['name'] for tool in answer['tools']] for answer in script.answers] == [['mortgage_calculator'], []]


def with_code_mode(model: Model, *, toolsets: Any, capabilities: list[Any]) -> Agent:
    return Agent(model, toolsets=toolsets, capabilities=[CodeMode(default_callers='direct'), *capabilities])


@pytest.mark.parametrize('strategy', ['bm25', 'regex'])
@pytest.mark.parametrize('build', [OurAgent, with_code_mode])
async def test_a_strategy_that_the_agent_declares_is_left_to_the_provider(build: Any, strategy: Any) -> None:
    with loopback(mailer) as wires:
        model = wires.named('anthropic:claude-opus-5')
        agent = build(model, toolsets=[office()], capabilities=[ToolSearch(strategy=strategy)])
        assert (await agent.run('Write to Ada.')).output == 'Mail is on its way.'
    assert searches(wires) == [strategy, strategy]
    assert [declared(request) for request in wires.requests] == [['now', 'send_mail*', 'refund_payment*']] * 2


def behind_code_mode(model: Model, *, toolsets: Any, capabilities: list[Any]) -> Agent:
    return Agent(model, toolsets=[CodeModeToolset(*toolsets)], capabilities=capabilities)


@pytest.mark.parametrize('strategy', ['bm25', 'regex'])
@pytest.mark.parametrize('build', [OurAgent, with_code_mode, behind_code_mode])
async def test_a_search_of_the_provider_without_deferred_tools_is_refused(build: Any, strategy: Any) -> None:
    with loopback(mailer) as wires:
        agent = build(
            wires.named('anthropic:claude-opus-5'),
            toolsets=[office('code')],
            capabilities=[ToolSearch(strategy=strategy)],
        )
        with pytest.raises(UserError, match='cannot find tools that only scripts may call'):
            await agent.run('Write to Ada.')
    assert wires.requests == []


async def test_an_agent_with_its_own_code_mode_gets_no_second_search() -> None:
    with pytest.raises(UserError, match=r'CodeMode\(search='):
        OurAgent(tool_search_options=ToolSearchOptions(), capabilities=[CodeMode()])


async def test_two_strategies_for_the_same_tools_are_refused() -> None:
    agent = pydantic_ai.Agent(
        Script([]).model,
        toolsets=[tools()],
        capabilities=[ToolSearch(strategy=by_length), CodeMode(search=ToolSearchOptions(algorithm='keywords'))],
    )
    with pytest.raises(UserError, match='search the same tools; keep one of them'):
        await agent.run('go')


def ours() -> AbstractToolset[object]:
    return SearchableToolset(office(), ToolSearchOptions(algorithm='ranked', prefetch=8))


@EVERY_MODEL
async def test_a_prefetched_tool_is_in_the_first_request_and_no_byte_changes(name: str) -> None:
    with loopback(mailer) as wires:
        result = await Agent(wires.named(name), toolsets=[ours()]).run('Send Ada an e-mail.')
    assert result.output == 'Mail is on its way.'
    assert [declared(request) for request in wires.requests] == [['now', SEARCH, 'send_mail']] * 2
    assert prefix_changes(request.raw for request in wires.requests) == []


@pytest.mark.parametrize('name', MODELS[:3])
async def test_with_a_search_of_the_provider_a_prefetched_tool_is_no_longer_deferred(name: str) -> None:
    searched = SearchableToolset(office(), ToolSearchOptions(prefetch=8))
    with loopback(mailer) as wires:
        assert (await Agent(wires.named(name), toolsets=[searched]).run('Send Ada an e-mail.')).output
    assert [declared(request) for request in wires.requests] == [['now', 'send_mail', 'refund_payment*']] * 2
    assert prefix_changes(request.raw for request in wires.requests) == []
