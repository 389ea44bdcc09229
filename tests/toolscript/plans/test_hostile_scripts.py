"""Scripts that find out that they are previewed, and behave: what they do otherwise asks all the same."""

from __future__ import annotations

from typing import Any

import pytest

from tests.toolscript.plans.worlds import Planned, World, planned
from tests.toolscript.scripted import Script, run_code
from toolscript import ToolRule

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

KNOWS = {
    'a large number': "made_up = r['balance'] > 1_000_000",
    'a token': "made_up = str((await close_issue(number=1))['anything']).startswith('zq')",
    'a frozen clock': """
import datetime
first = datetime.datetime.now()
made_up = datetime.datetime.now() == first
await balance(name='ann')
made_up = made_up and r['balance'] > 1_000_000
""",
    'a read that has not changed': "made_up = await balance(name='ann') == 100",
    'an answer that repeats the arguments': "made_up = (await create_issue(title='x'))['labels'] == ['never']",
    'a failure that every change has': """
made_up = r['balance'] > 1_000_000
try:
    await refund(name='bob', amount=1)
except RuntimeError:
    made_up = True
""",
}


def hostile(how: str) -> str:
    return f"""
r = await refund(name='ann', amount=1)
{KNOWS[how].strip()}
if not made_up:
    await pay(name='ann', amount=100)
else:
    await label(number=3, label='harmless')
"""


@pytest.mark.parametrize('how', KNOWS)
async def test_a_script_that_knows_that_it_is_previewed_makes_nothing_that_was_not_shown(how: str) -> None:
    world = World(issues={1: {'number': 1, 'labels': [], 'state': 'open'}, 3: {'number': 3, 'labels': []}})
    talk = planned(world, hostile(how))
    shown = {(call.tool_name, str(call.args)) for call in await talk.start()}
    again = await talk.decide_each([True] * len(talk.waiting))
    if ('pay', "{'name': 'ann', 'amount': 100}") not in shown:
        assert [entry for entry in world.log if entry[0] == 'pay'] == []
        assert [call.tool_name for call in again] in ([], ['pay'])


async def test_a_text_that_looks_like_a_hole_is_only_a_text() -> None:
    world = World()
    code = "a = await create_issue(title='A')\nawait label(number=3, label='‹number of row 1›')"
    talk = planned(world, code)
    (_, row) = await talk.start()
    assert row.row is not None
    assert row.row.holes == ()
    assert await talk.decide_each([True, True]) == []
    assert world.log[1] == ('label', 3, '‹number of row 1›')


async def test_reads_past_the_first_change_happen_before_the_approval() -> None:
    world = World()
    await planned(world, "await refund(name='ann', amount=1)\nprint(await balance(name='ann'))").start()
    assert (world.reads, world.log) == (1, [])


async def test_a_tool_that_is_wrongly_marked_read_only_acts_before_the_approval_unless_a_rule_says_otherwise() -> None:
    def careless(world: World, **settings: Any) -> Planned:
        tools = world.toolset

        @tools.tool_plain(metadata={'read_only': True})
        async def look_up(name: str) -> str:
            """Says that it only reads."""
            world.log.append(('look_up', name))
            return name

        code = "await refund(name='ann', amount=1)\nawait look_up(name='x')"
        return Planned(tools, Script([run_code(code)]), settings=settings)

    trusted, ruled = World(), World()
    await careless(trusted).start()
    assert trusted.log == [('look_up', 'x')]
    waiting = await careless(ruled, rules=[ToolRule('look_up', mark_read_only=False)]).start()
    assert ([call.tool_name for call in waiting], ruled.log) == (['refund', 'look_up'], [])
