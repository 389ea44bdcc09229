"""The example of the page on durability keeps its promise when it dies in the middle of a write of its own."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.toolscript.durability import work_lab
from tests.toolscript.lives import MARKS, play

pytestmark = MARKS


@pytest.mark.parametrize('numbers', [[3], pytest.param([1, 2, 3, 4, 11], marks=pytest.mark.long)])
def test_a_death_before_any_flush_or_renaming(tmp_path: Path, numbers: Sequence[int]) -> None:
    outcomes = play(work_lab, tmp_path, cases=numbers, TOOLSCRIPT_SNAPSHOT_KEY='the key of the docs')
    for outcome in outcomes:
        if outcome['result'] == [0, 1, 4, 9]:
            assert outcome['counts'] == [1, 1, 1, 1], outcome
        else:
            # The call that was under way is reported as unknown, and the script ends with that.
            assert 'UnknownOutcome' in json.dumps(outcome['result']), outcome
            assert max(outcome['counts']) <= 1, outcome
    assert sum(outcome['died'] for outcome in outcomes) >= (3 * len(numbers) + 3) // 4
