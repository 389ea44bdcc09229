"""What a user's own words show, in the bytes that Anthropic and OpenAI are sent."""

import pytest
from pydantic_ai import Agent
from pydantic_ai.toolsets import AbstractToolset

from tests.providers.loopback import loopback
from tests.providers.replies import Call, reply
from tests.wires.office import MAIL, SEARCH, a_mailer, in_turn, office, told
from toolscript import NativeToolSearch, SearchableToolset, ToolSearchOptions
from toolscript.testing import prefix_changes

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

NATIVE = ['anthropic:claude-haiku-4-5', 'anthropic:claude-opus-5', 'responses:gpt-5.4']
EVERY_WIRE = pytest.mark.parametrize('name', [*NATIVE, 'chat:gpt-5.4'])


def ours() -> AbstractToolset[object]:
    return SearchableToolset(office(), ToolSearchOptions(algorithm='ranked', prefetch=8))


@EVERY_WIRE
async def test_it_is_there_in_the_first_request_and_no_byte_changes(name: str) -> None:
    with loopback(a_mailer) as wires:
        result = await Agent(wires.named(name), toolsets=[ours()]).run('Send Ada an e-mail.')
    assert (result.output, wires.refusals) == ('Mail is on its way.', [])
    assert [told(request) for request in wires.requests] == [['now', SEARCH, 'send_mail']] * 2
    assert prefix_changes(request.raw for request in wires.requests) == []


@pytest.mark.parametrize('name', NATIVE)
async def test_beside_a_providers_own_search_it_is_no_longer_deferred(name: str) -> None:
    searched = SearchableToolset(office(), ToolSearchOptions(prefetch=8))
    with loopback(a_mailer) as wires:
        assert (await Agent(wires.named(name), toolsets=[searched]).run('Send Ada an e-mail.')).output
    assert wires.refusals == []
    assert [told(request) for request in wires.requests] == [['now', 'send_mail', 'refund_payment*']] * 2
    assert prefix_changes(request.raw for request in wires.requests) == []


@EVERY_WIRE
async def test_with_both_searches_offered_it_is_the_same(name: str) -> None:
    search = NativeToolSearch[object](options=ToolSearchOptions(prefetch=8))
    with loopback(a_mailer) as wires:
        agent = Agent(wires.named(name), toolsets=[office()], capabilities=[search])
        assert (await agent.run('Send Ada an e-mail.')).output == 'Mail is on its way.'
    assert wires.refusals == []
    assert all('send_mail' in told(request) for request in wires.requests)
    assert prefix_changes(request.raw for request in wires.requests) == []


@EVERY_WIRE
async def test_the_next_prompt_of_a_conversation_adds_to_the_end_of_the_tools(name: str) -> None:
    with loopback(in_turn(reply('Hello.'), reply(MAIL), reply('Sent.'), reply(Call('now')), reply('Noon.'))) as wires:
        agent = Agent(wires.named(name), toolsets=[ours()])
        first = await agent.run('Refund the payment.')
        second = await agent.run('Send Ada an e-mail.', message_history=first.all_messages())
        await agent.run('What time is it?', message_history=second.all_messages())
    assert wires.refusals == []
    before, after = ['now', SEARCH, 'refund_payment'], ['now', SEARCH, 'refund_payment', 'send_mail']
    assert [told(request) for request in wires.requests] == [before, *[after] * 4]
    changes = prefix_changes(request.raw for request in wires.requests)
    assert [(change.step, change.section, change.before) for change in changes] == [(1, 'tools', '')]
