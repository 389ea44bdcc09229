"""Deferred tools stay hidden until a search finds them."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, RunContext, UserError
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.messages import CompactionPart, ModelRequest, ModelResponse, NativeToolSearchReturnPart, ToolReturnPart
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from tests.text_cases import TextCase, text_cases
from tests.toolscript.office import office
from tests.toolscript.scripted import Script, call, play, run_code, search
from toolscript import (
    CodeMode,
    CodeModeToolset,
    DiscoveredToolInfo,
    FunctionToolset,
    SearchableToolset,
    ToolSearchOptions,
    ToolSearchWarning,
)
from toolscript.discovery.discoveries import discovered_names
from toolscript.discovery.search_options import DEFAULT_SEARCH_TOOL_NAME

pytestmark = pytest.mark.pydantic_ai

FIND = 'pai_tool_search_tool'
_HERE = Path(__file__).parent


async def test_only_found_tools_are_shown_and_they_remain() -> None:
    script = await play(
        SearchableToolset(office()), search('mail'), search('refund'), call('send_mail', to='Ada', text='hi')
    )
    found = [[], ['send_mail'], ['send_mail', 'refund_payment'], ['send_mail', 'refund_payment']]
    assert [list(shown) for shown in script.shown] == [['now', FIND, *names] for names in found]
    mail = {'name': 'send_mail', 'description': 'Send an e-mail message.'}
    assert script.answers[0] == {'message': 'Found 1 of 3 deferred tools.', 'tools': [mail]}
    assert script.answers[2] == 'to Ada: hi'


async def test_one_call_of_the_model_shows_at_most_a_hundred_tools() -> None:
    many = FunctionToolset[object](defer_loading=True)
    for number in range(120):
        many.add_function(lambda: 'sent', name=f'send_letter_{number}', description='Send a letter')
    script = await play(SearchableToolset(many), search('send letter', max_results=1_000))
    assert script.answers[0]['message'] == 'Found 100 of 120 deferred tools.'


@pytest.mark.parametrize('max_results', [0, -3])
async def test_a_missing_or_negative_number_of_results_means_the_default(max_results: int) -> None:
    toolset = SearchableToolset(office(), ToolSearchOptions(max_results=2))
    script = await play(toolset, search('mail invoice refund', max_results=max_results))
    assert len(script.answers[0]['tools']) == 2


def nothing(ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
    return []


@pytest.mark.parametrize('algorithm', ['ranked', 'bm25', 'keywords', 'regex', nothing])
@pytest.mark.parametrize('arguments', [{'query': ''}, {'query': '  '}, {}])
async def test_a_blank_query_is_answered_with_a_request_for_one(algorithm: Any, arguments: dict[str, Any]) -> None:
    toolset = SearchableToolset(office(), ToolSearchOptions(algorithm=algorithm))
    script = await play(toolset, call(FIND, **arguments))
    assert (script.answers, script.parts[0].outcome) == (['query is required'], 'retried')


async def test_a_broken_regex_is_returned_with_the_reason() -> None:
    toolset = SearchableToolset(office(), ToolSearchOptions(algorithm='regex'))
    script = await play(toolset, search('mail('), search('re.*nd|mail'))
    assert script.answers[0] == "invalid regex 'mail(': missing ) at position 5"
    assert [tool['name'] for tool in script.answers[1]['tools']] == ['send_mail', 'refund_payment']


async def test_a_callable_can_be_the_search() -> None:
    def longest_first(ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        return [*sorted((tool.name for tool in tools), key=len, reverse=True), 'unknown']

    async def none(ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        return []

    for algorithm, found in ((longest_first, ['create_invoice', 'refund_payment', 'send_mail']), (none, [])):
        script = await play(SearchableToolset(office(), ToolSearchOptions(algorithm=algorithm)), search('anything'))
        assert [tool['name'] for tool in script.answers[0]['tools']] == found
    options = ToolSearchOptions(algorithm=longest_first, max_results=2)
    script = await play(SearchableToolset(office(), options), search('anything'))
    assert [tool['name'] for tool in script.answers[0]['tools']] == ['create_invoice', 'refund_payment']


async def test_a_renderer_adds_text_but_cannot_rename() -> None:
    def render(tool: ToolDefinition) -> DiscoveredToolInfo:
        return {'name': 'something else', 'description': f'[TOOL] {tool.description}'}

    script = await play(SearchableToolset(office(), ToolSearchOptions(tool_renderer=render)), search('refund'))
    assert script.answers[0]['tools'] == [{'name': 'refund_payment', 'description': '[TOOL] Give money back.'}]


# -- discoveries in a history


async def shown_with(history: Sequence[ModelMessage]) -> list[str]:
    """Return the tools of an agent that continues with a history."""
    script = Script([])
    await Agent(script.model, toolsets=[SearchableToolset(office())]).run('on', message_history=[*history])
    return list(script.shown[0])


async def history_of_a_search() -> list[ModelMessage]:
    toolset = SearchableToolset(office(), ToolSearchOptions(tool_name='look_for_tools'))
    result = await Agent(Script([call('look_for_tools', query='refund')]).model, toolsets=[toolset]).run('go')
    return ModelMessagesTypeAdapter.validate_json(result.all_messages_json())


def answered(content: Any, metadata: Any = None) -> list[ModelMessage]:
    """Return a history in which the search gave this result."""
    part = ToolReturnPart(FIND, content, tool_call_id='found', metadata=metadata)
    asked = search('refund')
    asked.tool_call_id = 'found'
    return [ModelResponse([asked]), ModelRequest([part])]


async def test_another_agent_reads_discoveries_from_the_history() -> None:
    history = await history_of_a_search()
    assert await shown_with(history) == ['now', FIND, 'refund_payment']
    forgotten = [*history, ModelResponse([CompactionPart(content='They searched for something.')])]
    assert await shown_with(forgotten) == ['now', FIND]


async def test_discoveries_are_read_from_results_without_metadata() -> None:
    found = {'message': 'Found 1 tool.', 'tools': [{'name': 'refund_payment', 'description': 'Give money back.'}]}
    assert 'refund_payment' in await shown_with(answered(found))


async def test_discoveries_of_pydantic_ai_count() -> None:
    script = Script([call('search_tools', queries=['refund'])])
    history = (await Agent(script.model, toolsets=[office()]).run('go')).all_messages()
    assert 'refund_payment' in await shown_with(history)


@pytest.mark.parametrize('content', ['text', {'tools': 'x'}, {'tools': [None, {'name': 3}, {'name': 'gone'}]}, 7, None])
async def test_malformed_results_in_a_history_are_skipped(content: Any) -> None:
    assert await shown_with(answered(content, metadata=content)) == ['now', FIND]


# -- one search


async def test_a_second_search_tool_is_an_error() -> None:
    with pytest.raises(UserError) as nested:
        await play(SearchableToolset(CombinedToolset([SearchableToolset(office()), office().prefixed('b')])))
    agent = Agent(Script([]).model, toolsets=[SearchableToolset(office()), SearchableToolset(office().prefixed('b'))])
    with pytest.raises(UserError) as beside:
        await agent.run('go')
    assert [str(nested.value), str(beside.value)] == [
        "'pai_tool_search_tool' searches these tools already; wrap them in one SearchableToolset only.",
        "SearchableToolset(PrefixedToolset(FunctionToolset)) defines a tool whose name conflicts with existing tool from SearchableToolset(FunctionToolset): 'pai_tool_search_tool'. An agent has one search tool: wrap the toolsets together, SearchableToolset(CombinedToolset([...])).",
    ]


async def test_a_tool_with_the_name_of_the_search_tool_is_an_error() -> None:
    toolset = office()
    toolset.add_function(len, name=FIND)
    with pytest.raises(UserError) as refused:
        await play(SearchableToolset(toolset))
    assert str(refused.value) == snapshot(
        "Tool name 'pai_tool_search_tool' is taken by the search tool; rename your tool, or the search tool with ToolSearchOptions(tool_name=...)."
    )


# -- in code


async def test_a_script_searches_and_calls_its_results() -> None:
    code = "found = await search_tools('refund', 1)\nfound, await refund_payment(payment_id='p1')"
    script = await play(CodeModeToolset(SearchableToolset(office())), run_code(code))
    assert script.answers == [[[{'name': 'refund_payment', 'description': 'Give money back.'}], 'p1 refunded']]
    shown = ['refund_payment(payment_id: str)' in (shown['run_code'].description or '') for shown in script.shown]
    assert shown == [False, True]


async def test_a_correctly_guessed_name_works_and_counts_as_found() -> None:
    script = await play(CodeModeToolset(SearchableToolset(office())), run_code("await create_invoice('Ada', 2.5)"))
    assert script.answers == ['Ada owes 2.5']
    assert script.parts[0].metadata['toolscript_discovered'] == ['create_invoice']
    assert 'create_invoice' in (script.shown[1]['run_code'].description or '')


async def test_a_near_miss_is_answered_with_the_closest_signatures() -> None:
    script = await play(CodeModeToolset(SearchableToolset(office())), run_code("await create_invoce('Ada', 2.5)"))
    assert script.answers == [
        """\
line 1: await create_invoce('Ada', 2.5)
              ^^^^^^^^^^^^^
Name `create_invoce` used when not defined. Did you mean:
async def create_invoice(customer: str, amount: float) -> str: ...
Find functions with pai_tool_search_tool, or in code: await search_tools("what it does").
Nothing was run.\
"""
    ]


# -- calls of hidden tools


async def test_a_hidden_tool_called_by_its_name_is_loaded_and_called_again() -> None:
    mail = call('send_mail', to='Ada', text='hi')
    script = await play(SearchableToolset(office()), call('send_mail', recipient='Ada'), mail)
    assert script.answers == [
        """\
send_mail was not loaded yet; now it is. send_mail got arguments it cannot take:
- to: Field required
- text: Field required
- recipient: Extra inputs are not permitted (got 'Ada')\
""",
        'to Ada: hi',
    ]
    script = await play(SearchableToolset(office()), mail)
    assert script.answers == ['send_mail was not loaded yet; now it is. Read its description, then call it again.']
    assert [list(shown) for shown in script.shown] == [['now', FIND], ['now', FIND, 'send_mail']]


@pytest.mark.parametrize(
    'arguments', [{'query': 'refund'}, {'queries': ['refund']}, {'pattern': ' refund '}, {'query': '', 'q': 'refund'}]
)
@pytest.mark.parametrize('name', ['search_tools', 'tool_search', 'tool_search_tool_bm25', 'tool_search_tool_regex'])
async def test_a_search_under_another_name_is_answered_with_ours_and_the_query(
    name: str, arguments: dict[str, object]
) -> None:
    script = await play(SearchableToolset(office()), call(name, **arguments))
    assert script.answers == ["To find tools, call pai_tool_search_tool with query 'refund'."]


CATALOGS: dict[str, Callable[[], AbstractToolset[object]]] = {
    'searched': lambda: SearchableToolset(office()),
    'renamed': lambda: SearchableToolset(office(), ToolSearchOptions(tool_name='find_tools')),
    'nothing deferred': lambda: SearchableToolset(FunctionToolset[object]([len])),
    'in code': lambda: CodeModeToolset(SearchableToolset(office())),
}


@pytest.mark.parametrize('case', text_cases(_HERE / 'mistaken_calls.txt'), ids=str)
async def test_a_call_of_an_unknown_tool_is_answered_with_the_names_to_call(case: TextCase) -> None:
    catalog, _, written = case.given.partition(': ')
    name, _, arguments = written.partition(' ')
    assert (await play(CATALOGS[catalog](), call(name, **json.loads(arguments)))).answers == [case.expected]


@pytest.mark.parametrize('name', [FIND, 'tool_search', 'tool_search_tool_bm25'])
async def test_a_search_tool_called_from_code_is_refused_with_the_function_to_call(name: str) -> None:
    script = await play(CodeModeToolset(SearchableToolset(office())), run_code(f'await {name}("mail")'))
    assert "To search from code: await search_tools('what it does')." in script.answers[0]


# -- the text of a search with no or too few results


async def message_of(query: str, *toolsets: AbstractToolset[object]) -> str:
    script = await play(SearchableToolset(CombinedToolset(toolsets)), search(query))
    return script.answers[0]['message']


@pytest.mark.parametrize('case', text_cases(_HERE / 'searches_without_results.txt'), ids=str)
async def test_a_search_without_results_advises_another_query_or_names_the_servers_by_size(case: TextCase) -> None:
    query, _, servers = case.given.partition('\n')
    toolsets = [tools_of(name, count) for name, count in json.loads(servers or '{}').items()]
    assert await message_of(query, *toolsets or [office()]) == case.expected


async def test_shown_functions_need_no_search() -> None:
    script = await play(CodeModeToolset(SearchableToolset(office())), search('select:now'))
    assert script.answers[0]['message'] == "No tools found for 'select:now'. No search is needed to call now."


async def test_an_outer_search_warns_that_the_options_of_an_inner_one_have_no_effect() -> None:
    nested = SearchableToolset(SearchableToolset(office()), ToolSearchOptions(max_results=1))
    with pytest.warns(ToolSearchWarning, match="have no effect: 'pai_tool_search_tool' searches these tools already"):
        await play(nested, search('money'))


async def test_the_strategy_of_a_subclass_of_tool_search_is_that_of_the_agent() -> None:
    class OwnSearch(ToolSearch[object]):
        """A subclass of the framework's search."""

    asked = list[str]()

    def strategy(ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        asked.extend(queries)
        return ['send_mail']

    script = Script([search('anything')])
    agent = Agent(script.model, toolsets=[office()], capabilities=[CodeMode(), OwnSearch(strategy=strategy)])
    await agent.run('go')
    assert asked == ['anything']


def test_a_result_that_another_framework_wrote_as_json_text_is_read() -> None:
    content = '{"message": "Found 1.", "tools": [{"name": "send_mail"}]}'
    cut = ToolReturnPart(DEFAULT_SEARCH_TOOL_NAME, content[:-1], tool_call_id='1')
    part = ToolReturnPart(DEFAULT_SEARCH_TOOL_NAME, content, tool_call_id='2')
    assert discovered_names([ModelRequest([cut, part])]) == ['send_mail']


def test_searches_of_providers_and_texts_without_metadata_are_read() -> None:
    native = NativeToolSearchReturnPart(content={'discovered_tools': [{'name': 'send_mail'}]}, tool_call_id='1')
    text = ToolReturnPart('search_tools', 'async def find_mail(query: str) -> str: ...\n- calendar', tool_call_id='2')
    assert discovered_names([ModelResponse([native]), ModelRequest([text])]) == ['send_mail', 'find_mail', 'calendar']


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
async def test_a_typo_finds_the_tool_and_a_different_name_finds_none(written: str, called: str, found: bool) -> None:
    toolset = FunctionToolset[object]()
    toolset.add_function(no_op, name=called, defer_loading=True)
    script = await play(SearchableToolset(toolset), search(f'select:{written}'))
    assert script.answers[0]['message'].startswith('Found 1 of 1' if found else 'No tools found')


async def test_of_two_equally_near_tools_none_is_chosen() -> None:
    toolset = FunctionToolset[object]()
    for name in ('create_link', 'create_line'):
        toolset.add_function(no_op, name=name, defer_loading=True)
    script = await play(SearchableToolset(toolset), search('select:create_lin'))
    message = script.answers[0]['message']
    assert message == "No tools found for 'select:create_lin'. The closest names: create_link, create_line."


@pytest.mark.parametrize('query', ['q' * 10_000, 'select:' + ','.join(f'zebra_{n}' for n in range(2_000))])
async def test_an_answer_repeats_little_of_a_long_query(query: str) -> None:
    assert len(await message_of(query, office())) < 400
    assert len(await message_of(f'{query},send_mail', office())) < 3_000


def no_op() -> None: ...


def tools_of(server: str, count: int) -> FunctionToolset[object]:
    toolset = FunctionToolset[object](defer_loading=True, metadata={'server': server})
    for number in range(count):
        toolset.add_function(no_op, name=f'{server}_{number}')
    return toolset


async def test_at_most_twenty_servers_are_named() -> None:
    message = await message_of('zebra', *(tools_of(f'server{number:02}', 1) for number in range(30)))
    assert message.endswith(', server19, 10 more.')
