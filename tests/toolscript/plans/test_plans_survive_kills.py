"""Kill -9 while a plan is committed, start again: no row is made twice, and none that was not approved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.toolscript.plans.plan_lab import SCRIPTS

pytestmark = [
    pytest.mark.skipif(not hasattr(os, 'fork'), reason='lives are forks'),
    pytest.mark.timeout(600),
]


def play(folder: Path, script: str, *deaths: int) -> list[dict[str, Any]]:
    """What became of each case."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name('plan_lab.py')), str(folder / 'lab'), script],
        input=json.dumps(deaths),
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(case: dict[str, Any], whole: dict[str, Any]) -> None:
    """A life that was killed has made each row once, but for one whose outcome nobody knows, and what follows it."""
    counts = Counter(map(repr, case['made']))
    assert set(counts.values()) <= {1}, case
    assert set(counts) <= set(map(repr, whole['made'])), case
    unknown = case['result'].count('UnknownOutcome')
    assert unknown <= 4, case
    lost = [row for row in whole['made'] if repr(row) not in counts]
    assert len(lost) <= 2 * unknown, case
    if not unknown:
        assert case['result'] == whole['result'], case
        assert case['questions'] <= whole['questions'], case


@pytest.mark.parametrize('script', SCRIPTS)
def test_a_few_kills(tmp_path: Path, script: str) -> None:
    (whole,) = play(tmp_path / 'whole', script, 1_000)
    assert (whole['died'], whole['questions']) == (False, script == 'under a grant')
    for case in play(tmp_path, script, *range(2, whole['moments'], 17)):
        assert case['died']
        check(case, whole)


@pytest.mark.long
@pytest.mark.parametrize('part', range(8))
@pytest.mark.parametrize('script', SCRIPTS)
def test_kills_at_every_instant(tmp_path: Path, script: str, part: int) -> None:
    (whole,) = play(tmp_path / 'whole', script, 1_000)
    for case in play(tmp_path, script, *range(part + 1, whole['moments'] + 1, 8)):
        check(case, whole)
