"""An approval that extends to further calls, within limits only."""

from collections.abc import Iterator
from typing import Any

import pytest
from mcp_types import ElicitResult
from pydantic_ai import UserError
from pydantic_ai.tools import ToolApproved, ToolDenied

from tests.toolscript.approvals.conversation import KEY
from tests.toolscript.plans.worlds import Planned, World, planned, rows
from tests.toolscript.scripted import Script, run_code
from toolscript import FunctionToolset, Grant, MemoryStore, PendingCall, Snapshots, ToolRule, resolve
from toolscript.cli.approvals import decide
from toolscript.serve.approvals import SessionApprovals

HALVES = """
held = await balance(name='ann')
for _ in range(8):
    if held > 3:
        held = await pay(name='ann', amount=held // 2)
held
"""
"""Each amount comes from the call before, so no preview knows it."""


async def start(code: str, **settings: Any) -> tuple[World, Planned]:
    world = World()
    talk = planned(world, code, **settings)
    await talk.start()
    return world, talk


async def grant(talk: Planned, given: Grant) -> list[PendingCall]:
    """Decide: the first call with the grant, all others without."""
    return await talk.decide_each([given, *[True] * (len(talk.waiting) - 1)])


async def test_without_a_grant_unpredicted_calls_ask_each_time() -> None:
    assert len(await planned(World(), HALVES).approve_all()) == 6


async def test_a_grant_at_the_second_question_avoids_the_third() -> None:
    world, talk = await start(HALVES)
    assert [call.row and call.row.asked_before for call in talk.waiting] == [False] * len(talk.waiting)
    again = await talk.decide_each([True] * len(talk.waiting))
    assert [call.row and call.row.asked_before for call in again] == [True] * len(again)
    assert await grant(talk, Grant(count=10, maximum={'amount': 50})) == []
    assert [entry[2] for entry in world.log] == [50, 25, 12, 6, 3, 2]
    assert talk.script.answers == [2]


@pytest.mark.parametrize(
    ('given', 'made'),
    [
        (Grant(count=2, maximum={'amount': 50}), 3),
        (Grant(count=9, maximum={'amount': 24}), 1),
        (Grant(count=9, total={'amount': 40}), 3),
        (Grant(count=9, total={'amount': 43.5}), 4),
        (Grant(count=9), 1),
        (Grant(count=9, equal=['name']), 6),
        (Grant(count=9, equal=['name', 'amount']), 1),
        (Grant(count=9, equal=[]), 6),
    ],
    ids=['count', 'maximum', 'total', 'larger total', 'nothing may differ', 'name', 'both', 'nothing is said'],
)
async def test_a_grant_approves_no_more_than_it_states(given: Grant, made: int) -> None:
    world, talk = await start(HALVES)
    waiting = await grant(talk, given)
    assert (len(world.log), waiting != []) == (made, made < 6)


@pytest.mark.parametrize(
    'other',
    [
        "pay(name='bob', amount=1)",
        "refund(name='ann', amount=1)",
        "pay(name='ann', amount=-1)",
        "pay(name='ann', amount='1')",
        "pay(name='ann', amount=True)",
        "pay(name='ann', amount=51)",
    ],
)
@pytest.mark.pydantic_ai
async def test_a_call_outside_of_the_limits_asks(other: str) -> None:
    code = f"r = await pay(name='ann', amount=10)\nif r == 90:\n    await pay(name='ann', amount=0)\n    await {other}"
    world, talk = await start(code)
    waiting = await talk.decide_each([Grant(count=9, maximum={'amount': 50}, total={'amount': 100})])
    assert ([entry[2] for entry in world.log], len(waiting)) == ([10, 0], 1)


async def test_an_amount_that_is_not_a_number_is_above_each_limit() -> None:
    moved, tools = list[float](), FunctionToolset[object]()

    @tools.tool_plain
    async def move(amount: float) -> None:
        moved.append(amount)

    code = "for text in ['1', '2', 'nan']:\n    await move(amount=float(text))"
    talk = Planned(tools, Script([run_code(code)]), plans=False)
    await talk.start()
    waiting = await talk.decide_each([Grant(count=9, maximum={'amount': 50})])
    assert (moved, [str(call.args['amount']) for call in waiting]) == ([1, 2], ['NaN'])


async def test_arguments_that_the_approved_call_lacked_are_not_covered() -> None:
    code = "r = await create_issue(title='a')\nif r['number'] < 1_000:\n    await create_issue(title='a', labels=['x'])"
    for given, made in ((Grant(count=1), 1), (Grant(count=1, equal=['title']), 2)):
        world, talk = await start(code)
        await talk.decide_each([given])
        assert len(world.log) == made


async def test_a_grant_ends_with_its_script(world: World) -> None:
    code = "await pay(name='ann', amount=1)"
    talk = Planned(world.toolset, Script([run_code(code), run_code(code)]))
    await talk.start()
    assert rows(await talk.decide_each([Grant(count=9)])) == [('pay', {'name': 'ann', 'amount': 1})]
    assert len(world.log) == 1


async def test_a_grant_works_without_a_plan_too(world: World) -> None:
    talk = planned(world, "for n in [1, 2, 3, 60]:\n    await pay(name='ann', amount=n)", plans=False)
    (first,) = await talk.start()
    again = await talk.resume(resolve(talk.requests, {first.tool_call_id: Grant(count=9, maximum={'amount': 50})}))
    assert rows(again) == [('pay', {'name': 'ann', 'amount': 60})]


async def test_rows_after_a_granted_call_stay_approved() -> None:
    code = "r = await pay(name='ann', amount=10)\nfor _ in range(2):\n    r = await pay(name='ann', amount=r // 30)\n"
    world, talk = await start(code + "await create_issue(title='end')")
    assert len(talk.waiting) == 4
    assert await grant(talk, Grant(count=2, maximum={'amount': 5})) == []
    assert world.log == [('pay', 'ann', 10), ('pay', 'ann', 3), ('pay', 'ann', 2), ('create', 'end', None)]


async def test_a_denied_row_is_not_covered_by_a_grant() -> None:
    code = 'async def act(r):\n    return await pay(name="ann", amount=r)\nr = await act(10)\nawait act(r // 30)'
    world, talk = await start(code)
    again = await talk.decide_each([Grant(count=9, maximum={'amount': 50}), ToolDenied('no')])
    assert (world.log, rows(again)) == ([('pay', 'ann', 10)], [('pay', {'name': 'ann', 'amount': 3})])


async def test_invalid_limits_are_refused() -> None:
    _, talk = await start("a = await create_issue(title='A')\nawait label(number=a['number'], label='x')")
    first, second = talk.waiting
    with pytest.raises(ValueError, match=r"Grant names 'amount', which is no argument .* use title\."):
        resolve(talk.requests, {first.tool_call_id: Grant(count=1, maximum={'amount': 1})})
    with pytest.raises(ValueError, match="'number' of label is not known yet"):
        resolve(talk.requests, {second.tool_call_id: Grant(count=1)})


@pytest.mark.parametrize('store', [False, True], ids=['in the request', 'in a store'])
async def test_a_grant_for_a_call_that_no_longer_waits_has_no_effect(store: bool) -> None:
    snapshots = Snapshots(key='the key of the tests', store=MemoryStore()) if store else KEY
    world, talk = await start(HALVES, snapshots=snapshots)
    first = talk.waiting[0]
    stale = resolve(talk.requests, {first.tool_call_id: Grant(count=9, equal=[])})
    await talk.decide_each([True] * len(talk.waiting))
    assert len(world.log) == 1
    if store:
        assert await talk.resume(stale) != []
    else:
        with pytest.raises(UserError, match='belong to an earlier pause'):
            await talk.resume(stale)
    assert len(world.log) == 1


async def test_a_grant_for_a_call_that_was_changed_in_transit_is_refused() -> None:
    world, talk = await start(HALVES)
    (metadata,) = talk.requests.metadata.values()
    metadata['toolscript_calls'][0]['args']['name'] = 'bob'
    with pytest.raises(UserError, match='does not match the pending call to pay'):
        await grant(talk, Grant(count=9, maximum={'amount': 50}))
    assert world.log == []


# -- rows that ask again, and the text of a second question


async def test_a_rule_can_ask_again_about_rows_with_placeholders() -> None:
    code = "a = await create_issue(title='A')\nawait label(number=a['number'], label='x')\nawait close_issue(number=a['number'])"
    world, talk = await start(code, rules=[ToolRule('label', plan_writes='when_known')])
    assert [call.row and call.row.asks_again for call in talk.waiting] == [False, True, False]
    assert 'asks again when that is known' in talk.waiting[1].render()
    again = await talk.decide_each([True] * 3)
    assert (len(world.log), rows(again)) == (
        1,
        [('label', {'number': 3, 'label': 'x'}), ('close_issue', {'number': 3})],
    )
    assert [call.row and call.row.status for call in again] == ['approved', 'approved']
    assert await talk.decide_each([True] * 2) == []
    assert world.log == [('create', 'A', None), ('label', 3, 'x'), ('close', 3, '')]


async def test_a_row_that_would_ask_again_can_be_rejected_at_once() -> None:
    code = "a = await create_issue(title='A')\ntry:\n    await label(number=a['number'], label='x')\nexcept PermissionError as error:\n    print(error)"
    world, talk = await start(code, rules=[ToolRule('label', plan_writes='when_known')])
    assert await talk.decide_each([True, ToolDenied('no')]) == []
    assert (len(world.log), talk.script.answers) == (1, [{'stdout': 'label was not approved: no\n'}])


async def test_a_second_question_marks_skipped_approved_and_new_rows() -> None:
    code = """
r = await refund(name='ann', amount=10)
if r['balance'] > 1_000:
    await create_issue(title='rich')
else:
    await create_issue(title='poor')
await pay(name='ann', amount=1)
"""
    _, talk = await start(code)
    again = await talk.decide_each([ToolApproved()] * 3)
    assert [call.render() for call in again] == [
        """\
create_issue of world (row 1, line 6, the script left out create_issue(title="rich"), which was approved):
  title = "poor"\
""",
        """\
pay of world (row 2, line 7, approved before, only if row 1 succeeds):
  amount = 1
  name = "ann"\
""",
    ]


# -- at the second question about a line, the command and the server offer to approve similar calls


async def second_question() -> tuple[World, Planned]:
    world, talk = await start(HALVES)
    await talk.decide_each([True] * len(talk.waiting))
    return world, talk


class Typed:
    """A user who types these lines, then `y`."""

    def __init__(self, *lines: str) -> None:
        self._lines: Iterator[str] = iter(lines)
        self.questions = list[str]()

    async def __call__(self, question: str) -> str:
        self.questions.append(question)
        return next(self._lines, 'y')


async def test_the_command_offers_more_calls_only_at_the_second_question() -> None:
    world, talk = await start(HALVES)
    first = Typed()
    waiting = await talk.resume(await decide(talk.requests, [], first))
    assert not any('[m]ore' in question for question in first.questions)
    user = Typed('m', '10', '{"amount": 50}')
    assert waiting
    assert await talk.resume(await decide(talk.requests, [], user)) == []
    assert '[m]ore like this' in user.questions[0]
    assert [entry[2] for entry in world.log] == [50, 25, 12, 6, 3, 2]


@pytest.mark.parametrize(
    'lines', [('m', 'many'), ('m', '0', ''), ('m', '1', '[]'), ('m', '1', '{"x": 1}'), ('m', '1', '{"amount": "x"}')]
)
async def test_an_invalid_limit_is_requested_again(lines: tuple[str, ...]) -> None:
    world, talk = await second_question()
    user = Typed(*lines)
    await talk.resume(await decide(talk.requests, [], user))
    assert sum('Approve?' in question for question in user.questions) == 1 + len(talk.waiting) or len(world.log) == 2


@pytest.mark.parametrize(
    ('content', 'made'),
    [
        ({'decision': 'approve', 'more_calls': 10, 'limit': 50}, 6),
        ({'decision': 'approve', 'more_calls': 10, 'limit': 11}, 2),
        ({'decision': 'approve', 'more_calls': 1, 'limit': 50}, 3),
        ({'decision': 'approve', 'more_calls': 0, 'limit': 50}, 2),
        ({'decision': 'approve', 'more_calls': True, 'limit': 50}, 2),
        ({'decision': 'approve'}, 2),
        ({'decision': 'deny', 'more_calls': 10, 'limit': 50}, 1),
    ],
)
@pytest.mark.pydantic_ai
async def test_the_server_offers_more_calls_at_the_second_question(content: dict[str, Any], made: int) -> None:
    world, talk = await second_question()
    forms = list[dict[str, Any]]()

    async def ask(text: str, form: dict[str, Any]) -> ElicitResult:
        forms.append(form)
        return ElicitResult(action='accept', content=content)

    await talk.resume(await SessionApprovals().decide(talk.requests, ask))
    assert len(world.log) == made
    assert 'more_calls' in forms[0]['properties']
