"""What a model is told that calls a tool of a searchable toolset by the wrong name, or before it was found."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from tests.toolscript.scripted import call, play, run_code, search
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset, ToolSearchOptions

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def office() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def now() -> str:
        return 'noon'

    @toolset.tool_plain(defer_loading=True)
    def send_mail(to: str, text: str) -> str:
        return f'to {to}: {text}'

    @toolset.tool_plain(defer_loading=True)
    def refund_payment(payment_id: str) -> str:
        return f'{payment_id} refunded'

    assert all([now(), send_mail('a', 'b'), refund_payment('a')])
    return toolset


async def test_a_hidden_tool_called_by_its_name_is_loaded_and_called_again() -> None:
    mail = call('send_mail', to='Ada', text='hi')
    script = await play(SearchableToolset(office()), mail, mail)
    assert script.answers == snapshot(
        ['send_mail was not loaded yet; now it is. Read its description, then call it again.', 'to Ada: hi']
    )
    assert [list(shown) for shown in script.shown] == snapshot(
        [
            ['now', 'pai_tool_search_tool'],
            ['now', 'pai_tool_search_tool', 'send_mail'],
            ['now', 'pai_tool_search_tool', 'send_mail'],
        ]
    )


async def test_a_hidden_tool_called_with_wrong_arguments_says_what_is_wrong() -> None:
    script = await play(SearchableToolset(office()), call('send_mail', recipient='Ada'))
    assert script.answers == snapshot(
        [
            """\
send_mail was not loaded yet; now it is. send_mail got arguments it cannot take:
- to: Field required
- text: Field required
- recipient: Extra inputs are not permitted (got 'Ada')\
"""
        ]
    )


@pytest.mark.parametrize(
    'arguments', [{'query': 'refund'}, {'queries': ['refund']}, {'pattern': ' refund '}, {'query': '', 'q': 'refund'}]
)
@pytest.mark.parametrize('name', ['search_tools', 'tool_search', 'tool_search_tool_bm25', 'tool_search_tool_regex'])
async def test_a_search_under_another_name_is_answered_with_ours_and_the_query(
    name: str, arguments: dict[str, object]
) -> None:
    script = await play(SearchableToolset(office()), call(name, **arguments))
    assert script.answers == ["To find tools, call pai_tool_search_tool with query 'refund'."]


async def test_a_search_under_another_name_without_a_query_asks_for_one() -> None:
    script = await play(SearchableToolset(office()), call('search_tools', limit=3))
    assert script.answers == ['To find tools, call pai_tool_search_tool with a query.']


async def test_the_default_name_of_the_search_still_has_a_door_where_it_has_another() -> None:
    toolset = SearchableToolset(office(), ToolSearchOptions(tool_name='find_tools'))
    script = await play(toolset, search('mail'))
    assert script.answers == ["To find tools, call find_tools with query 'mail'."]


async def test_a_misspelt_name_is_answered_with_the_closest_and_how_to_reach_them() -> None:
    script = await play(SearchableToolset(office()), call('send_mial', to='Ada', text='hi'))
    assert script.answers == snapshot(
        [
            """\
There is no tool send_mial. Did you mean:
- send_mail, after a call of pai_tool_search_tool with query "select:send_mail"\
"""
        ]
    )


async def test_a_name_like_no_other_is_answered_by_the_framework() -> None:
    script = await play(SearchableToolset(office()), call('zzz'))
    assert script.answers == snapshot(["Unknown tool name: 'zzz'. Available tools: 'now', 'pai_tool_search_tool'"])


async def test_without_anything_hidden_there_are_no_doors() -> None:
    toolset = FunctionToolset[object]()
    toolset.add_function(len, name='size')
    script = await play(SearchableToolset(toolset), call('search_tools', query='mail'))
    assert script.answers == snapshot(["Unknown tool name: 'search_tools'. Available tools: 'size'"])


async def test_code_mode_answers_for_the_tools_that_are_hidden_inside_it() -> None:
    toolset = CodeModeToolset(SearchableToolset(office()))
    script = await play(
        toolset, call('send_mail', to='Ada', text='hi'), call('send_mial'), call('tool_search', query='mail')
    )
    assert script.answers == snapshot(
        [
            """\
send_mail is called from code. Call run_code with this code, or use it in a longer script:

await send_mail(to='Ada', text='hi')\
""",
            """\
There is no tool send_mial. Did you mean:
- send_mail, called from code, in run_code\
""",
            "To find tools, call pai_tool_search_tool with query 'mail'.",
        ]
    )


@pytest.mark.parametrize('name', ['pai_tool_search_tool', 'tool_search', 'tool_search_tool_bm25'])
async def test_a_search_tool_called_from_code_is_told_the_function_to_call(name: str) -> None:
    script = await play(CodeModeToolset(SearchableToolset(office())), run_code(f'await {name}("mail")'))
    assert "To search from code: await search_tools('what it does')." in script.answers[0]
