"""Scripts that detect their preview: every other change asks again."""

import re
from typing import Any

import pytest
from pydantic_ai import ModelRetry

from tests.sampling import sampled
from tests.toolscript.plans.worlds import Planned, World, planned
from tests.toolscript.scripted import Script, run_code
from toolscript import Limits, ToolRule

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
async def test_a_script_that_detects_the_preview_changes_nothing_that_was_not_shown(how: str) -> None:
    world = World(issues={1: {'number': 1, 'labels': [], 'state': 'open'}, 3: {'number': 3, 'labels': []}})
    talk = planned(world, hostile(how))
    shown = {(call.tool_name, str(call.args)) for call in await talk.start()}
    again = await talk.decide_each([True] * len(talk.waiting))
    if ('pay', "{'name': 'ann', 'amount': 100}") not in shown:
        assert [entry for entry in world.log if entry[0] == 'pay'] == []
        assert [call.tool_name for call in again] in ([['pay']] if how == 'a large number' else [[], ['pay']])


HARMS = {
    'an endless loop': 'while True:\n        pass',
    'memory': 'x = [0]\n    while True:\n        x = x + x',
    'recursion': 'def f(n):\n        return f(n + 1)\n    f(0)',
    'endless changes': 'n = 0\n    while True:\n        n = n + 1\n        await close_issue(number=n)',
    'endless reads': "while True:\n        await balance(name='ann')",
    'endless sleep': 'import asyncio\n    while True:\n        await asyncio.sleep(60)',
    'prints': "while True:\n        print('x' * 100_000)",
    'an exit': 'raise SystemExit(1)',
    'a large argument': "await create_issue(title='x' * 5_000_000)",
    'many at once': 'import asyncio\n    await asyncio.gather(*[close_issue(number=n) for n in range(2_000)])',
}


@pytest.mark.parametrize('harm', sampled(HARMS, 5))
async def test_a_script_that_does_harm_in_its_preview_harms_only_the_preview(harm: str) -> None:
    code = f"""
r = await refund(name='ann', amount=1)
if r['balance'] > 1_000_000:
    {HARMS[harm]}
await pay(name='bob', amount=2)
"""
    world = World()
    talk = planned(world, code, limits=Limits(max_script_seconds=1))
    assert len(await talk.approve_all(3)) <= 3
    assert (world.log, talk.script.answers) == ([('refund', 'ann', 1), ('pay', 'bob', 2)], [48])


READ = """
await refund(name='ann', amount=1)
try:
    await look()
except Exception as error:
    print(type(error).__name__)
await pay(name='bob', amount=2)
"""


@pytest.mark.parametrize('error', [ValueError(), ModelRetry('again'), TimeoutError(), KeyError('x')], ids=repr)
@pytest.mark.parametrize('code', [READ, 'await refund(name="ann", amount=1)\nawait look()'], ids=['caught', 'uncaught'])
async def test_a_read_raises_in_the_real_run_and_not_in_the_preview(error: Exception, code: str) -> None:
    async def ran(*, plans: bool) -> tuple[World, Planned]:
        world = World()
        tools = world.toolset

        @tools.tool_plain(metadata={'read_only': True})
        async def look() -> None:
            raise error

        talk = Planned(tools, Script([run_code(code)]), plans=plans)
        await talk.approve_all(3)
        return world, talk

    (with_plan, talk), (without, other) = await ran(plans=True), await ran(plans=False)
    assert with_plan.log == without.log
    answers = [re.sub('reference [0-9a-f]+', '', str(one.script.answers)) for one in (talk, other)]
    assert answers[0] == answers[1]
    assert len(talk.questions) <= len(other.questions)


async def test_a_text_that_looks_like_a_placeholder_is_only_a_text() -> None:
    world = World()
    code = "a = await create_issue(title='A')\nawait label(number=3, label='‹number of row 1›')"
    talk = planned(world, code)
    (_, row) = await talk.start()
    assert row.row is not None
    assert row.row.holes == ()
    assert await talk.decide_each([True, True]) == []
    assert world.log[1] == ('label', 3, '‹number of row 1›')


async def test_reads_after_the_first_change_happen_before_the_approval() -> None:
    world = World()
    await planned(world, "await refund(name='ann', amount=1)\nprint(await balance(name='ann'))").start()
    assert (world.reads, world.log) == (1, [])


async def test_a_tool_wrongly_marked_read_only_acts_before_the_approval_unless_a_rule_corrects_it() -> None:
    def careless(world: World, **settings: Any) -> Planned:
        tools = world.toolset

        @tools.tool_plain(metadata={'read_only': True})
        async def look_up(name: str) -> str:
            world.log.append(('look_up', name))
            return name

        code = "await refund(name='ann', amount=1)\nawait look_up(name='x')"
        return Planned(tools, Script([run_code(code)]), settings=settings)

    trusted, ruled = World(), World()
    await careless(trusted).start()
    assert trusted.log == [('look_up', 'x')]
    waiting = await careless(ruled, rules=[ToolRule('look_up', mark_read_only=False)]).start()
    assert ([call.tool_name for call in waiting], ruled.log) == (['refund', 'look_up'], [])
