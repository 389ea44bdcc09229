"""Changes of scripts are listed, and undone once, the latest first."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, AgentRunResult, RunContext, Tool, UserError
from pydantic_ai.capabilities import AbstractCapability, HandleDeferredToolCalls
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDefinition
from pydantic_ai.toolsets import CombinedToolset, ExternalToolset
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

import toolscript.agent
from tests.toolscript.approvals.conversation import approve_all
from tests.toolscript.scripted import Script, run_code
from tests.toolscript.undoing.shop import FORTY, Shop
from toolscript import (
    CodeMode,
    CodeModeToolset,
    FunctionToolset,
    MemoryStore,
    SavedFunctions,
    ScriptCall,
    ScriptLocked,
    ScriptUndoEvent,
    Sessions,
    Snapshots,
    SqliteStore,
    ToolRule,
    Undo,
    pending_calls,
    resolve,
    script_calls,
    undo,
)
from toolscript.durability.script_state import script_key
from toolscript.results.tool_errors import OutcomeUnknown
from toolscript_sandbox import Limits

KEY = 'the key of the tests'
TWO = 'await refund(order=1, amount=5)\nawait refund(order=2, amount=6)\nNone'


def snapshots(folder: Path) -> Snapshots:
    return Snapshots(key=KEY, store=SqliteStore(folder / 'state.db'))


def agent_of(tools: Any, *turns: Any, folder: Path, **options: Any) -> Agent[object, Any]:
    capabilities = options.pop('capabilities', ())
    settings: dict[str, Any] = {'snapshots': snapshots(folder), **options}
    toolset = CodeModeToolset[object](tools, **settings)
    return Agent(
        Script([*turns]).model,
        deps_type=object,
        output_type=[str, DeferredToolRequests],
        toolsets=[toolset],
        capabilities=capabilities,
    )


async def ran(tools: Any, *turns: Any, **options: Any) -> tuple[Agent[object, Any], AgentRunResult[Any]]:
    """Return an agent after a run, with its result."""
    agent = agent_of(tools, *turns, **options)
    return agent, await agent.run('go')


def lines(report: Any) -> list[str]:
    return report.render().splitlines()


async def test_forty_refunds_are_one_question_and_undone_to_identical_bytes(tmp_path: Path, shop: Shop) -> None:
    before = shop.content
    agent, asked = await ran(shop.tools, run_code(FORTY), folder=tmp_path, plan_writes=True)
    assert len(pending_calls(asked.output)) == 40
    result = await agent.run(message_history=asked.all_messages(), deferred_tool_results=approve_all(asked.output))
    assert (shop.rows, result.output) == ([(1000 + n, n + 1) for n in range(40)], 'done')
    listed = await undo(result, agent)
    assert (len(listed.calls), len(listed.having('can')), len(shop.rows)) == (40, 40, 40)
    done = await undo(result, agent, commit=True)
    assert done.is_complete
    assert shop.log[40:] == [f'take back {1000 + n}' for n in reversed(range(40))]
    assert shop.content == before


async def test_the_list_names_inverses_and_the_reasons_why_a_call_cannot_be_undone(tmp_path: Path, shop: Shop) -> None:

    @shop.tools.tool_plain
    async def ship(order: int) -> str:
        return 'gone'

    code = """
await orders()
await refund(order=1, amount=5)
await mail(text='hi')
await ship(order=2)
try:
    await refund(order=-1, amount=5)
except Exception as error:
    print(error)
"""
    agent, result = await ran(shop.tools, run_code(code), folder=tmp_path)
    listed = lines(await undo(result, agent))
    assert listed == [
        'ship(order=2) cannot be undone: ship does not say how to undo it; set undo= on the tool or in a rule for it.',
        'mail(text="hi") cannot be undone: mail has undo=\'none\'.',
        'refund(order=1, amount=5) can be undone by take_back(refund=1001)',
    ]
    done = 'refund(order=1, amount=5) was undone by take_back(refund=1001)'
    assert lines(await undo(result, agent, commit=True)) == [*listed[:2], done]
    assert shop.rows == []


async def test_the_application_removes_a_saved_function(tmp_path: Path, shop: Shop) -> None:
    code = "async def again(): return 1\nawait save_function(again, 'Once more.')"
    agent = agent_of(shop.tools, run_code(code), folder=tmp_path, functions=SavedFunctions(MemoryStore()))
    [saved] = lines(await undo(await agent.run('go'), agent))
    assert saved.endswith(': The application can remove the function, with the methods of SavedFunctions.')


async def test_undoing_twice_even_in_another_process_undoes_once(tmp_path: Path, shop: Shop) -> None:
    agent, result = await ran(shop.tools, run_code(TWO), folder=tmp_path)
    assert (await undo(result, agent, commit=True)).is_complete
    other = agent_of(Shop(tmp_path / 'shop.db').tools, folder=tmp_path)
    again = await undo(result.all_messages(), other, commit=True)
    assert [call.status for call in again.calls] == ['undone', 'undone']
    assert shop.log == ['refund 1', 'refund 2', 'take back 1002', 'take back 1001']


async def test_a_failed_inverse_is_reported_and_can_be_retried(tmp_path: Path, shop: Shop) -> None:
    agent, result = await ran(shop.tools, run_code(TWO), folder=tmp_path)
    shop.refused = {1002}
    assert lines(await undo(result, agent, commit=True)) == [
        'refund(order=2, amount=6) was not undone by take_back(refund=1002): ValueError: The bank is closed.',
        'refund(order=1, amount=5) was undone by take_back(refund=1001)',
    ]
    assert [number for number, _ in shop.rows] == [1002]
    shop.refused = set()
    assert (await undo(result, agent, commit=True)).is_complete
    assert shop.log[2:] == ['take back 1002', 'take back 1001', 'take back 1002']
    assert shop.rows == []


async def test_two_simultaneous_undos_undo_once(tmp_path: Path, shop: Shop) -> None:
    agent, result = await ran(shop.tools, run_code(FORTY), folder=tmp_path)
    both = await asyncio.gather(*(undo(result, agent, commit=True) for _ in range(2)), return_exceptions=True)
    assert sorted(type(one).__name__ for one in both) in (['ScriptLocked', 'UndoReport'], ['UndoReport', 'UndoReport'])
    assert sorted(shop.log[40:]) == sorted(f'take back {1000 + n}' for n in range(40))
    assert shop.rows == []


async def test_a_running_script_cannot_be_undone(tmp_path: Path, shop: Shop) -> None:
    seen = list[str]()

    @shop.tools.tool
    async def meanwhile(ctx: RunContext[object]) -> None:
        script_id, _, _ = (ctx.tool_call_id or '').rpartition('__')
        with pytest.raises(ScriptLocked):
            await undo(script_id, agent, commit=True)
        seen.append(script_id)

    agent = agent_of(shop.tools, run_code(f'{TWO}\nawait meanwhile()'), folder=tmp_path)
    await agent.run('go')
    assert (len(seen), len(shop.rows)) == (1, 2)


async def test_what_was_undone_before_a_locked_script_is_marked_in_the_messages(tmp_path: Path, shop: Shop) -> None:
    store = SqliteStore(tmp_path / 'state.db')
    codes = [run_code(f'await refund(order={number}, amount=1)') for number in (1, 2)]
    agent, result = await ran(shop.tools, *codes, folder=tmp_path)
    key = script_key(result.conversation_id, codes[0].tool_call_id, codes[0].args_as_dict()['code'])
    async with store.lock(key) as held:
        assert held
        with pytest.raises(ScriptLocked):
            await undo(result, agent, commit=True)
    assert shop.rows == [(1001, 1)]
    assert [call.undone for call in script_calls(result.all_messages())] == [False, True]
    assert (await undo(result, agent, commit=True)).is_complete


async def test_an_id_that_two_conversations_have_needs_the_conversation(tmp_path: Path, shop: Shop) -> None:
    calls = [ToolCallPart('run_code', {'code': f'await refund(order={n}, amount=1)'}, 'call_0') for n in (1, 2)]
    results = [await agent_of(shop.tools, call, folder=tmp_path).run('go') for call in calls]
    agent = agent_of(shop.tools, folder=tmp_path)
    with pytest.raises(UserError) as caught:
        await undo('call_0', agent, commit=True)
    assert str(caught.value) == snapshot('Scripts of several conversations have the id call_0; pass conversation_id=.')
    await undo('call_0', agent, commit=True, conversation_id=results[0].conversation_id)
    assert shop.rows == [(1002, 1)]
    await undo(results[1], agent, commit=True)
    assert shop.rows == []


async def test_a_script_is_undone_by_its_id_alone_but_not_by_another_user(tmp_path: Path, shop: Shop) -> None:
    state = snapshots(tmp_path)

    def agent(*turns: Any) -> Agent[str, Any]:
        sessions = Sessions(store=state.store, owner=lambda ctx: ctx.deps)
        toolset = CodeModeToolset[Any](shop.tools, snapshots=state, sessions=sessions)
        return Agent(Script([*turns]).model, deps_type=str, toolsets=[toolset])

    result = await agent(ToolCallPart('run_code', {'code': TWO}, 'the_script')).run('go', deps='ann')
    for target in ('the_script', result, result.all_messages()):
        assert (await undo(target, agent(), deps='bob', commit=True)).calls == ()
    assert len(shop.rows) == 2
    assert (await undo('the_script', agent(), deps='ann', commit=True)).is_complete
    assert shop.rows == []
    assert lines(await undo('another', agent(), deps='ann')) == ['Nothing was changed that is on record.']


@pytest.mark.parametrize('in_place', [False, True])
async def test_arguments_that_an_approval_changed_are_undone(tmp_path: Path, in_place: bool, shop: Shop) -> None:
    rule = ToolRule('refund', requires_approval=True, undo=Undo('take_back', refund='{call.order}'))

    def change(_: object, requests: DeferredToolRequests) -> DeferredToolResults:
        changed = ToolApproved(override_args={'order': 7, 'amount': 1})
        return resolve(requests, {call.tool_call_id: changed for call in pending_calls(requests)})

    hooks = [HandleDeferredToolCalls[object](change)] if in_place else []
    code = run_code('await refund(order=1, amount=5)')
    agent, result = await ran(shop.tools, code, folder=tmp_path, rules=[rule], capabilities=hooks)
    if not in_place:
        decided = change(None, result.output)
        result = await agent.run(message_history=result.all_messages(), deferred_tool_results=decided)
    (listed,) = (await undo(result, agent)).calls
    assert (listed.args, listed.undo_args) == ({'order': 7, 'amount': 1}, {'refund': 7})
    (made,) = script_calls(result.all_messages())
    assert (made.arguments, made.decision) == ({'order': 7, 'amount': 1}, 'changed')


async def test_a_call_that_asked_while_it_ran_is_undone_with_the_next_one(tmp_path: Path, shop: Shop) -> None:

    @shop.tools.tool(undo=shop.undo_refund)
    async def credit(ctx: RunContext[object], order: int) -> dict[str, Any]:
        if not ctx.tool_call_approved:
            raise ApprovalRequired
        return await shop.refund(order, 5)

    agent, asked = await ran(
        shop.tools, run_code('await credit(order=1)\nawait refund(order=2, amount=6)'), folder=tmp_path
    )
    result = await agent.run(message_history=asked.all_messages(), deferred_tool_results=approve_all(asked.output))
    assert (await undo(result, agent, commit=True)).is_complete
    assert shop.rows == []


@pytest.mark.parametrize('reaches_the_tool', [True, False])
@pytest.mark.parametrize('by_handler', [True, False])
async def test_a_call_that_was_answered_from_elsewhere_can_be_undone(
    tmp_path: Path, *, reaches_the_tool: bool, by_handler: bool
) -> None:
    tools, log = FunctionToolset[object](), list[str]()

    async def ship(order: int) -> dict[str, int]:
        raise CallDeferred

    async def recall(order: int, parcel: int) -> None:
        log.append(f'recall {order} {parcel}')

    tools.tool_plain(recall)
    both = FunctionToolset[object]([ship]) if reaches_the_tool else ExternalToolset[object]([Tool(ship).tool_def])

    def answer(requests: DeferredToolRequests) -> DeferredToolResults:
        return resolve(requests, {call.tool_call_id: {'parcel': 7} for call in pending_calls(requests)})

    async def handle(_: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults:
        return answer(requests)

    rule = ToolRule('ship', undo=Undo('recall', order=..., parcel=...))
    capabilities = [HandleDeferredToolCalls[object](handle)] if by_handler else []
    code = run_code('await ship(order=1)')
    toolset = CombinedToolset[object]([tools, both])
    agent, result = await ran(toolset, code, folder=tmp_path, rules=[rule], capabilities=capabilities)
    if not by_handler:
        decisions = answer(result.output)
        result = await agent.run(message_history=result.all_messages(), deferred_tool_results=decisions)
    assert lines(await undo(result, agent)) == ['ship(order=1) can be undone by recall(order=1, parcel=7)']
    assert (await undo(result, agent, commit=True)).is_complete
    assert log == ['recall 1 7']


async def test_inverses_pass_validation_hooks_and_approvals(tmp_path: Path, shop: Shop) -> None:
    seen = list[tuple[str, dict[str, Any]]]()

    class Watches(AbstractCapability[object]):
        async def before_tool_execute(
            self, ctx: RunContext[object], *, call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any]
        ) -> dict[str, Any]:
            seen.append((tool_def.name, args))
            return args

    agent, result = await ran(
        shop.tools,
        run_code(TWO),
        folder=tmp_path,
        rules=[ToolRule('take_back', requires_approval=True)],
        capabilities=[Watches()],
    )
    waits = await undo(result, agent, commit=True)
    assert ([call.status for call in waits.calls], len(shop.rows)) == (['waits', 'waits'], 2)
    second, first = waits.calls
    decided = {second.tool_call_id: True, first.tool_call_id: False}
    done = await undo(result, agent, commit=True, decisions=decided)
    assert ([call.status for call in done.calls], shop.rows) == (['undone', 'can'], [(1001, 5)])
    assert [one for one in seen if one[0] == 'take_back'] == [('take_back', {'refund': 1002})]


async def test_a_foreign_tool_is_undone_as_a_rule_defines_under_any_prefix(tmp_path: Path) -> None:
    closed = list[tuple[str, int, str]]()
    github = PlainToolset[object](id='github')

    @github.tool_plain
    async def create_issue(repo: str, title: str) -> dict[str, Any]:
        return {'issue': {'number': 7}, 'title': '{call.secret}'}

    @github.tool_plain
    async def close_issue(repo: str, issue_number: int, comment: str, title: str) -> None:
        closed.append((comment, issue_number, title))

    texts = {'issue_number': '{result.issue.number}', 'comment': '{result.title}', 'title': '{call.title}'}
    rule = ToolRule('create_issue', server='github', undo=Undo('close_issue', repo=..., **texts))
    agent, result = await ran(
        github.prefixed('gh'), run_code("await gh_create_issue(repo='a/b', title='T')"), folder=tmp_path, rules=[rule]
    )
    assert (await undo(result, agent, commit=True)).is_complete
    assert closed == [('{call.secret}', 7, 'T')]


HOSTILE: list[tuple[Any, str]] = [
    ('not an object', 'There is no result.number.'),
    ({'number': '../7'}, 'arguments'),
    ({'numbers': 7}, 'There is no result.number.'),
    ({'number': {'__class__': 1}}, 'arguments'),
    (None, 'There is no result.number.'),
    ('x' * 4_000_000, 'Its result is not on record'),
]


async def test_a_tool_of_the_agent_defines_its_inverse(tmp_path: Path) -> None:
    rows = set[int]()
    code_mode = CodeMode[object](default_callers='direct', snapshots=snapshots(tmp_path))
    script = Script([run_code('await add(row=1)\nNone')])
    agent = toolscript.agent.Agent[object, str](script.model, capabilities=[code_mode])

    @agent.tool_plain(allowed_callers='code', undo=Undo('remove', row=...))
    def add(row: int) -> None:
        rows.add(row)

    @agent.tool_plain
    def remove(row: int) -> None:
        rows.remove(row)

    result = await agent.run('go')
    assert rows == {1}
    assert (await undo(result, agent, commit=True)).is_complete
    assert rows == set()


@pytest.mark.parametrize(('given', 'reason'), HOSTILE)
async def test_a_hostile_result_reaches_no_inverse(tmp_path: Path, given: Any, reason: str) -> None:
    made = list[Any]()
    tools = FunctionToolset[object]()

    @tools.tool_plain(undo=Undo('remove', number='{result.number}'))
    async def add() -> Any:
        return given

    @tools.tool_plain
    async def remove(number: int) -> None:
        made.append(number)

    agent, result = await ran(
        tools, run_code('await add()'), folder=tmp_path, limits=Limits(max_memory_bytes=10_000_000)
    )
    (call,) = (await undo(result, agent, commit=True)).calls
    assert (call.status in ('cannot', 'failed'), reason in call.reason, made) == (True, True, [])


def returns(value: Any) -> Callable[[ScriptCall, Any], Any]:
    def how(call: ScriptCall, result: Any) -> Any:
        if value is ValueError:
            raise ValueError(call, result)
        return value

    return how


ODD: list[tuple[Any, str]] = [
    (ValueError, 'The undo function of add raised ValueError; the log has more.'),
    (None, 'The undo function of add returned None for it.'),
    ('remove', 'The undo function of add returned str; it must return Undo(...).'),
    (Undo('gone'), 'There is no tool gone, which would undo it.'),
    (Undo('add', x=object()), 'The arguments of add are no JSON'),
]


@pytest.mark.parametrize(('how', 'reason'), ODD)
async def test_an_undo_function_may_run_any_code(tmp_path: Path, how: Any, reason: str) -> None:
    tools = FunctionToolset[object]()

    @tools.tool_plain(undo=returns(how))
    async def add() -> int:
        return 1

    agent = agent_of(tools, run_code('await add()'), folder=tmp_path)
    (call,) = (await undo(await agent.run('go'), agent)).calls
    assert (call.status, call.reason.startswith(reason)) == ('cannot', True)


@pytest.mark.parametrize('error', [TimeoutError('The bank did not answer.'), OutcomeUnknown('The bank is gone.')])
async def test_an_inverse_with_an_unknown_outcome_is_called_again_only_on_decision(
    error: Exception, tmp_path: Path, shop: Shop
) -> None:
    slow = True

    @shop.tools.tool_plain
    async def slowly(refund: int) -> str:
        await shop.take_back(refund)
        if slow:
            raise error
        return 'ok'

    rule = ToolRule('refund', undo=Undo('slowly', refund='{result.refund}'))
    agent, result = await ran(shop.tools, run_code('await refund(order=1, amount=5)'), folder=tmp_path, rules=[rule])
    reports = [await undo(result, agent, commit=True) for _ in range(2)]
    (call,) = reports[-1].calls
    assert [[one.status for one in report.calls] for report in reports] == [['unknown'], ['unknown']]
    assert shop.log == ['refund 1', 'take back 1001']
    # A person checked that it was not undone.
    await shop.refund(1, 5)
    slow = False
    decided = await undo(result, agent, commit=True, decisions={call.tool_call_id: True})
    assert (decided.is_complete, shop.rows) == (True, [])


async def test_a_cancelled_inverse_is_not_called_again(tmp_path: Path) -> None:
    shop, began, called = Shop(tmp_path / 'shop.db'), asyncio.Event(), list[int]()

    @shop.tools.tool_plain
    async def slowly(refund: int) -> str:
        called.append(refund)
        if refund == 1002:
            began.set()
            await asyncio.sleep(3_600)
        return await shop.take_back(refund)

    rule = ToolRule('refund', undo=Undo('slowly', refund='{result.refund}'))
    agent, result = await ran(shop.tools, run_code(TWO), folder=tmp_path, rules=[rule])
    undoing = asyncio.create_task(undo(result, agent, commit=True))
    await began.wait()
    undoing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await undoing
    report = await undo(result, agent, commit=True)
    assert ([call.status for call in report.calls], called) == (['unknown', 'undone'], [1002, 1001])


async def test_rows_of_a_plan_are_undone_as_they_were_run(tmp_path: Path, shop: Shop) -> None:
    code = "made = await refund(order=1, amount=5)\nawait refund(order=2, amount=made['refund'])"
    agent, asked = await ran(shop.tools, run_code(code), folder=tmp_path, plan_writes=True)
    first, second = pending_calls(asked.output)
    changed = ToolApproved(override_args={'order': 7, 'amount': 1})
    decisions = resolve(asked.output, {first.tool_call_id: changed, second.tool_call_id: True})
    result = await agent.run(message_history=asked.all_messages(), deferred_tool_results=decisions)
    assert shop.rows == [(1002, 1007), (1007, 1)]
    assert (await undo(result, agent, commit=True)).is_complete
    assert shop.rows == []


async def test_a_change_with_an_unknown_outcome_is_listed(tmp_path: Path, shop: Shop) -> None:

    @shop.tools.tool_plain(timeout=0.01)
    async def charge() -> None:
        await asyncio.sleep(60)

    code = 'try:\n    await charge()\nexcept TimeoutError:\n    pass'
    agent, result = await ran(shop.tools, run_code(code), folder=tmp_path)
    assert lines(await undo(result, agent, commit=True)) == [
        'charge() cannot be undone: Its outcome is unknown. See whether it changed anything, and undo that yourself.'
    ]


async def test_nothing_is_recorded_without_a_store_and_undo_says_so(tmp_path: Path, shop: Shop) -> None:
    agent = agent_of(shop.tools, run_code(TWO), folder=tmp_path, snapshots=Snapshots(key=KEY))
    with pytest.raises(UserError) as caught:
        await undo(await agent.run('go'), agent)
    assert str(caught.value) == snapshot('Undo needs a record of calls: pass Snapshots(store=...) to code mode.')


async def test_a_waiting_script_does_not_resume_after_it_was_undone(tmp_path: Path, shop: Shop) -> None:
    rule = ToolRule('mail', requires_approval=True)
    agent, asked = await ran(shop.tools, run_code(f"{TWO}\nawait mail(text='x')"), folder=tmp_path, rules=[rule])
    assert (await undo(asked, agent, commit=True)).is_complete
    with pytest.raises(UserError, match='What run_code'):
        await agent.run(message_history=asked.all_messages(), deferred_tool_results=approve_all(asked.output))
    assert [line for line in shop.log if line.startswith('mail')] == []


# -- undo_on='error'

CAUGHT = """
try:
    await refund(order=1, amount=5)
    await refund(order=-1, amount=5)
except Exception as error:
    print('caught')
"""
UNCAUGHT = 'await refund(order=1, amount=5)\nawait refund(order=-1, amount=5)'


async def test_only_an_uncaught_error_undoes_a_script(tmp_path: Path, shop: Shop) -> None:
    result = await agent_of(shop.tools, run_code(CAUGHT), folder=tmp_path, undo_on='error').run('go')
    assert (result.output, shop.log) == ('done', ['refund 1'])
    script = Script([run_code(UNCAUGHT)])
    shop = Shop(tmp_path / 'other.db')
    toolset = CodeModeToolset[object](shop.tools, snapshots=snapshots(tmp_path), undo_on='error')
    failed = await Agent(script.model, toolsets=[toolset]).run('go')
    assert (shop.log, shop.rows) == (['refund 1', 'take back 1001'], [])
    (answer,) = (part for part in failed.all_messages()[-2].parts if part.part_kind != 'user-prompt')
    assert str(getattr(answer, 'content', '')).split('\n\n')[-1] == snapshot("""\
The script ended with an error, so what it changed was undone, the latest first:
refund(order=1, amount=5) was undone by take_back(refund=1001)\
""")


async def test_each_undone_call_is_an_event(tmp_path: Path, shop: Shop) -> None:
    shop.refused = {1001}
    agent = agent_of(shop.tools, run_code(f'{TWO}\nraise ValueError()'), folder=tmp_path, undo_on='error')
    seen = list[ScriptUndoEvent]()

    async with agent.iter('go') as run:
        async for node in run:
            if Agent.is_call_tools_node(node):
                async with node.stream(run.ctx) as events:
                    seen += [event async for event in events if isinstance(event, ScriptUndoEvent)]
    assert [(event.tool_name, event.undo_tool_name, event.status, bool(event.error)) for event in seen] == [
        ('refund', 'take_back', 'undone', False),
        ('refund', 'take_back', 'failed', True),
    ]


async def test_a_failed_script_is_undone_only_if_the_setting_says_so(tmp_path: Path, shop: Shop) -> None:
    await agent_of(shop.tools, run_code(UNCAUGHT), folder=tmp_path).run('go')
    assert shop.log == ['refund 1']


@pytest.mark.parametrize('by_hand', [False, True])
async def test_the_next_script_runs_an_undone_call_again(tmp_path: Path, by_hand: bool, shop: Shop) -> None:
    again = 'await refund(order=1, amount=5)'
    if not by_hand:
        agent = agent_of(shop.tools, run_code(UNCAUGHT), run_code(again), folder=tmp_path, undo_on='error')
        await agent.run('go')
    else:
        agent = agent_of(shop.tools, run_code(UNCAUGHT), folder=tmp_path)
        result = await agent.run('go')
        await undo(result, agent, commit=True)
        other = agent_of(shop.tools, run_code(again), folder=tmp_path)
        await other.run('go', message_history=result.all_messages())
    assert (shop.log, shop.rows) == (['refund 1', 'take back 1001', 'refund 1'], [(1001, 5)])


@pytest.mark.pydantic_ai
async def test_a_call_that_was_not_undone_is_not_repeated(tmp_path: Path, shop: Shop) -> None:
    shop.refused = {1001}
    again = 'await refund(order=1, amount=5)'
    agent, result = await ran(shop.tools, run_code(UNCAUGHT), run_code(again), folder=tmp_path, undo_on='error')
    assert shop.log == ['refund 1', 'take back 1001']
    shop.refused = set()
    assert (await undo(result, agent, commit=True)).is_complete
    assert shop.log == ['refund 1', 'take back 1001', 'take back 1001']
