"""Tools that the provider searches itself, and what happens where it cannot."""

import warnings
from typing import Literal

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, UserError
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel

from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Failure, Reply, Search, reply
from tests.wires.office import SEARCH, a_mailer, in_turn, office, told
from toolscript import (
    AllowedCallers,
    CodeModeToolset,
    SearchableToolset,
    ToolSearchOptions,
    search_function,
)
from toolscript.testing import prefix_changes

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


async def mail(model: Model, options: ToolSearchOptions | None = None) -> str:
    """What an agent with the direct tools of the office says when asked to send a mail."""
    toolset = SearchableToolset(office(), options or ToolSearchOptions())
    return (await Agent(model, toolsets=[toolset], instructions='Be brief.').run('Write to Ada.')).output


def searches(wires: Loopback) -> list[str | None]:
    """The provider's search that each request switched on."""
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
async def test_a_provider_that_searches_is_left_to_search(name: str, native: str) -> None:
    with loopback(a_mailer) as wires:
        assert await mail(wires.named(name)) == 'Mail is on its way.'
    assert wires.refusals == []
    assert searches(wires) == [native, native]
    assert [told(request) for request in wires.requests] == [['now', 'send_mail*', 'refund_payment*']] * 2
    assert wires.requests[1].reading.revealed == {'send_mail'}
    assert prefix_changes(request.raw for request in wires.requests) == []


@pytest.mark.parametrize('name', ['responses:gpt-4.1', 'responses:gpt-5.4-nano', 'chat:gpt-5.4'])
async def test_where_the_provider_cannot_search_we_do(name: str) -> None:
    with loopback(a_mailer) as wires:
        assert await mail(wires.named(name)) == 'Mail is on its way.'
    assert wires.refusals == []
    assert searches(wires) == [None, None, None]
    assert told(wires.requests[0]) == ['now', SEARCH]


@pytest.mark.parametrize(
    ('callers', 'expected'),
    [('code', [SEARCH, 'run_code']), ('both', ['now', 'run_code', 'send_mail*', 'refund_payment*'])],
)
async def test_the_provider_is_shown_no_tool_that_only_code_may_call(
    callers: AllowedCallers, expected: list[str]
) -> None:
    with loopback(in_turn(reply('Done.'))) as wires:
        toolset = CodeModeToolset(SearchableToolset(office(callers)))
        await Agent(wires.named('anthropic:claude-opus-5'), toolsets=[toolset]).run('Write to Ada.')
    assert told(wires.requests[0]) == expected


@pytest.mark.parametrize('name', ['responses:gpt-5.4', 'chat:gpt-5.4'])
async def test_bm25_elsewhere_is_ours_after_one_warning(name: str) -> None:
    with loopback(a_mailer) as wires, warnings.catch_warnings(record=True) as said:
        warnings.resetwarnings()
        assert await mail(wires.named(name), ToolSearchOptions(algorithm='bm25')) == 'Mail is on its way.'
    assert [str(warning.message) for warning in said] == snapshot(
        ["openai has no native 'bm25' tool search; tools are searched here instead."]
    )
    assert searches(wires) == [None, None, None]


@pytest.mark.parametrize('algorithm', ['ranked', 'keywords', 'regex'])
async def test_other_algorithms_are_ours_where_the_provider_searches_too(
    algorithm: Literal['ranked', 'keywords', 'regex'],
) -> None:
    with loopback(a_mailer) as wires:
        await mail(wires.named('anthropic:claude-opus-5'), ToolSearchOptions(algorithm=algorithm))
    assert searches(wires) == [None, None, None]


async def test_bm25_elsewhere_is_an_error_if_that_is_wanted() -> None:
    with loopback(a_mailer) as wires, pytest.raises(UserError) as caught:
        await mail(wires.named('responses:gpt-5.4'), ToolSearchOptions(algorithm='bm25', on_unsupported='error'))
    assert str(caught.value) == snapshot(
        "openai has no native 'bm25' tool search; use algorithm=None, or on_unsupported='fallback' to search here."
    )
    assert wires.requests == []


@pytest.mark.parametrize('name', ['anthropic:claude-opus-5', 'responses:gpt-5.4', 'chat:gpt-5.4'])
async def test_our_search_runs_at_the_client_where_the_provider_lets_it(name: str) -> None:
    def plan(request: Request) -> Reply:
        if 'send_mail' in request.reading.callable_names:
            return reply('Found.')
        mails = 'mailing, refunded'
        return reply(Search(mails) if request.wire == 'responses' else Call('search_tools', {'queries': [mails]}))

    with loopback(plan) as wires:
        search = ToolSearch[object](strategy=search_function())
        agent = Agent(wires.named(name), toolsets=[office()], capabilities=[search], deps_type=object)
        assert (await agent.run('Write to Ada.', deps=None)).output == 'Found.'
    assert wires.refusals == []
    assert searches(wires) == ['client' if name.startswith('responses') else None] * 2
    assert {'send_mail', 'refund_payment'} <= wires.requests[1].reading.callable_names


async def test_a_fallback_in_the_middle_of_a_run_keeps_what_was_found() -> None:
    def flaky(request: Request) -> Reply | Failure:
        is_down = request.wire == 'anthropic' and request.number > 1
        return Failure(529, 'Overloaded') if is_down else a_mailer(request)

    with loopback(flaky) as wires:
        model = FallbackModel(wires.named('anthropic:claude-haiku-4-5'), wires.named('responses:gpt-5.4'))
        assert await mail(model) == 'Mail is on its way.'
    assert wires.refusals == []
    assert [request.wire for request in wires.requests] == ['anthropic', 'anthropic', 'responses']
    assert wires.requests[2].reading.revealed == {'send_mail'}
