"""Rules about tools, by name, by server, and by their effects."""

import asyncio
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ApprovalRequired, DeferredToolRequests, DeferredToolResults, RunContext, ToolReturn
from pydantic_ai.capabilities import HandleDeferredToolCalls
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from tests.toolscript.scripted import Script, call, functions_text, play, run_code, search
from toolscript import (
    CodeMode,
    CodeModeToolset,
    FunctionToolset,
    SearchableToolset,
    Snapshots,
    ToolMatch,
    ToolRule,
    ToolRuleWarning,
    pending_calls,
)


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


async def test_rules_set_callers_and_deferral_by_the_names_of_the_server() -> None:
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


@pytest.mark.parametrize(
    ('match', 'names'),
    [
        (ToolMatch(when=lambda tool: 'page' in (tool.description or '')), ['read', 'fetch']),
        (ToolMatch('re*', when=lambda tool: 'page' in (tool.description or '')), ['read']),
        (ToolMatch(open_world=True), ['fetch', 'listed']),
        (ToolMatch(open_world=False), ['read', 'reply']),
        (ToolMatch(['fetch', 'rep*']), ['fetch', 'reply']),
    ],
)
def test_a_match_selects_by_name_by_predicate_and_by_world(match: ToolMatch, names: list[str]) -> None:
    tools = [
        ToolDefinition(name='read', description='Read a page.'),
        ToolDefinition(name='fetch', description='Fetch a page.', metadata={'open_world': True}),
        ToolDefinition(name='reply', description='Reply to a mail.', metadata={'open_world': False}),
        ToolDefinition(name='listed', metadata={'annotations': {'openWorldHint': True}}),
    ]
    assert [tool.name for tool in tools if match.matches('', tool.name, tool)] == names


async def test_a_rule_for_one_server_leaves_the_tools_of_others_alone() -> None:
    desks = FunctionToolset[object](id='office')

    @desks.tool_plain
    def list_desks() -> list[int]:
        return [4]

    toolset = CodeModeToolset(
        CombinedToolset([shop(), desks]), rules=[ToolRule('list_*', server='shop', allowed_callers='direct')]
    )
    script = await play(toolset, run_code('await list_desks()'))
    assert (list(script.shown[0]), script.answers) == (['list_orders', 'run_code'], [[4]])


async def test_each_setting_comes_from_the_first_rule_that_has_it() -> None:
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


async def test_rules_require_and_lift_approval() -> None:
    toolset = ruled(ToolRule('cancel_*', requires_approval=False), ToolRule('delete_*', requires_approval=True))
    code = '[await eu_cancel_order(number=1), await eu_delete_order(number=2)]'
    script = Script([run_code(code)])
    agent = Agent(script.model, toolsets=[toolset], output_type=[str, DeferredToolRequests])
    waiting = (await agent.run('go')).output
    assert isinstance(waiting, DeferredToolRequests)
    assert [pending.tool_name for pending in pending_calls(waiting)] == ['eu_delete_order']


@pytest.mark.parametrize(
    ('rule', 'asked'), [(ToolRule(max_calls=1), ['sign']), (ToolRule(requires_approval=False), [])]
)
async def test_a_tool_that_asks_by_itself_is_called_once_and_does_not_ask_where_a_rule_approves(
    rule: ToolRule, asked: list[str]
) -> None:
    def sign(ctx: RunContext[object]) -> str:
        if not ctx.tool_call_approved:
            raise ApprovalRequired
        return 'signed'

    names = list[str]()

    async def approve(ctx: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults:
        names.extend(pending.tool_name for pending in requests.approvals)
        return requests.build_results(approve_all=True)

    toolset = CodeModeToolset(FunctionToolset[object]([sign], id='desk'), rules=[rule])
    script = Script([run_code('await sign()')])
    await Agent(script.model, toolsets=[toolset], capabilities=[HandleDeferredToolCalls[object](approve)]).run('go')
    assert (script.answers, names) == (['signed'], asked)


@pytest.mark.pydantic_ai
async def test_a_call_that_takes_too_long_raises_a_timeout_in_the_script() -> None:
    answer = await failing(ruled(ToolRule('wait_*', timeout=0.01)), 'eu_wait_for_parcel()')
    assert answer == snapshot('TimeoutError: Timed out after 0.01 seconds. The outcome of wait_for_parcel is unknown.')


async def test_a_timeout_of_the_tool_itself_is_not_that_of_the_rule() -> None:
    def ask_bank() -> str:
        raise TimeoutError('the bank is silent')

    toolset = CodeModeToolset(
        FunctionToolset[object]([ask_bank]), rules=[ToolRule('ask_*', timeout=600)], tool_errors='message'
    )
    assert await failing(toolset, 'ask_bank()') == 'TimeoutError: the bank is silent'


@pytest.mark.pydantic_ai
async def test_a_result_that_is_too_long_is_dropped_and_reported() -> None:
    answer = await failing(ruled(ToolRule('list_*', max_result_chars=5)), 'eu_list_orders()')
    assert answer == snapshot(
        'RuntimeError: list_orders was called and returned 7 characters; 5 are allowed, so the result was dropped. Ask for less: a filter, a page, or fewer fields.'
    )


@pytest.mark.parametrize(
    ('given', 'read'),
    [
        (lambda: (number for number in [1, 2]), [1, 2]),
        (lambda: {'rows': map(str, [1, 2])}, {'rows': ['1', '2']}),
        (lambda: ToolReturn(iter([1, 2])), [1, 2]),
        (lambda: [b'\xff'], ['_w==']),
    ],
)
async def test_a_limit_on_results_changes_no_result_below_it(given: Callable[[], object], read: object) -> None:
    toolset = FunctionToolset[object]()
    toolset.add_function(given, name='rows')
    toolset = CodeModeToolset(toolset, rules=[ToolRule(max_result_chars=100)])
    assert (await play(toolset, run_code('await rows()'))).answers == [read]


@pytest.mark.pydantic_ai
async def test_calls_are_counted_in_each_run_for_each_tool() -> None:
    toolset = ruled(ToolRule(max_calls=2))
    code = 'await asyncio.gather(*[eu_list_orders() for _ in range(3)])'
    assert await failing(toolset, code.removeprefix('await ')) == snapshot(
        'RuntimeError: list_orders may be called 2 times in a run; it was not called again. Use what you have.'
    )
    assert await failing(toolset, 'eu_list_orders()') == [1, 2, 3]


async def test_a_rule_that_matches_nothing_is_reported_once_with_close_names() -> None:
    toolset = ruled(ToolRule('list_*', hidden=True), ToolRule('cancle_*', server='shop', hidden=True))
    with pytest.warns(ToolRuleWarning) as reported:
        await asyncio.gather(play(toolset), play(toolset))
    assert [str(warning.message) for warning in reported] == [
        "ToolRule('cancle_*', server='shop', hidden=True) matches no tool; close are cancel_order. Correct or remove it."
    ]


async def test_code_mode_as_a_capability_accepts_rules_for_all_tools_and_from_a_spec() -> None:
    for mode in (
        CodeMode[object](rules=[ToolRule('list_*', allowed_callers='direct')]),
        CodeMode.from_spec(rules=[{'tools': 'list_*', 'allowed_callers': 'direct'}]),
    ):
        script = Script([])
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            await Agent(script.model, toolsets=[shop()], capabilities=[mode]).run('go')
        assert list(script.shown[0]) == ['list_orders', 'run_code']


APPROVE_WRITES = ToolRule(read_only=False, requires_approval=True)


def tools_with(**metadata: Any) -> FunctionToolset[object]:
    toolset = FunctionToolset[object](id='desk')

    @toolset.tool_plain(metadata=metadata)
    def get_order(number: int) -> int:
        return number

    return toolset


def ruled_rules(toolset: AbstractToolset[object], *rules: ToolRule) -> CodeModeToolset[object]:
    return CodeModeToolset(toolset, rules=rules, snapshots=Snapshots(key='k' * 32))


async def waiting(toolset: AbstractToolset[object], code: str) -> list[str] | str:
    """Return the names of the tools whose calls wait for approval, or the output."""
    agent = Agent(Script([run_code(code)]).model, toolsets=[toolset], output_type=[str, DeferredToolRequests])
    output = (await agent.run('go')).output
    return output if isinstance(output, str) else [call.tool_name for call in pending_calls(output)]


@pytest.mark.parametrize(
    ('metadata', 'read_only'),
    [
        ({}, False),
        ({'read_only': True}, True),
        ({'read_only': False}, False),
        ({'idempotent': True}, False),
        ({'annotations': {'readOnlyHint': True}}, True),
        ({'annotations': {'readOnlyHint': False}}, False),
        ({'annotations': {'idempotentHint': True}}, False),
        ({'annotations': {'readOnlyHint': True}, 'read_only': False}, False),
        ({'annotations': {'readOnlyHint': True}, 'idempotent': False}, True),
        ({'annotations': {'readOnlyHint': False}, 'read_only': True}, False),
        ({'annotations': {'destructiveHint': True}, 'read_only': True}, False),
        ({'annotations': {'destructiveHint': False}}, False),
        ({'annotations': {'readOnlyHint': 'yes'}}, False),
        ({'read_only': 'yes'}, False),
    ],
)
async def test_metadata_and_hints_decide_what_is_read_only_and_names_do_not(
    metadata: dict[str, Any], read_only: bool
) -> None:
    for matcher in (True, False):
        toolset = ruled_rules(tools_with(**metadata), ToolRule(read_only=matcher, requires_approval=True))
        waits = ['get_order'] if read_only == matcher else 'done'
        assert await waiting(toolset, 'await get_order(number=1)') == waits


@pytest.mark.parametrize(
    ('metadata', 'mark', 'read_only'),
    [
        ({}, True, True),
        ({'read_only': True}, False, False),
        ({'annotations': {'readOnlyHint': True}}, False, False),
        ({'annotations': {'idempotentHint': True}}, True, True),
        ({'annotations': {'readOnlyHint': False}}, True, False),
        ({'annotations': {'destructiveHint': True}}, True, False),
    ],
)
async def test_a_mark_sets_a_missing_hint_and_can_only_restrict_a_hint_of_the_server(
    metadata: dict[str, Any], mark: bool, read_only: bool
) -> None:
    toolset = ruled_rules(tools_with(**metadata), APPROVE_WRITES, ToolRule('get_*', mark_read_only=mark))
    assert await waiting(toolset, 'await get_order(number=1)') == ('done' if read_only else ['get_order'])


async def test_a_hint_that_a_server_withdraws_no_longer_counts() -> None:
    annotations = {'readOnlyHint': True}
    toolset = ruled_rules(tools_with(annotations=annotations), APPROVE_WRITES)
    assert await waiting(toolset, 'await get_order(number=1)') == 'done'
    annotations['readOnlyHint'] = False
    assert await waiting(toolset, 'await get_order(number=1)') == ['get_order']


async def test_other_features_see_a_mark_too() -> None:
    runs: list[int] = []

    async def peek(number: int) -> int:
        runs.append(number)
        return number

    toolset = ruled_rules(
        FunctionToolset[object]([peek]), ToolRule(mark_read_only=True), ToolRule(requires_approval=True)
    )
    script = Script([run_code('await peek(number=1)')])
    output = (await Agent(script.model, toolsets=[toolset], output_type=[str, DeferredToolRequests]).run('go')).output
    assert isinstance(output, DeferredToolRequests)
    assert [call.read_only for call in pending_calls(output)] == [True]
    shown = functions_text(script.shown[0]['run_code'].description)
    assert shown == 'async def peek(number: int) -> int: ... # read-only'
    for mark, ran in ((True, [2, 2]), (False, [2])):
        marked = ruled_rules(FunctionToolset[object]([peek]), ToolRule(mark_read_only=mark))
        await play(marked, run_code('await peek(number=2)\n1 / 0'), run_code('await peek(number=2)'))
        assert runs == ran
        runs.clear()
