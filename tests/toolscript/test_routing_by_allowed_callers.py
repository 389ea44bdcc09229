"""Allowed callers of a tool, and the answers to calls of others."""

from typing import Any

import pytest
from pydantic_ai import Agent, UserError
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

import toolscript.agent
from tests.toolscript.scripted import Script, call, functions_text, play, run_code
from toolscript import AllowedCallers, CodeMode, CodeModeToolset, CodeModeWarning, FunctionToolset, allowed_callers
from toolscript.run_code.prompt import BOTH_CALLERS

pytestmark = pytest.mark.pydantic_ai


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

    return toolset


@pytest.mark.parametrize(
    ('options', 'direct', 'in_code'),
    [
        ({}, ['direct_only', 'either'], ['code_only', 'either', 'unmarked']),
        ({'default_callers': 'direct'}, ['direct_only', 'either', 'unmarked'], ['code_only', 'either']),
    ],
)
async def test_each_tool_is_listed_for_its_allowed_callers(
    options: dict[str, Any], direct: list[str], in_code: list[str]
) -> None:
    script = await play(CodeModeToolset(tools(), **options))
    assert list(script.shown[0]) == [*direct, 'run_code']
    functions = functions_text(script.shown[0]['run_code'].description)
    assert functions == '\n\n'.join(f'async def {name}(a: int) -> int: ...' for name in in_code)


@pytest.mark.parametrize('callers', ['direct', 'code', 'both'])
async def test_a_tool_for_both_callers_adds_advice_to_run_code(callers: AllowedCallers) -> None:
    toolset = FunctionToolset[object]()
    toolset.add_function(abs, name='look', metadata=allowed_callers(callers))
    toolset.add_function(len, name='other')
    script = await play(CodeModeToolset(toolset))
    assert len(BOTH_CALLERS.splitlines()) == 1
    assert (script.shown[0]['run_code'].description or '').count(BOTH_CALLERS) == (callers == 'both')


async def test_a_direct_call_of_a_code_only_tool_returns_the_code_to_send() -> None:
    script = await play(
        CodeModeToolset(tools()), call('code_only', a=40), run_code('await code_only(a=40)'), call('either', a=1)
    )
    reported = 'code_only is called from code. Call run_code with this code, or use it in a longer script:\n\n'
    assert script.answers == [f'{reported}await code_only(a=40)', 42, 4]


async def test_code_that_names_a_direct_only_tool_reads_how_to_call_it() -> None:
    script = await play(CodeModeToolset(tools()), run_code('await direct_only(a=1)'))
    reported = 'direct_only cannot be called from code; call the tool direct_only directly, outside of code.'
    assert f'Name `direct_only` used when not defined. {reported}\nNothing was run.' in script.answers[0]


async def test_the_capability_and_our_agent_route_the_tools_of_an_agent() -> None:
    script = Script([run_code('await code_tool(a=1) + await both_tool(a=1)'), call('direct_tool', a=1)])
    agent = Agent(script.model, capabilities=[CodeMode(default_callers='direct')])

    def tool(a: int) -> int:
        return a + 1

    agent.tool_plain(name='code_tool', metadata=allowed_callers('code'))(tool)
    agent.tool_plain(name='both_tool', metadata=allowed_callers('both'))(tool)
    agent.tool_plain(name='direct_tool')(tool)
    await agent.run('go')
    assert list(script.shown[0]) == ['both_tool', 'direct_tool', 'run_code']
    assert script.answers == [4, 2]

    script = Script([run_code('[await code_only(a=1), await added(a=1)]'), call('direct_only', a=1)])
    ours = toolscript.agent.Agent(script.model, toolsets=[CodeModeToolset(tools())])

    @ours.tool_plain(allowed_callers='code')
    def added(a: int) -> int:
        return a + 5

    await ours.run('go')
    assert list(script.shown[0]) == ['direct_only', 'either', 'run_code']
    assert script.answers == [[3, 6], 2]


@pytest.mark.parametrize('value', ['sandbox', '', ['direct'], 1])
async def test_an_unknown_caller_is_an_error_that_names_the_three(value: Any) -> None:
    plain = PlainToolset[object](metadata={'allowed_callers': value})
    plain.add_function(len, name='size')
    with pytest.raises(UserError) as refused:
        await play(CodeModeToolset(plain))
    assert str(refused.value) == f"allowed_callers of tool 'size' is {value!r}; use 'direct', 'code' or 'both'."


@pytest.mark.parametrize('callers', ['code', 'both'])
async def test_a_tool_that_runs_code_itself_stays_outside_whatever_its_callers(callers: AllowedCallers) -> None:
    toolset = FunctionToolset[object]()
    toolset.add_function(lambda: 1, name='look')
    toolset.add_function(lambda: 2, name='run_sql', metadata={'code_arg_name': 'sql', **allowed_callers(callers)})
    script = await play(CodeModeToolset(toolset))
    assert list(script.shown[0]) == ['run_sql', 'run_code']
    assert 'run_sql' not in (script.shown[0]['run_code'].description or '')


async def test_a_tool_called_run_code_or_a_second_code_mode_is_refused() -> None:
    plain = PlainToolset[object]()
    plain.add_function(len, name='run_code')
    for toolset in (plain, CodeModeToolset(tools())):
        with pytest.raises(UserError) as refused:
            await play(CodeModeToolset(toolset))
        assert str(refused.value) == (
            "Tool name 'run_code' is reserved for code mode; rename your tool, or use one code mode only."
        )


async def test_an_empty_toolset_gives_a_warning_and_no_run_code() -> None:
    with pytest.warns(CodeModeWarning, match=r'^CodeModeToolset wraps no tool that code may call, so there is no run'):
        script = await play(CodeModeToolset(FunctionToolset[object]()))
    assert script.shown[0] == {}
