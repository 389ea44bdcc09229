"""Kill -9 while a plan is carried out, restart: no row runs twice, and no unapproved row runs."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.toolscript.lives import MARKS, in_a_fork
from tests.toolscript.plans import plan_lab
from tests.toolscript.plans.plan_lab import SCRIPTS

pytestmark = MARKS


def check(case: dict[str, Any], whole: dict[str, Any]) -> None:
    """After a kill each row ran once, except one with an unknown outcome, and the rows that follow it."""
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


@pytest.mark.parametrize('script', [pytest.param('in a row', marks=pytest.mark.long), 'at once', 'under a grant'])
def test_a_few_kills_of_planned_scripts(tmp_path: Path, script: str) -> None:
    whole, *cases = in_a_fork(plan_lab.main, tmp_path, script, 2, 40)
    assert (whole['died'], whole['questions']) == (False, script == 'under a grant')
    assert len(cases) > 1
    for case in cases:
        assert case['died']
        check(case, whole)


@pytest.mark.long
@pytest.mark.parametrize('part', range(8))
@pytest.mark.parametrize('script', SCRIPTS)
def test_kills_of_planned_scripts_at_every_instant(tmp_path: Path, script: str, part: int) -> None:
    whole, *cases = in_a_fork(plan_lab.main, tmp_path, script, part + 1, 8)
    for case in cases:
        check(case, whole)
