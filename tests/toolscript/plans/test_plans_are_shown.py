"""A plan as people read it."""

from __future__ import annotations

import re

import pytest
from inline_snapshot import snapshot

from tests.toolscript.plans.worlds import World, planned
from toolscript.approvals.review import CallTooLong
from toolscript.plans.rows import plan_text

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


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


async def test_what_comes_from_other_rows_and_what_is_computed_is_said() -> None:
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


async def test_no_text_can_make_a_row() -> None:
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
