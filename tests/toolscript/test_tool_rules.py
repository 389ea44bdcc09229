"""Rules: what holds for tools that say nothing of it, or something else."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, DeferredToolRequests, UserError

from tests.toolscript.scripted import Script, call, functions_text, play, run_code, search
from toolscript import (
    CodeMode,
    CodeModeToolset,
    FunctionToolset,
    SearchableToolset,
    Snapshots,
    ToolRule,
    ToolRuleWarning,
    pending_calls,
)

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def shop() -> FunctionToolset[object]:
    toolset = FunctionToolset[object](id='shop')

    @toolset.tool_plain
    def list_orders() -> list[int]:
        return [1, 2, 3]

    @toolset.tool_plain(requires_approval=True)
    def cancel_order(number: int) -> str:
        return f'{number} cancelled'

    @toolset.tool_plain
    def delete_order(number: int) -> str:
        return f'{number} deleted'

    @toolset.tool_plain
    async def wait_for_parcel() -> str:
        await asyncio.Event().wait()
        return 'never'

    return toolset


def ruled(*rules: ToolRule) -> CodeModeToolset[object]:
    return CodeModeToolset(SearchableToolset(shop().prefixed('eu')), rules=rules, snapshots=Snapshots(key='k' * 32))


async def failing(toolset: CodeModeToolset[object], expression: str) -> Any:
    code = f"""\
try:
    answer = await {expression}
except Exception as error:
    answer = f'{{type(error).__name__}}: {{error}}'
answer"""
    return (await play(toolset, run_code(code))).answers[0]


async def test_rules_say_who_calls_and_what_waits_to_be_found_by_the_servers_own_names() -> None:
    script = await play(
        ruled(
            ToolRule('list_*', server='shop', allowed_callers='direct'),
            ToolRule(['cancel_*', 'wait_*'], defer_loading=True),
            ToolRule('delete_order', hidden=True),
        ),
        call('eu_list_orders'),
        search('cancel'),
    )
    assert list(script.shown[0]) == snapshot(['eu_list_orders', 'pai_tool_search_tool', 'run_code'])
    assert script.answers[0] == [1, 2, 3]
    assert [tool['name'] for tool in script.answers[1]['tools']] == snapshot(['eu_cancel_order'])
    assert 'delete_order' not in str(script.shown)


async def test_each_setting_is_that_of_the_first_rule_that_says_it() -> None:
    script = await play(
        ruled(
            ToolRule('list_*', defer_loading=False),
            ToolRule('list_*', defer_loading=True, allowed_callers='both'),
            ToolRule(defer_loading=True, allowed_callers='code'),
        )
    )
    assert list(script.shown[0]) == snapshot(['eu_list_orders', 'pai_tool_search_tool', 'run_code'])
    shown = functions_text(script.shown[0]['run_code'].description)
    assert shown == '# 1 of 4 functions; search for the rest\n\nasync def eu_list_orders() -> list[int]: ...'


async def test_rules_ask_for_approval_and_lift_it() -> None:
    toolset = ruled(ToolRule('cancel_*', requires_approval=False), ToolRule('delete_*', requires_approval=True))
    code = '[await eu_cancel_order(number=1), await eu_delete_order(number=2)]'
    script = Script([run_code(code)])
    agent = Agent(script.model, toolsets=[toolset], output_type=[str, DeferredToolRequests])
    waiting = (await agent.run('go')).output
    assert isinstance(waiting, DeferredToolRequests)
    assert [pending.tool_name for pending in pending_calls(waiting)] == ['eu_delete_order']


async def test_a_call_that_takes_too_long_is_a_timeout_of_the_script() -> None:
    answer = await failing(ruled(ToolRule('wait_*', timeout=0.01)), 'eu_wait_for_parcel()')
    assert answer == snapshot('TimeoutError: Timed out after 0.01 seconds. The outcome of wait_for_parcel is unknown.')


async def test_a_result_that_is_too_long_is_dropped_and_says_so() -> None:
    answer = await failing(ruled(ToolRule('list_*', max_result_chars=5)), 'eu_list_orders()')
    assert answer == snapshot(
        'RuntimeError: list_orders was called and returned 7 characters; 5 are allowed, so the result was dropped. Ask for less: a filter, a page, or fewer fields.'
    )


async def test_calls_are_counted_in_each_run_for_each_tool() -> None:
    toolset = ruled(ToolRule(max_calls=2))
    code = 'await asyncio.gather(*[eu_list_orders() for _ in range(3)])'
    assert await failing(toolset, code.removeprefix('await ')) == snapshot(
        'RuntimeError: list_orders may be called 2 times in a run; it was not called again.'
    )
    assert await failing(toolset, 'eu_list_orders()') == [1, 2, 3]


async def test_a_rule_that_matches_nothing_is_told_once_with_what_is_close() -> None:
    toolset = ruled(ToolRule('list_*', hidden=True), ToolRule('cancle_*', server='shop', hidden=True))
    with pytest.warns(ToolRuleWarning) as told:
        await asyncio.gather(play(toolset), play(toolset))
    assert [str(warning.message) for warning in told] == snapshot(
        [
            "ToolRule('cancle_*', server='shop', hidden=True) matches no tool; close are cancel_order. Correct or remove it."
        ]
    )


async def test_code_mode_as_a_capability_takes_them_for_all_tools_and_from_a_spec() -> None:
    for mode in (
        CodeMode[object](rules=[ToolRule('list_*', allowed_callers='direct')]),
        CodeMode.from_spec(rules=[{'tools': 'list_*', 'allowed_callers': 'direct'}]),
    ):
        script = Script([])
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            await Agent(script.model, toolsets=[shop()], capabilities=[mode]).run('go')
        assert list(script.shown[0]) == ['list_orders', 'run_code']


@pytest.mark.parametrize(
    ('settings', 'message'),
    [
        (
            {},
            "ToolRule('a') has no setting; add one of mark_read_only, hidden, allowed_callers, defer_loading, requires_approval,",
        ),
        ({'hidden': 'yes'}, "hidden of ToolRule is 'yes'; use True or False."),
        ({'allowed_callers': 'nobody'}, "allowed_callers of tool 'a' is 'nobody'; use 'direct', 'code' or 'both'."),
        ({'timeout': 0}, 'timeout of ToolRule is 0; use a number of seconds above 0.'),
        ({'max_calls': -1}, 'max_calls of ToolRule is -1; use a whole number of at least 0 or None.'),
    ],
)
def test_what_cannot_be_meant_is_refused_where_it_is_given(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as refused:
        ToolRule('a', **settings)
    assert str(refused.value).startswith(message)


def test_rules_are_a_list() -> None:
    with pytest.raises(UserError, match=r'use a list: rules=\[ToolRule'):
        CodeModeToolset(shop(), rules=ToolRule(hidden=True))  # type: ignore[arg-type]
