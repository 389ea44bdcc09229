"""What a user's own words show, in the bytes that Anthropic and OpenAI are sent."""

import pytest
from pydantic_ai import Agent
from pydantic_ai.toolsets import AbstractToolset

from tests.providers.loopback import loopback
from tests.wires.office import SEARCH, a_mailer, office, told
from toolscript import SearchableToolset, ToolSearchOptions
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
