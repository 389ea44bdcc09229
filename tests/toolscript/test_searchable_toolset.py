"""Deferred tools stay hidden until a search finds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, RunContext, UserError
from pydantic_ai.messages import CompactionPart, ModelRequest, ModelResponse, ToolReturnPart
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import CombinedToolset
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

from tests.toolscript.scripted import Script, call, play, run_code, search
from toolscript import (
    CodeMode,
    CodeModeToolset,
    DiscoveredToolInfo,
    FunctionToolset,
    SearchableToolset,
    ToolSearchOptions,
)

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def office() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def now() -> str:
        """The time."""
        return 'noon'

    @toolset.tool_plain(defer_loading=True)
    def send_mail(to: str, text: str) -> str:
        """Send an e-mail message."""
        return f'to {to}: {text}'

    @toolset.tool_plain(defer_loading=True)
    def create_invoice(customer: str, amount: float) -> str:
        """Bill a customer."""
        return f'{customer} owes {amount}'

    @toolset.tool_plain(defer_loading=True)
    def refund_payment(payment_id: str) -> str:
        """Give money back."""
        return f'{payment_id} refunded'

    assert all([now(), send_mail('a', 'b'), create_invoice('a', 1), refund_payment('a')])
    return toolset


async def test_only_found_tools_are_shown_and_they_stay() -> None:
    script = await play(
        SearchableToolset(office()), search('mail'), search('refund'), call('send_mail', to='Ada', text='hi')
    )
    assert [list(shown) for shown in script.shown] == snapshot(
        [
            ['now', 'pai_tool_search_tool'],
            ['now', 'pai_tool_search_tool', 'send_mail'],
            ['now', 'pai_tool_search_tool', 'send_mail', 'refund_payment'],
            ['now', 'pai_tool_search_tool', 'send_mail', 'refund_payment'],
        ]
    )
    assert script.answers == snapshot(
        [
            {
                'message': 'Found 1 of 3 deferred tools.',
                'tools': [{'name': 'send_mail', 'description': 'Send an e-mail message.'}],
            },
            {
                'message': 'Found 1 of 3 deferred tools.',
                'tools': [{'name': 'refund_payment', 'description': 'Give money back.'}],
            },
            'to Ada: hi',
        ]
    )


async def test_without_deferred_tools_the_wrapped_ones_pass_through() -> None:
    plain = PlainToolset[object]()
    plain.add_function(len, name='size')
    script = await play(SearchableToolset(plain))
    assert list(script.shown[0]) == ['size']


async def test_nothing_found_is_said_and_no_error() -> None:
    script = await play(SearchableToolset(office()), search('zebra'))
    assert script.answers == snapshot([{'message': "No tools found for 'zebra'", 'tools': []}])


@pytest.mark.parametrize('algorithm', ['ranked', 'bm25', 'keywords', 'regex', None])
async def test_exact_names_can_be_selected_with_every_algorithm(algorithm: Any) -> None:
    toolset = SearchableToolset(office(), ToolSearchOptions(algorithm=algorithm))
    script = await play(toolset, search('select:refund_payment,send_mail,nonsense', max_results=1))
    assert [tool['name'] for tool in script.answers[0]['tools']] == ['refund_payment', 'send_mail']


@pytest.mark.parametrize('algorithm', ['ranked', 'bm25', 'keywords'])
async def test_a_word_with_a_plus_must_match(algorithm: Any) -> None:
    toolset = SearchableToolset(office(), ToolSearchOptions(algorithm=algorithm))
    script = await play(toolset, search('+invoice mail refund'))
    assert [tool['name'] for tool in script.answers[0]['tools']] == ['create_invoice']


async def test_one_call_of_the_model_shows_a_hundred_tools_at_most() -> None:
    many = FunctionToolset[object](defer_loading=True)
    for number in range(120):
        many.add_function(lambda: 'sent', name=f'send_letter_{number}', description='Send a letter')
    script = await play(SearchableToolset(many), search('send letter', max_results=1_000))
    assert script.answers[0]['message'] == 'Found 100 of 120 deferred tools.'


@pytest.mark.parametrize('max_results', [0, -3])
async def test_no_or_a_negative_number_of_results_means_the_default(max_results: int) -> None:
    toolset = SearchableToolset(office(), ToolSearchOptions(max_results=2))
    script = await play(toolset, search('mail invoice refund', max_results=max_results))
    assert len(script.answers[0]['tools']) == 2


def nothing(ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
    return []


@pytest.mark.parametrize('algorithm', ['ranked', 'bm25', 'keywords', 'regex', nothing])
@pytest.mark.parametrize('arguments', [{'query': ''}, {'query': '  '}, {}])
async def test_a_blank_query_asks_for_one(algorithm: Any, arguments: dict[str, Any]) -> None:
    toolset = SearchableToolset(office(), ToolSearchOptions(algorithm=algorithm))
    script = await play(toolset, call('pai_tool_search_tool', **arguments))
    assert (script.answers, script.parts[0].outcome) == (['query is required'], 'retried')


async def test_a_broken_regex_comes_back_with_the_reason() -> None:
    toolset = SearchableToolset(office(), ToolSearchOptions(algorithm='regex'))
    script = await play(toolset, search('mail('), search('re.*nd|mail'))
    assert script.answers == snapshot(
        [
            "invalid regex 'mail(': missing ) at position 5",
            {
                'message': 'Found 2 of 3 deferred tools.',
                'tools': [
                    {'name': 'send_mail', 'description': 'Send an e-mail message.'},
                    {'name': 'refund_payment', 'description': 'Give money back.'},
                ],
            },
        ]
    )


async def test_a_callable_searches_too() -> None:
    def longest_first(ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        return [*sorted((tool.name for tool in tools), key=len, reverse=True), 'unknown']

    async def shortest_first(
        ctx: RunContext[object], queries: Sequence[str], tools: Sequence[ToolDefinition]
    ) -> list[str]:
        return sorted((tool.name for tool in tools), key=len)

    found: list[list[str]] = []
    for algorithm in (longest_first, shortest_first):
        script = await play(SearchableToolset(office(), ToolSearchOptions(algorithm=algorithm)), search('anything'))
        found.append([tool['name'] for tool in script.answers[0]['tools']])
    assert found == [
        ['create_invoice', 'refund_payment', 'send_mail'],
        ['send_mail', 'create_invoice', 'refund_payment'],
    ]


async def test_a_renderer_says_more_but_cannot_rename() -> None:
    def render(tool: ToolDefinition) -> DiscoveredToolInfo:
        return {'name': 'something else', 'description': f'[TOOL] {tool.description}'}

    script = await play(SearchableToolset(office(), ToolSearchOptions(tool_renderer=render)), search('refund'))
    assert script.answers[0]['tools'] == [{'name': 'refund_payment', 'description': '[TOOL] Give money back.'}]


async def history_of_a_search(tool_name: str = 'pai_tool_search_tool') -> list[ModelMessage]:
    script = Script([call(tool_name, query='refund')])
    agent = Agent(script.model, toolsets=[SearchableToolset(office(), ToolSearchOptions(tool_name=tool_name))])
    return (await agent.run('go')).all_messages()


async def shown_with(history: Sequence[ModelMessage], toolset: SearchableToolset[object]) -> list[str]:
    script = Script([])
    await Agent(script.model, toolsets=[toolset]).run('on', message_history=[*history])
    return list(script.shown[0])


async def test_another_agent_knows_from_the_history_what_was_found() -> None:
    history = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(await history_of_a_search()))
    assert await shown_with(history, SearchableToolset(office())) == ['now', 'pai_tool_search_tool', 'refund_payment']


async def test_what_was_found_under_another_name_of_the_search_tool_counts() -> None:
    history = await history_of_a_search('look_for_tools')
    assert 'refund_payment' in await shown_with(history, SearchableToolset(office()))


async def test_what_a_result_lists_counts_where_the_other_agent_kept_no_metadata() -> None:
    found = {'message': 'Found 1 tool.', 'tools': [{'name': 'refund_payment', 'description': 'Give money back.'}]}
    asked = search('refund')
    history: list[ModelMessage] = [
        ModelResponse([asked]),
        ModelRequest([ToolReturnPart('pai_tool_search_tool', found, tool_call_id=asked.tool_call_id)]),
    ]
    assert 'refund_payment' in await shown_with(history, SearchableToolset(office()))


async def test_what_upstream_found_counts() -> None:
    script = Script([call('search_tools', queries=['refund'])])
    history = (await Agent(script.model, toolsets=[office()]).run('go')).all_messages()
    assert 'refund_payment' in await shown_with(history, SearchableToolset(office()))


async def test_what_was_found_before_a_compaction_is_forgotten() -> None:
    history = [*await history_of_a_search(), ModelResponse([CompactionPart(content='They searched for something.')])]
    assert await shown_with(history, SearchableToolset(office())) == ['now', 'pai_tool_search_tool']


@pytest.mark.parametrize('content', ['text', {'tools': 'x'}, {'tools': [None, {'name': 3}, {'name': 'gone'}]}, 7, None])
async def test_malformed_results_in_a_history_are_skipped(content: Any) -> None:
    asked = search('refund')
    history: list[ModelMessage] = [
        ModelResponse([asked]),
        ModelRequest(
            [ToolReturnPart('pai_tool_search_tool', content, tool_call_id=asked.tool_call_id, metadata=content)]
        ),
    ]
    assert await shown_with(history, SearchableToolset(office())) == ['now', 'pai_tool_search_tool']


async def test_a_second_search_tool_is_an_error() -> None:
    with pytest.raises(UserError) as nested:
        await play(SearchableToolset(CombinedToolset([SearchableToolset(office()), office().prefixed('b')])))
    agent = Agent(Script([]).model, toolsets=[SearchableToolset(office()), SearchableToolset(office().prefixed('b'))])
    with pytest.raises(UserError) as beside:
        await agent.run('go')
    assert [str(nested.value), str(beside.value)] == snapshot(
        [
            "'pai_tool_search_tool' searches these tools already; wrap them in one SearchableToolset only.",
            "SearchableToolset(PrefixedToolset(FunctionToolset)) defines a tool whose name conflicts with existing tool from SearchableToolset(FunctionToolset): 'pai_tool_search_tool'. An agent has one search tool: wrap the toolsets together, SearchableToolset(CombinedToolset([...])).",
        ]
    )


async def test_a_tool_with_the_name_of_the_search_tool_is_an_error() -> None:
    toolset = office()
    toolset.add_function(len, name='pai_tool_search_tool')
    with pytest.raises(UserError) as refused:
        await play(SearchableToolset(toolset))
    assert str(refused.value) == snapshot(
        "Tool name 'pai_tool_search_tool' is taken by the search tool; rename your tool, or the search tool with ToolSearchOptions(tool_name=...)."
    )


async def test_found_code_tools_come_with_their_signature_and_appear_in_run_code() -> None:
    script = await play(
        CodeModeToolset(SearchableToolset(office())), search('refund'), run_code("await refund_payment('p1')")
    )
    assert script.answers == snapshot(
        [
            {
                'message': 'Found 1 of 3 deferred tools.',
                'tools': [{'name': 'refund_payment', 'description': 'Give money back.'}],
            },
            'p1 refunded',
        ]
    )
    assert 'refund_payment(payment_id: str)' not in (script.shown[0]['run_code'].description or '')
    assert 'refund_payment(payment_id: str)' in (script.shown[1]['run_code'].description or '')


async def test_a_script_searches_and_calls_what_it_found() -> None:
    script = await play(
        CodeModeToolset(SearchableToolset(office())),
        run_code("found = await search_tools('refund', 1)\nfound, await refund_payment(payment_id='p1')"),
    )
    assert script.answers == snapshot(
        [
            [
                [{'name': 'refund_payment', 'description': 'Give money back.'}],
                'p1 refunded',
            ]
        ]
    )
    assert 'refund_payment(payment_id: str)' in (script.shown[1]['run_code'].description or '')


async def test_an_exactly_guessed_name_works_and_counts_as_found() -> None:
    script = await play(
        CodeModeToolset(SearchableToolset(office())), run_code("await create_invoice('Ada', 2.5)"), 'done'
    )
    assert script.answers == ['Ada owes 2.5']
    assert script.parts[0].metadata['toolscript_discovered'] == ['create_invoice']
    assert 'create_invoice' in (script.shown[1]['run_code'].description or '')


async def test_a_near_miss_is_answered_with_the_closest_signatures() -> None:
    script = await play(CodeModeToolset(SearchableToolset(office())), run_code("await create_invoce('Ada', 2.5)"))
    assert script.answers == snapshot(
        [
            """\
line 1: await create_invoce('Ada', 2.5)
              ^^^^^^^^^^^^^
Name `create_invoce` used when not defined. Did you mean:
async def create_invoice(customer: str, amount: float) -> str: ...
Nothing was run.\
"""
        ]
    )


async def test_the_capability_searches_the_tools_of_an_agent() -> None:
    script = Script([search('area'), run_code('await circle_area(2)')])
    agent = Agent(script.model, capabilities=[CodeMode()])

    @agent.tool_plain(defer_loading=True)
    def circle_area(radius: float) -> float:
        """The area of a circle."""
        return 3 * radius * radius

    await agent.run('go')
    assert [list(shown) for shown in script.shown] == [['pai_tool_search_tool', 'run_code']] * 3
    assert script.answers[1] == circle_area(2)
