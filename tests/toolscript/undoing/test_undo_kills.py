"""Kill -9 while a script makes changes or while they are undone, restart: nothing is undone twice or forgotten."""

import asyncio
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ToolCallPart

from tests.toolscript.lives import MARKS, forks, in_a_fork
from tests.toolscript.undoing import undo_lab
from tests.toolscript.undoing.shop import FORTY, Shop
from tests.toolscript.undoing.test_undoing import agent_of
from toolscript import ScriptLocked, undo

pytestmark = MARKS
WHICH = ('script', 'undo', 'on error')


def check(case: dict[str, Any]) -> None:
    """Each change and each inverse ran at most once, and the report says which; at most one outcome is unknown."""
    counts = Counter((what, number) for what, number in case['made'])
    assert set(counts.values()) <= {1}, case
    statuses: dict[int, str] = dict(case['report'])
    assert len(statuses) == len(case['report']), case
    assert {number for what, number in counts if what == 'refund'} <= set(statuses), case
    for number, status in statuses.items():
        undone = counts['take back', number]
        # A refund may have an unknown outcome, which is 'cannot', and so may its inverse.
        assert undone == (status == 'undone') or status == 'unknown', case
    assert len([status for status in statuses.values() if status != 'undone']) <= 1, case


@pytest.mark.parametrize('which', [pytest.param('script', marks=pytest.mark.long), 'undo', 'on error'])
def test_a_few_kills_of_undo(tmp_path: Path, which: str) -> None:
    whole, *cases = in_a_fork(undo_lab.main, tmp_path, which, 2, 22)
    assert (whole['died'], {status for _, status in whole['report']}) == (False, {'undone'})
    assert len(cases) > 1
    for case in cases:
        assert case['died']
        check(case)


@pytest.mark.long
@pytest.mark.parametrize('which', WHICH)
def test_kills_of_undo_at_every_instant(tmp_path: Path, which: str) -> None:
    for case in in_a_fork(undo_lab.main, tmp_path, which, 1, 1):
        check(case)


def undone(folder: Path) -> tuple[int, bool]:
    """Undo in this process. Returns how many calls it made, and whether everything is undone."""
    shop, complete = Shop(folder / 'shop.db'), False
    with suppress(ScriptLocked):
        complete = asyncio.run(undo('the_script', agent_of(shop.tools, folder=folder), commit=True)).is_complete
    return len(shop.log), complete


def test_two_simultaneous_processes_undo_each_change_once(tmp_path: Path, shop: Shop) -> None:
    before = shop.content
    call = ToolCallPart('run_code', {'code': FORTY}, 'the_script')
    asyncio.run(agent_of(shop.tools, call, folder=tmp_path).run('go'))
    with ProcessPoolExecutor(2, forks()) as pool:
        counts, complete = zip(*pool.map(undone, [tmp_path] * 2), strict=True)
    assert (sum(counts), any(complete)) == (40, True)
    assert shop.content == before
