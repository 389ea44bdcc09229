"""What a model reads of a search that found nothing, or not all that it named."""

from collections.abc import Sequence

import pytest
from pydantic_ai import Agent, CombinedToolset, RunContext
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.tools import ToolDefinition

from tests.toolscript.scripted import Script, play, search
from toolscript import (
    CodeMode,
    CodeModeToolset,
    FunctionToolset,
    SearchableToolset,
    ToolSearchOptions,
    ToolSearchWarning,
)
from toolscript.discovery.discoveries import discovered_names
from toolscript.discovery.search_options import DEFAULT_SEARCH_TOOL_NAME

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def office() -> FunctionToolset[object]:
    toolset = FunctionToolset[object](defer_loading=True)

    @toolset.tool_plain
    def send_mail(to: str) -> str:
        return to

    @toolset.tool_plain
    def refund_payment(number: int) -> int:
        return number

    @toolset.tool_plain(defer_loading=False)
    def now() -> int:
        return 0

    return toolset


async def message_of(query: str, *, in_code: bool = False) -> str:
    searchable = SearchableToolset(office())
    script = await play(CodeModeToolset(searchable) if in_code else searchable, search(query))
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
        ('select:now,send_mail', 'Found 1 of 2 deferred tools. No search is needed to call now.'),
        ('select:now', "No tools found for 'select:now'. No search is needed to call now."),
    ],
)
async def test_a_miss_says_what_to_write_instead(query: str, message: str) -> None:
    assert await message_of(query) == message


async def test_functions_on_show_need_no_search_either() -> None:
    assert await message_of('select:now', in_code=True) == (
        "No tools found for 'select:now'. No search is needed to call now."
    )


async def test_a_search_around_another_one_says_that_its_options_have_no_effect() -> None:
    nested = SearchableToolset(SearchableToolset(office()), ToolSearchOptions(max_results=1))
    with pytest.warns(ToolSearchWarning, match="have no effect: 'pai_tool_search_tool' searches these tools already"):
        await play(nested, search('money'))


async def test_the_strategy_of_a_subclass_of_tool_search_is_that_of_the_agent() -> None:
    class OwnSearch(ToolSearch[object]):
        """A subclass."""

    asked = list[str]()

    def strategy(ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        asked.extend(queries)
        return ['send_mail']

    script = Script([search('anything')])
    agent = Agent(script.model, toolsets=[office()], capabilities=[CodeMode(), OwnSearch(strategy=strategy)])
    await agent.run('go')
    assert asked == ['anything']


def test_a_result_that_another_framework_wrote_as_json_text_reveals_what_it_found() -> None:
    content = '{"message": "Found 1.", "tools": [{"name": "send_mail"}]}'
    part = ToolReturnPart(DEFAULT_SEARCH_TOOL_NAME, content, tool_call_id='1')
    assert discovered_names([ModelRequest([part])]) == ['send_mail']


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
