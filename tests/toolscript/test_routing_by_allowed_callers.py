"""Who may call a tool, and what happens at the wrong door."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, UserError
from pydantic_ai.toolsets import FunctionToolset as PlainToolset
from typing_extensions import TypedDict

import toolscript.agent
from tests.toolscript.scripted import Script, call, functions_text, play, run_code
from toolscript import AllowedCallers, CodeMode, CodeModeToolset, CodeModeWarning, FunctionToolset, allowed_callers
from toolscript.run_code.prompt import BOTH_DOORS

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


class Point(TypedDict):
    x: int
    y: int


def tools() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain(allowed_callers='direct')
    def direct_only(a: int) -> int:
        return a + 1

    @toolset.tool_plain(allowed_callers='code')
    def code_only(a: int) -> int:
        return a + 2

    @toolset.tool_plain(allowed_callers='both')
    def either(a: int) -> int:
        return a + 3

    @toolset.tool_plain
    def unmarked(a: int) -> int:
        return a + 4

    assert [direct_only(0), code_only(0), either(0), unmarked(0)] == [1, 2, 3, 4]
    return toolset


async def test_each_tool_is_listed_at_the_doors_it_allows() -> None:
    script = await play(CodeModeToolset(tools()))
    assert list(script.shown[0]) == snapshot(['direct_only', 'either', 'run_code'])
    functions = functions_text(script.shown[0]['run_code'].description)
    assert functions == snapshot("""\
async def code_only(a: int) -> int: ...

async def either(a: int) -> int: ...

async def unmarked(a: int) -> int: ...\
""")


async def test_default_callers_moves_only_the_tools_that_say_nothing() -> None:
    script = await play(CodeModeToolset(tools(), default_callers='direct'))
    assert list(script.shown[0]) == snapshot(['direct_only', 'either', 'unmarked', 'run_code'])


@pytest.mark.parametrize('callers', ['direct', 'code', 'both'])
async def test_where_both_doors_stand_open_run_code_says_in_two_lines_which_to_take(callers: AllowedCallers) -> None:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain(allowed_callers=callers)
    def look(a: int) -> int:
        return a

    toolset.add_function(lambda: look(1), name='other')
    script = await play(CodeModeToolset(toolset))
    assert len(BOTH_DOORS.splitlines()) == 1
    shown = (script.shown[0]['run_code'].description or '').count(BOTH_DOORS)
    assert shown == (callers == 'both')


async def test_a_tool_for_both_doors_gives_the_same_at_each() -> None:
    script = await play(CodeModeToolset(tools()), call('either', a=1), run_code('await either(a=1)'))
    assert script.answers == [4, 4]


async def test_a_direct_call_of_a_code_only_tool_is_answered_with_the_code_to_send() -> None:
    script = await play(CodeModeToolset(tools()), call('code_only', a=40), run_code('await code_only(a=40)'))
    assert script.answers == snapshot(
        [
            """\
code_only is called from code. Call run_code with this code, or use it in a longer script:

await code_only(a=40)\
""",
            42,
        ]
    )


async def test_code_that_names_a_direct_only_tool_is_told_how_to_call_it() -> None:
    script = await play(CodeModeToolset(tools()), run_code('await direct_only(a=1)'))
    assert script.answers == snapshot(
        [
            """\
line 1: await direct_only(a=1)
              ^^^^^^^^^^^
Name `direct_only` used when not defined. direct_only cannot be called from code; call the tool direct_only directly, outside of code.
Nothing was run.\
"""
        ]
    )


async def test_metadata_marks_the_tools_of_any_toolset() -> None:
    plain = PlainToolset[object]()

    @plain.tool_plain
    def double(a: int) -> int:
        return a * 2

    marked = plain.with_metadata(**allowed_callers('code')).prefixed('math')
    script = await play(CodeModeToolset(marked, default_callers='direct'), run_code('await math_double(a=21)'))
    assert (list(script.shown[0]), script.answers) == (['run_code'], [double(21)])


async def test_the_capability_routes_the_tools_of_an_agent() -> None:
    script = Script([run_code('await code_tool(a=1) + await both_tool(a=1)'), call('direct_tool', a=1)])
    agent = Agent(script.model, capabilities=[CodeMode(default_callers='direct')])

    @agent.tool_plain(metadata=allowed_callers('code'))
    def code_tool(a: int) -> int:
        return a + 1

    @agent.tool_plain(metadata=allowed_callers('both'))
    def both_tool(a: int) -> int:
        return a + 2

    @agent.tool_plain
    def direct_tool(a: int) -> int:
        return a + 3

    await agent.run('go')
    assert list(script.shown[0]) == ['both_tool', 'direct_tool', 'run_code']
    assert script.answers == [code_tool(1) + both_tool(1), direct_tool(1)]


async def test_direct_and_code_toolsets_stand_side_by_side() -> None:
    beside = PlainToolset[object]()

    @beside.tool_plain
    def here() -> str:
        return 'beside'

    script = Script([call('here'), run_code('await code_only(a=1)')])
    await Agent(script.model, toolsets=[beside, CodeModeToolset(tools())]).run('go')
    assert script.answers == [here(), 3]


@pytest.mark.parametrize('value', ['sandbox', '', ['direct'], 1])
async def test_an_unknown_caller_is_an_error_that_names_the_three(value: object) -> None:
    plain = PlainToolset[object](metadata={'allowed_callers': value})
    plain.add_function(len, name='size')
    with pytest.raises(UserError) as refused:
        await play(CodeModeToolset(plain))
    assert str(refused.value) == f"allowed_callers of tool 'size' is {value!r}; use 'direct', 'code' or 'both'."


def test_an_unknown_caller_is_refused_where_it_is_written() -> None:
    with pytest.raises(UserError) as refused:
        allowed_callers('everyone')  # pyright: ignore[reportArgumentType]
    assert str(refused.value) == snapshot("allowed_callers is 'everyone'; use 'direct', 'code' or 'both'.")


@pytest.mark.parametrize('callers', ['code', 'both'])
async def test_a_tool_that_runs_code_itself_stays_outside_whatever_it_says(callers: AllowedCallers) -> None:
    toolset = FunctionToolset[object]()
    toolset.add_function(lambda: 1, name='look')
    toolset.add_function(lambda: 2, name='run_sql', metadata={'code_arg_name': 'sql', **allowed_callers(callers)})
    script = await play(CodeModeToolset(toolset))
    assert list(script.shown[0]) == ['run_sql', 'run_code']
    assert 'run_sql' not in (script.shown[0]['run_code'].description or '')


async def test_a_tool_called_run_code_is_refused() -> None:
    plain = PlainToolset[object]()
    plain.add_function(len, name='run_code')
    with pytest.raises(UserError) as refused:
        await play(CodeModeToolset(plain))
    assert str(refused.value) == snapshot(
        "Tool name 'run_code' is reserved for code mode; rename your tool, or use one code mode only."
    )


async def test_an_empty_toolset_is_a_warning_and_no_run_code() -> None:
    with pytest.warns(CodeModeWarning) as warned:
        script = await play(CodeModeToolset(FunctionToolset[object]()))
    assert script.shown[0] == {}
    assert str(warned[0].message) == snapshot(
        'CodeModeToolset wraps no tool that code may call, so there is no run_code. Add tools to it, or mark some '
        "with allowed_callers='code'."
    )


async def test_our_agent_takes_a_toolset_that_is_in_code_mode_already() -> None:
    script = Script([run_code('[await code_only(a=1), await added(a=1)]'), call('direct_only', a=1)])
    agent = toolscript.agent.Agent(script.model, toolsets=[CodeModeToolset(tools())])

    @agent.tool_plain(allowed_callers='code')
    def added(a: int) -> int:
        return a + 5

    await agent.run('go')
    assert list(script.shown[0]) == ['direct_only', 'either', 'run_code']
    assert script.answers == [[3, added(1)], 2]


async def test_two_code_modes_that_both_want_all_tools_are_an_error() -> None:
    with pytest.raises(UserError, match='use one code mode only'):
        await play(CodeModeToolset(CodeModeToolset(tools())))
