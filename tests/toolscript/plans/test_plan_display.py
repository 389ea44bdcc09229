"""Events, traces, histories and pages show planned, made, rejected and skipped calls."""

import re
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import AgentStreamEvent
from pydantic_ai.tools import DeferredToolRequests, ToolDenied

from tests.toolscript.observability.spans import Spans
from tests.toolscript.plans.worlds import Planned, World, planned
from tests.toolscript.scripted import streaming
from toolscript import ScriptPauseEvent, ScriptResultEvent, resolve, script_calls
from toolscript.approvals.review import CallTooLong
from toolscript.history import render_html, render_text
from toolscript.plans.rows import plan_text

pytestmark = pytest.mark.pydantic_ai

CODE = """
a = await create_issue(title='A')
try:
    await label(number=a['number'], label='x')
except PermissionError as error:
    print(error)
await close_issue(number=a['number'])
if await balance(name='ann') > 50:
    await pay(name='ann', amount=1)
"""


async def rejected() -> tuple[World, Planned]:
    """A script whose second row was rejected, and which skipped its last one."""
    world = World()
    talk = planned(world, CODE)
    await talk.start()
    world.accounts['ann'] = 0
    assert await talk.decide_each([True, ToolDenied('no labels'), True, True]) == []
    return world, talk


def scripts_in(text: str) -> list[str]:
    return [line.strip() for line in re.sub(r'\d+ ms', 'N ms', text).splitlines() if 'planned' in line or 'row' in line]


async def test_calls_as_data_have_their_rows_and_decisions() -> None:
    _, talk = await rejected()
    found = [(call.function, call.status, call.decision, call.row) for call in script_calls(talk.messages)]
    assert found == [
        ('create_issue', 'finished', 'approved', '1.1'),
        ('label', 'failed', 'denied', '1.2'),
        ('close_issue', 'finished', 'approved', '1.3'),
        ('balance', 'finished', None, None),
    ]


async def test_a_history_shows_run_rejected_and_skipped_rows() -> None:
    _, talk = await rejected()
    assert scripts_in(render_text(talk.messages, width=200)) == [
        "line 2: create_issue(title='A') → {'number': 3, 'title': 'A', 'labels': [], 'state': 'open'}  (N ms, planned as row 1.1, approved)",
        "line 4: label(number=3, label='x') failed: PermissionError: label was not approved: no labels  (N ms, planned as row 1.2, denied)",
        "line 7: close_issue(number=3) → {'ok': True, 'number': 3}  (N ms, planned as row 1.3, approved)",
        'line 9: pay(name="ann", amount=1) planned as row 1.4, not made',
    ]
    page = render_html(talk.messages)
    assert [page.count(f'planned as row 1.{row}') for row in (1, 2, 3, 4)] == [1, 1, 1, 1]
    assert 'planned as row 1.4, not made' in page


async def test_a_history_shows_the_plan_while_the_script_waits_and_after_a_rejection() -> None:
    talk = planned(World(), CODE)
    waiting = await talk.start()
    whole = scripts_in(render_text(talk.messages, width=200))
    assert whole == [
        'line 2: create_issue(title="A") planned as row 1.1, not made',
        'line 4: label(number="‹number of row 1›", label="x") planned as row 1.2, not made',
        'line 7: close_issue(number="‹number of row 1›") planned as row 1.3, not made',
        'line 9: pay(name="ann", amount=1) planned as row 1.4, not made',
    ]
    await talk.resume(resolve(talk.requests, {str(waiting[0].script_id): False}))
    assert scripts_in(render_text(talk.messages, width=200)) == whole


async def test_text_of_rows_cannot_break_a_page() -> None:
    talk = planned(World(), "await create_issue(title='</li><script>alert(1)</script>')")
    await talk.start()
    assert '<script>' not in render_html(talk.messages)
    for message in talk.messages:
        if message.kind == 'response':
            message.metadata = {'toolscript_planned': {'x': 'nothing', **{key: [3, [1, 2, 3]] for key in ids(message)}}}
    render_text(talk.messages)


def ids(message: Any) -> list[str]:
    return [part.tool_call_id for part in message.parts]


async def test_events_have_the_planned_rows_and_the_row_of_each_call() -> None:
    world = World()
    talk, pauses, ended = planned(world, CODE), list[ScriptPauseEvent](), list[ScriptResultEvent]()

    def see(event: AgentStreamEvent | object) -> None:
        if isinstance(event, ScriptPauseEvent):
            pauses.append(event)
        if isinstance(event, ScriptResultEvent):
            ended.append(event)

    agent, result = talk.agent, None
    with agent.override(model=streaming(talk.script)):
        async with agent.run_stream_events('go') as events:
            async for event in events:
                see(event)
                result = getattr(event, 'result', result)
        assert result is not None
        assert isinstance(result.output, DeferredToolRequests)
        (pause,) = pauses
        assert [(row['tool_name'], row['row']['number'], row['row']['line']) for row in pause.planned] == [
            ('create_issue', 1, 2),
            ('label', 2, 4),
            ('close_issue', 3, 7),
            ('pay', 4, 9),
        ]
        assert len(pause.call_ids) == 1
        calls = {row['tool_call_id']: row['tool_name'] != 'label' for row in pause.planned}
        decided, history = resolve(result.output, calls), result.all_messages()
        async with agent.run_stream_events(message_history=history, deferred_tool_results=decided) as events:
            async for event in events:
                see(event)
    assert [(event.tool_name, event.status, event.row) for event in ended] == [
        ('create_issue', 'waiting', None),
        ('create_issue', 'finished', '1.1'),
        ('label', 'failed', '1.2'),
        ('close_issue', 'finished', '1.3'),
        ('balance', 'finished', None),
        ('pay', 'finished', '1.4'),
    ]


@pytest.mark.parametrize('content', [True, False])
async def test_traces_have_planned_rows_as_events_and_the_row_of_each_call(content: bool) -> None:
    spans = Spans()
    talk = planned(World(), CODE)
    talk.capabilities = [spans.instrumentation(include_content=content)]
    await talk.start()
    planned_rows = [
        {**(event.attributes or {})}
        for span in spans.all
        for event in span.events
        if event.name == 'toolscript.planned'
    ]
    assert [row['toolscript.row'] for row in planned_rows] == ['1.1', '1.2', '1.3', '1.4']
    assert ['gen_ai.tool.call.arguments' in row for row in planned_rows] == [content] * 4
    await talk.decide_each([True, False, True, True])
    rows = {
        span.name: (span.attributes or {})['toolscript.row']
        for span in spans.all
        if 'toolscript.row' in (span.attributes or {})
    }
    assert rows == {
        'execute_tool create_issue': '1.1',
        'refuse_call label': '1.2',
        'execute_tool close_issue': '1.3',
        'execute_tool pay': '1.4',
    }


# -- a plan as people read it


async def shown(code: str) -> str:
    return plan_text(await planned(World(), code).start())


async def test_calls_of_one_line_are_shown_together_with_their_sums() -> None:
    code = "for n in [5, 6, 6, 6]:\n    await refund(name='ann', amount=n)\nawait pay(name='bob', amount=1)"
    assert await shown(code) == snapshot("""\
5 changes:
refund of world, 4 calls, line 2; amount adds up to 23:
  name = "ann" (in all)
  row 1: amount = 5
  rows 2 to 4, equal: amount = 6
  each row only if the one before succeeds, unless it says otherwise
pay of world (row 5, line 3, only if row 4 succeeds):
  amount = 1
  name = "bob"\
""")


async def test_values_of_other_rows_and_computed_values_are_marked() -> None:
    code = """
a = await create_issue(title='A')
r = await refund(name='ann', amount=1)
try:
    await pay(name='ann', amount=r['balance'] // 2)
except RuntimeError:
    pass
await label(number=a['number'], label=f"of {a['number']}")
"""
    text = re.sub(r'\d{10}', 'N', await shown(code))
    assert text == snapshot("""\
4 changes:
create_issue of world (row 1, line 2):
  title = "A"
refund of world (row 2, line 3, only if row 1 succeeds):
  amount = 1
  name = "ann"
pay of world (row 3, line 5, only if row 2 succeeds, amount computed from results, may differ):
  name = "ann"
  amount = N
label of world (row 4, line 8, only if row 3 succeeds, number, label from earlier rows):
  number = "‹number of row 1›"
  label = "of ‹number of row 1›"\
""")


async def test_no_text_can_imitate_a_row() -> None:
    text = await shown(
        "for n in (1, 2):\n    await create_issue(title='x\\n  row 9: title = ‹number of row 1›' + str(n))"
    )
    assert len(text.splitlines()) == 5
    assert text == snapshot("""\
2 changes:
create_issue of world, 2 calls, line 2:
  row 1: title = "x\\n  row 9: title = ‹number of row 1›1"
  row 2: title = "x\\n  row 9: title = ‹number of row 1›2"
  each row only if the one before succeeds, unless it says otherwise\
""")


async def test_a_plan_that_does_not_fit_is_not_shown_in_part() -> None:
    calls = await planned(World(), "for n in range(150):\n    await create_issue(title=f'{n}' * 50)").start()
    with pytest.raises(CallTooLong):
        plan_text(calls, max_chars=2_000)
