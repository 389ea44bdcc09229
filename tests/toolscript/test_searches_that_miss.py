"""What a model is told of a search that found nothing, or not all that it named."""

import pytest
from pydantic_ai import CombinedToolset

from tests.toolscript.scripted import play, search
from toolscript import FunctionToolset, SearchableToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def office() -> FunctionToolset[object]:
    toolset = FunctionToolset[object](defer_loading=True)

    @toolset.tool_plain
    def send_mail(to: str) -> str:
        """Send an e-mail message."""
        return to

    @toolset.tool_plain
    def refund_payment(number: int) -> int:
        """Give money back."""
        return number

    return toolset


async def message_of(query: str) -> str:
    script = await play(SearchableToolset(office()), search(query))
    return script.answers[0]['message']


@pytest.mark.parametrize(
    ('query', 'message'),
    [
        ('zebra', "No tools found for 'zebra'"),
        ('select:create_refund', "No tools found for 'select:create_refund'. The closest names: refund_payment."),
        ('select:', "No tools found for 'select:'. Write select:name_a,name_b."),
        ('select:send_mail,zebra', 'Found 1 of 2 deferred tools. No tool is called zebra.'),
        (
            'select:send_mail,create_refund',
            'Found 1 of 2 deferred tools. No tool is called create_refund. The closest names: refund_payment.',
        ),
        ('select:Send-Mail,refund_paymint', 'Found 2 of 2 deferred tools.'),
    ],
)
async def test_a_miss_says_what_to_write_instead(query: str, message: str) -> None:
    assert await message_of(query) == message


@pytest.mark.parametrize(
    ('written', 'called', 'found'),
    [
        ('create_isue', 'create_issue', True),
        ('create_isue', 'create_line', False),
        ('set_alarm', 'get_alarm', False),
        ('send_emial', 'send_email', True),
        ('get_user', 'server__get_user', True),
        ('get_alarm', 'get_alarm_clock', True),
        ('star_repository', 'switch_repository', False),
    ],
)
async def test_a_slip_finds_the_tool_and_another_name_finds_none(written: str, called: str, found: bool) -> None:
    toolset = FunctionToolset[object]()
    toolset.add_function(nothing, name=called, defer_loading=True)
    script = await play(SearchableToolset(toolset), search(f'select:{written}'))
    assert script.answers[0]['message'].startswith('Found 1 of 1' if found else 'No tools found')


async def test_of_two_tools_that_are_as_near_none_is_chosen() -> None:
    toolset = FunctionToolset[object]()
    for name in ('create_link', 'create_line'):
        toolset.add_function(nothing, name=name, defer_loading=True)
    script = await play(SearchableToolset(toolset), search('select:create_lin'))
    message = script.answers[0]['message']
    assert message == "No tools found for 'select:create_lin'. The closest names: create_link, create_line."


@pytest.mark.parametrize('query', ['q' * 10_000, 'select:' + ','.join(f'zebra_{n}' for n in range(2_000))])
async def test_an_answer_repeats_little_of_a_long_query(query: str) -> None:
    assert len(await message_of(query)) < 400
    assert len(await message_of(f'{query},send_mail')) < 3_000


def nothing() -> None: ...


def tools_of(server: str, count: int) -> FunctionToolset[object]:
    toolset = FunctionToolset[object](defer_loading=True, metadata={'server': server})
    for number in range(count):
        toolset.add_function(nothing, name=f'{server}_{number}')
    return toolset


async def message_of_servers(query: str, *toolsets: FunctionToolset[object]) -> str:
    script = await play(SearchableToolset(CombinedToolset(toolsets)), search(query))
    return script.answers[0]['message']


@pytest.mark.parametrize(
    ('query', 'servers', 'message'),
    [
        ('zebra', {'github': 2, 'slack': 3}, "No tools found for 'zebra'. The tools come from slack, github."),
        ('github_1', {'github': 2}, 'Found 1 of 2 deferred tools.'),
        (
            'server:gitlab issues',
            {'github': 2},
            "No tools found for 'server:gitlab issues'. No server is called gitlab. The tools come from github.",
        ),
        (
            'server:GitHub +zebra',
            {'github': 2},
            "No tools found for 'server:GitHub +zebra'. The closest names: github_0, github_1. The tools come from github.",
        ),
    ],
)
async def test_a_miss_says_what_the_servers_are_called_the_largest_first(
    query: str, servers: dict[str, int], message: str
) -> None:
    assert await message_of_servers(query, *(tools_of(name, count) for name, count in servers.items())) == message


async def test_of_many_servers_twenty_are_named() -> None:
    message = await message_of_servers('zebra', *(tools_of(f'server{number:02}', 1) for number in range(30)))
    assert message.endswith(', server19, 10 more.')
