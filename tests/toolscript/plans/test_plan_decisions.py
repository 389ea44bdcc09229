"""One question for all changes of a script; unapproved changes do not happen."""

import asyncio
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, RunContext, UserError
from pydantic_ai.tools import DeferredToolRequests, ToolApproved, ToolDenied

from tests.toolscript.approvals.conversation import KEY, Conversation
from tests.toolscript.plans.worlds import Planned, World, planned, rows
from tests.toolscript.scripted import Script, run_code
from toolscript import (
    ApproveCalls,
    CodeModeToolset,
    FunctionToolset,
    MemoryStore,
    Sessions,
    Snapshots,
    ToolRule,
    pending_calls,
    resolve,
)
from toolscript_sandbox import Sandbox

CREATE = """
a = await create_issue(title='A')
b = await create_issue(title=f"B after #{a['number']}", labels=['x'])
await label(number=a['number'], label='y')
(await close_issue(number=b['number'], comment='done'))['ok']
"""


async def test_a_script_asks_once_before_its_first_change_and_marks_values_of_earlier_rows(world: World) -> None:
    talk = planned(world, CREATE)
    waiting = await talk.start()
    assert rows(waiting) == snapshot(
        [
            ('create_issue', {'title': 'A'}),
            ('create_issue', {'title': 'B after #‹number of row 1›', 'labels': ['x']}),
            ('label', {'number': '‹number of row 1›', 'label': 'y'}),
            ('close_issue', {'number': '‹number of row 2›', 'comment': 'done'}),
        ]
    )
    assert [call.row and (call.row.line, call.row.only_if, call.row.computed) for call in waiting] == snapshot(
        [(2, None, ()), (3, 1, ()), (4, 2, ()), (5, 3, ())]
    )
    assert (world.log, world.issues) == ([], {})
    assert await talk.decide_each([True] * 4) == []
    assert world.log == snapshot(
        [('create', 'A', None), ('create', 'B after #3', ['x']), ('label', 3, 'y'), ('close', 10, 'done')]
    )
    assert talk.script.answers == [True]


async def test_a_rejected_row_raises_at_its_call_and_the_others_run(world: World) -> None:
    code = """
out = []
for name in ['ann', 'bob', 'cid']:
    try:
        out.append((await refund(name=name, amount=1))['balance'])
    except PermissionError as error:
        out.append(str(error))
out
"""
    talk = planned(world, code)
    await talk.start()
    assert await talk.decide_each([True, ToolDenied('not bob'), True]) == []
    assert world.log == [('refund', 'ann', 1), ('refund', 'cid', 1)]
    assert talk.script.answers == snapshot([[101, 'refund was not approved: not bob', 1]])


async def test_a_reviewer_may_change_arguments_and_placeholders_are_still_filled_in(world: World) -> None:
    talk = planned(world, CREATE)
    waiting = await talk.start()
    changes: list[dict[str, Any]] = [{'title': 'A!'}, {'labels': []}, {'label': 'z'}, {'number': 3}]
    edited = [
        ToolApproved(override_args={**call.args, **change}) for call, change in zip(waiting, changes, strict=True)
    ]
    assert await talk.decide_each(edited) == []
    assert world.log == snapshot(
        [('create', 'A!', None), ('create', 'B after #3', []), ('label', 3, 'z'), ('close', 3, 'done')]
    )


async def test_a_completely_rejected_plan_changes_nothing(world: World) -> None:
    talk = planned(world, CREATE)
    (script,) = {call.script_id for call in await talk.start()}
    assert script is not None
    await talk.resume(resolve(talk.requests, {script: ToolDenied('Not on Fridays.')}))
    assert world.log == []
    assert talk.script.answers == snapshot(['This script was not approved: Not on Fridays.'])


async def test_rows_without_a_decision_are_requested_again(world: World) -> None:
    talk = planned(world, 'for n in [1, 2, 3]:\n    await refund(name="ann", amount=n)')
    waiting = await talk.start()
    again = await talk.resume(resolve(talk.requests, {waiting[0].tool_call_id: True}))
    assert (world.log, rows(again)) == (
        [('refund', 'ann', 1)],
        [('refund', {'name': 'ann', 'amount': 2}), ('refund', {'name': 'ann', 'amount': 3})],
    )


async def test_a_wrong_prediction_asks_again_and_marks_new_and_approved_rows(world: World) -> None:
    code = """
r = await refund(name='ann', amount=10)
if r['balance'] == 110:
    await create_issue(title='as expected')
await create_issue(title='always')
"""
    talk = planned(world, code)
    world.accounts['ann'] = 200
    await talk.start()
    assert rows(talk.waiting)[1:] == [('create_issue', {'title': 'as expected'}), ('create_issue', {'title': 'always'})]
    again = await talk.decide_each([True] * 3)
    assert rows(again) == [('create_issue', {'title': 'always'})]
    assert [call.row and call.row.status for call in again] == ['approved']
    assert world.log == [('refund', 'ann', 10)]
    assert await talk.decide_each([True]) == []
    assert world.log == [('refund', 'ann', 10), ('create', 'always', None)]


async def test_a_script_that_skips_a_protecting_row_asks_again(world: World) -> None:
    code = """
first = await create_issue(title='note')
real = isinstance(first['number'], int) and first['number'] < 1_000
if not real:
    await label(number=first['number'], label='audited')
await pay(name='ann', amount=100)
"""
    talk = planned(world, code)
    assert [name for name, _ in rows(await talk.start())] == ['create_issue', 'label', 'pay']
    again = await talk.decide_each([True] * 3)
    assert (world.log, rows(again)) == ([('create', 'note', None)], [('pay', {'name': 'ann', 'amount': 100})])


async def test_a_preview_runs_only_calls_of_read_only_tools(world: World) -> None:
    tools = world.toolset

    @tools.tool_plain
    async def get_report() -> str:
        world.log.append(('report',))
        return 'text'

    talk = Planned(tools, Script([run_code("a = await get_report()\nawait refund(name='ann', amount=1)\nprint(a)")]))
    assert [name for name, _ in rows(await talk.start())] == ['get_report', 'refund']
    assert world.log == []


async def test_a_preview_leaves_nothing_behind(world: World) -> None:
    store = MemoryStore()
    code = """
import random
print('before', await balance(name='ann'))
await refund(name='ann', amount=1)
print('after')
x = 5
random.random()
try:
    print(await balance(name='ann'))
    await refund(name='bob', amount=1)
except Exception as error:
    print('!', error)
None
"""
    rules = [ToolRule('balance', max_calls=1)]
    talk = planned(world, code, snapshots=Snapshots(key='the key of the tests', store=store), rules=rules)
    await talk.start()
    assert await talk.decide_each([True] * 2) == []
    assert talk.script.answers == [{'stdout': 'before 100\nafter\n101\n'}]


async def test_a_planned_script_keeps_the_clock_and_random_numbers_of_its_preview(world: World) -> None:
    code = """
import datetime, random, uuid
await create_issue(title='first')
for n in range(3):
    await create_issue(title=f'{datetime.datetime.now()} {random.random()} {uuid.uuid4()}')
first = datetime.datetime.now()
await create_issue(title='last')
datetime.datetime.now() > first
"""
    talk = planned(world, code)
    assert len(await talk.approve_all()) == 1
    assert (len(world.log), talk.script.answers) == (5, [True])


async def test_no_clock_of_a_planned_script_goes_back() -> None:
    code = """
import datetime, time
read = []
for n in range(4):
    read.append([time.time(), time.monotonic(), datetime.datetime.now().isoformat()])
    await create_issue(title=str(n))
read.append([time.time(), time.monotonic(), datetime.datetime.now().isoformat()])
all(list(values) == sorted(values) for values in zip(*read))
"""
    talk = planned(World(), code)
    await talk.approve_all()
    assert talk.script.answers == [True]


async def test_a_failing_tool_raises_at_its_call(world: World) -> None:
    talk = planned(
        world,
        "await refund(name='ann', amount=1)\nawait refund(name='ann', amount=501)\nawait pay(name='ann', amount=1)",
    )
    assert len(await talk.start()) == 3
    assert await talk.decide_each([True] * 3) == []
    assert world.log == [('refund', 'ann', 1), ('refund', 'ann', 501)]
    assert 'RuntimeError: too much\nCalls: refund finished, refund failed.' in talk.script.answers[0]


async def test_invalid_arguments_are_refused_before_the_question(world: World) -> None:
    code = """
values = [[], 3]
try:
    await refund(name='ann', amount=values[0])
except Exception as error:
    print('refused')
await pay(name='ann', amount=1)
"""
    assert rows(await planned(world, code).start()) == [('pay', {'name': 'ann', 'amount': 1})]


async def test_rows_that_need_a_failed_or_rejected_row_are_skipped_without_a_question(world: World) -> None:
    code = """
for name, amount in [('ann', 501), ('bob', 2), ('cid', 3)]:
    try:
        await refund(name=name, amount=amount)
        await create_issue(title=name)
    except Exception as error:
        print(type(error).__name__)
await pay(name='ann', amount=1)
"""
    talk = planned(world, code)
    waiting = await talk.start()
    assert [call.row and call.row.only_if for call in waiting] == [None, 1, None, 3, None, 5, None]
    assert await talk.decide_each([True, True, False, True, True, True, True]) == []
    assert world.log == snapshot(
        [('refund', 'ann', 501), ('refund', 'cid', 3), ('create', 'cid', None), ('pay', 'ann', 1)]
    )
    assert talk.script.answers == [{'stdout': 'RuntimeError\nPermissionError\n', 'result': 99}]


async def test_previews_in_two_orders_may_make_different_calls() -> None:
    code = """
import asyncio
seen = []
async def act(name):
    await refund(name=name, amount=1)
    seen.append(name)
    if len(seen) == 1:
        if name == 'ann':
            await create_issue(title='ann was first')
        else:
            await pay(name=name, amount=1)
await asyncio.gather(act('ann'), act('bob'))
"""
    world = World()
    await planned(world, code).approve_all()
    assert sorted(entry[0] for entry in world.log) in (['create', 'refund', 'refund'], ['pay', 'refund', 'refund'])


# -- decisions about other questions


@pytest.fixture(params=[False, True], ids=['in the request', 'in a store'])
def snapshots(request: pytest.FixtureRequest) -> Snapshots:
    return Snapshots(key='the key of the tests', store=MemoryStore() if request.param else None)


async def test_a_decision_about_changed_rows_is_refused(snapshots: Snapshots, world: World) -> None:
    talk = planned(world, CREATE, snapshots=snapshots)
    await talk.start()
    (metadata,) = talk.requests.metadata.values()
    for call in metadata['toolscript_calls']:
        if call['tool_name'] == 'label':
            call['args']['label'] = 'harmless'
    with pytest.raises(UserError, match='does not match the pending call to label'):
        await talk.resume(talk.approved)
    assert world.log == []


async def test_decisions_of_an_earlier_plan_do_not_apply_to_the_next(snapshots: Snapshots, world: World) -> None:
    code = "for n in [1, 2]:\n    r = await refund(name='ann', amount=n)\n    if r['balance'] > 1000: await pay(name='ann', amount=n)"
    talk = planned(world, code, snapshots=snapshots)
    await talk.start()
    old = talk.approved
    again = await talk.resume(old)
    made = list(world.log)
    assert again != []
    if snapshots.store is not None:
        assert await talk.resume(old) != []
    else:
        with pytest.raises(UserError, match='belong to an earlier pause'):
            await talk.resume(old)
    assert world.log == made


async def test_a_completely_rejected_plan_cannot_be_approved_later(world: World) -> None:
    talk = planned(world, CREATE, snapshots=Snapshots(key='the key of the tests', store=MemoryStore()))
    waiting, history = await talk.start(), talk.history
    approved = talk.approved
    await talk.resume(resolve(talk.requests, {str(waiting[0].script_id): ToolDenied('Not today.')}))
    refused = [part.content for part in talk.messages[-2].parts if part.part_kind == 'tool-return']
    talk.history = history
    assert await talk.resume(approved) == []
    assert [part.content for part in talk.messages[-2].parts if part.part_kind == 'tool-return'] == refused
    assert world.log == []


async def test_a_run_cancelled_during_a_plan_continues_with_the_same_decisions() -> None:
    made, began, tools = list[int](), asyncio.Event(), FunctionToolset[object]()

    @tools.tool_plain
    async def add(n: int) -> int:
        made.append(n)
        if n == 1:
            began.set()
            await asyncio.sleep(3_600)
        return n

    code = 'for n in range(4):\n    try:\n        await add(n=n)\n    except RuntimeError as error:\n        print(n, error)'
    snapshots = Snapshots(key='the key of the tests', store=MemoryStore())
    talk = Planned(tools, Script([run_code(code)]), snapshots)
    await talk.start()
    decisions = talk.approved
    run = asyncio.create_task(talk.resume(decisions))
    await began.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert await talk.resume(decisions) == []
    assert made == [0, 1, 2, 3]
    assert str(talk.script.answers[-1]).startswith("{'stdout': '1 ")


async def test_equal_rows_have_separate_decisions(world: World) -> None:
    code = """
for n in range(3):
    try:
        await pay(name='ann', amount=10)
    except PermissionError:
        pass
"""
    talk = planned(world, code)
    assert len(await talk.start()) == 3
    assert await talk.decide_each([ToolDenied('no'), True, ToolDenied('no')]) == []
    assert world.log == [('pay', 'ann', 10)]


async def test_a_decision_about_only_a_later_row_runs_nothing(world: World) -> None:
    talk = planned(world, "for name in ['ann', 'bob', 'cid']:\n    await refund(name=name, amount=1)")
    *_, last = await talk.start()
    assert len(await talk.resume(resolve(talk.requests, {last.tool_call_id: True}))) == 3
    assert world.log == []


async def test_the_decision_of_another_owner_is_refused(world: World) -> None:
    talks = dict[str, Conversation]()
    for owner in ('ann', 'bob'):
        sessions = Sessions(store=MemoryStore(), owner=lambda ctx, owner=owner: owner)
        talks[owner] = planned(world, CREATE, sessions=sessions)
        await talks[owner].start()
    foreign = talks['bob'].approved
    (own_id,), (foreign_id,) = talks['ann'].requests.metadata, talks['bob'].requests.metadata
    foreign.approvals = {own_id: True}
    foreign.metadata = {own_id: foreign.metadata[foreign_id]}
    with pytest.raises(UserError, match='The snapshot of a paused script is invalid'):
        await talks['ann'].resume(foreign)
    assert world.log == []


async def test_simultaneous_plans_of_two_users_are_independent() -> None:
    tools = FunctionToolset[object]([send])
    code_mode = CodeModeToolset(tools, plan_writes=True, snapshots=Snapshots(key='the key of the tests'))

    async def asked(name: str) -> list[tuple[str, dict[str, Any]]]:
        script = Script([run_code(f'for n in range(3):\n    await send(to="{name}", number=n)')])
        agent = Agent[object, str | DeferredToolRequests](
            script.model, deps_type=object, toolsets=[code_mode], output_type=[str, DeferredToolRequests]
        )
        output = (await agent.run('go')).output
        assert isinstance(output, DeferredToolRequests)
        return rows(pending_calls(output))

    both = await asyncio.gather(asked('ann'), asked('bob'))
    for name, found in zip(('ann', 'bob'), both, strict=True):
        assert found == [('send', {'to': name, 'number': n}) for n in range(3)]


async def test_a_run_cancelled_in_its_preview_ends_the_read_and_frees_the_worker() -> None:
    world, began, ended = World(), asyncio.Event(), asyncio.Event()

    async def slow() -> str:
        began.set()
        try:
            await asyncio.sleep(3_600)
        finally:
            ended.set()
        return 'never'

    tools = world.toolset
    tools.add_function(slow, metadata={'read_only': True})
    async with Sandbox() as sandbox:
        script = Script([run_code("await create_issue(title='A')\nawait slow()")])
        talk = Planned(tools, script, settings={'sandbox': sandbox})
        run = asyncio.create_task(talk.start())
        await began.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        await ended.wait()
        assert sandbox.stats.workers_in_use == 0
    assert world.log == []


async def test_a_preview_ends_at_a_read_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('toolscript.plans.preview.SECONDS', 0.05)
    world, ready = World(), asyncio.Event()

    async def slow() -> str:
        await ready.wait()
        return 'at last'

    tools = world.toolset
    tools.add_function(slow, metadata={'read_only': True})
    talk = Planned(tools, Script([run_code("await create_issue(title='A')\nawait create_issue(title=await slow())")]))
    assert rows(await talk.start()) == [('create_issue', {'title': 'A'})]
    ready.set()
    assert rows(await talk.resume(talk.approved)) == [('create_issue', {'title': 'at last'})]
    assert world.log == [('create', 'A', None)]


def send(to: str, number: int) -> str:
    raise AssertionError('nothing is sent before it is approved')


async def test_planning_can_be_set_for_one_tool(world: World) -> None:
    code = "await create_issue(title='x')\nawait refund(name='ann', amount=1)\nawait pay(name='ann', amount=1)"
    talk = planned(world, code, plans=False)
    rules = [ToolRule('refund', plan_writes=True)]
    talk.code_mode = lambda: CodeModeToolset(world.toolset, snapshots=KEY, rules=rules)
    assert rows(await talk.start()) == [('refund', {'name': 'ann', 'amount': 1})]
    assert world.log == [('create', 'x', None)]


async def test_the_tool_of_a_row_gets_the_metadata_of_its_decision() -> None:
    tools, given = FunctionToolset[object](), list[object]()

    @tools.tool
    def sign(ctx: RunContext[object], what: str) -> None:
        given.append((what, ctx.tool_call_metadata))

    talk = Planned(tools, Script([run_code("await sign('a')\nawait sign('b')")]))
    first, second = await talk.start()
    ids = {first.tool_call_id: True, second.tool_call_id: True}
    await talk.resume(resolve(talk.requests, ids, metadata={second.tool_call_id: {'by': 'ann'}}))
    assert given == [('a', None), ('b', {'by': 'ann'})]


async def test_a_rule_approves_calls_that_no_row_predicted(world: World) -> None:
    code = "n = 1\nwhile n < 100:\n    n = n + (await refund(name='ann', amount=n))['balance'] // 50\n"
    talk = planned(world, code)
    await talk.start()
    results = resolve(talk.requests, {call.tool_call_id: True for call in talk.waiting}, rules=[ApproveCalls('refund')])
    assert await talk.resume(results) == []
    assert len(world.log) > 3


async def test_an_external_call_ends_the_preview(world: World) -> None:
    tools = world.toolset

    @tools.tool_plain(requires_approval=True, metadata={'read_only': True})
    async def secret() -> str:
        world.log.append(('secret',))
        return 's'

    code = "await refund(name='ann', amount=1)\nprint(await secret())\nawait pay(name='ann', amount=1)"
    talk = Planned(tools, Script([run_code(code)]))
    assert [name for name, _ in rows(await talk.start())] == ['refund', 'secret', 'pay']
    assert world.log == []
    assert await talk.decide_each([True] * 3) == []
    assert world.log == [('refund', 'ann', 1), ('secret',), ('pay', 'ann', 1)]
