"""How much of the deferred tools and of a result a model is shown, where nobody says otherwise."""

import re

import pytest
from pydantic_ai import Agent

from tests.toolscript.scripted import Script, play, run_code
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def one() -> int:
    return 1


def reports() -> FunctionToolset[object]:
    """Twenty deferred tools that the same words find."""
    toolset = FunctionToolset[object](defer_loading=True, allowed_callers='code')
    for number in range(20):
        toolset.add_function(one, takes_ctx=False, name=f'sales_report_{number}', description='Sales report.')
    return toolset


def functions_in(script: Script) -> list[list[str]]:
    """The deferred functions in `run_code`'s description, request by request."""
    return [re.findall(r'def (sales_report_\d+)', tools['run_code'].description or '') for tools in script.shown]


async def test_a_prompt_shows_eight_functions_and_no_more() -> None:
    script = Script([])
    agent = Agent(script.model, toolsets=[CodeModeToolset(SearchableToolset(reports()))])
    await agent.run('Make a sales report.')
    assert len(functions_in(script)[0]) == 8


async def test_a_result_is_cut_where_it_is_longer_than_the_cap() -> None:
    toolset = CodeModeToolset(FunctionToolset[object]([one]), max_result_chars=1_000)
    script = await play(toolset, run_code("'x' * 1000"), run_code("'x' * 1001"))
    assert script.answers[0] == 'x' * 1_000
    assert len(script.answers[1]) <= 1_000
    assert 'x' * 1_000 not in script.answers[1]


async def test_a_search_for_two_things_shows_tools_for_each() -> None:
    tools = reports()
    for number in range(9):
        tools.add_function(one, takes_ctx=False, name=f'send_mail_{number}', description='Send a mail.')
    script = Script([run_code("await search_tools('Make a sales report. Send a mail.')")])
    await Agent(script.model, toolsets=[CodeModeToolset(SearchableToolset(tools))]).run('Hello.')
    shown = re.findall(r'def ([a-z]+)_\w+', script.shown[-1]['run_code'].description or '')
    assert len(shown) == 10
    assert {'sales', 'send'} <= set(shown)
