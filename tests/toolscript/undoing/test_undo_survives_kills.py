"""Kill -9 while a script makes changes or while they are undone, start again: nothing is undone twice or forgotten."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ToolCallPart

from tests.toolscript.lives import MARKS, play
from tests.toolscript.undoing import undo_lab
from tests.toolscript.undoing.shop import FORTY, Shop
from tests.toolscript.undoing.test_scripts_are_undone import agent_of

pytestmark = MARKS
WHICH = ('script', 'undo', 'on error')


def check(case: dict[str, Any]) -> None:
    """Each change and each inverse was made once at most, and the report says which; one outcome at most is unknown."""
    counts = Counter((what, number) for what, number in case['made'])
    assert set(counts.values()) <= {1}, case
    statuses: dict[int, str] = dict(case['report'])
    assert len(statuses) == len(case['report']), case
    assert {number for what, number in counts if what == 'refund'} <= set(statuses), case
    for number, status in statuses.items():
        undone = counts['take back', number]
        # The outcome of a refund may be unknown, which is 'cannot', or that of its inverse.
        assert undone == (status == 'undone') or status == 'unknown', case
    assert len([status for status in statuses.values() if status != 'undone']) <= 1, case


@pytest.mark.parametrize('which', [pytest.param('script', marks=pytest.mark.long), 'undo', 'on error'])
def test_a_few_kills_of_undo(tmp_path: Path, which: str) -> None:
    whole, *cases = play(undo_lab, tmp_path, which, 2, 18)
    assert (whole['died'], {status for _, status in whole['report']}) == (False, {'undone'})
    assert len(cases) > 1
    for case in cases:
        assert case['died']
        check(case)


@pytest.mark.long
@pytest.mark.parametrize('which', WHICH)
def test_kills_of_undo_at_every_instant(tmp_path: Path, which: str) -> None:
    for case in play(undo_lab, tmp_path, which, 1, 1):
        check(case)


UNDO = """
import asyncio, sys
from pathlib import Path
from tests.toolscript.undoing.test_scripts_are_undone import agent_of
from tests.toolscript.undoing.shop import Shop
from toolscript import ScriptLocked, undo
folder = Path(sys.argv[1])
shop = Shop(folder / 'shop.db')
try:
    report = asyncio.run(undo('the_script', agent_of(shop.tools, folder=folder), commit=True))
    print(len(shop.log), report.is_complete)
except ScriptLocked:
    print(len(shop.log), 'locked')
"""


def test_two_processes_at_once_undo_each_change_once(tmp_path: Path) -> None:
    shop = Shop(tmp_path / 'shop.db')
    before = shop.content
    call = ToolCallPart('run_code', {'code': FORTY}, 'the_script')
    asyncio.run(agent_of(shop.tools, call, folder=tmp_path).run('go'))
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}
    command = [sys.executable, '-c', UNDO, str(tmp_path)]
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    ended = [one.communicate(timeout=300) for one in both]
    said = [out.split() for out, _ in ended]
    assert [len(words) for words in said] == [2, 2], ended
    assert sum(int(count) for count, _ in said) == 40
    assert 'True' in {word for _, word in said}
    assert shop.content == before
