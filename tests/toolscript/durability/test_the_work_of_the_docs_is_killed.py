"""The example of the page on durability keeps its promise when it dies in the middle of a write of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

LAB = Path(__file__).with_name('work_lab.py')

pytestmark = [
    pytest.mark.skipif(not hasattr(os, 'fork'), reason='lives are forks'),
    pytest.mark.timeout(600),
]


def play(folder: Path, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """What became of each case; every one keeps the promise."""
    done = subprocess.run(
        [sys.executable, str(LAB), str(folder / 'lab')],
        input=json.dumps(numbers),
        capture_output=True,
        text=True,
        timeout=600,
        env={
            **os.environ,
            'PYTHONPATH': os.pathsep.join(sys.path),
            'TOOLSCRIPT_SNAPSHOT_KEY': 'the key of the docs',
        },
    )
    assert done.returncode == 0, done.stderr
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(outcomes) == len(numbers)
    for outcome in outcomes:
        if outcome['result'] == [0, 1, 4, 9]:
            assert outcome['counts'] == [1, 1, 1, 1], outcome
        else:
            # The call that was under way is told as unknown, and the script ends with that.
            assert 'UnknownOutcome' in json.dumps(outcome['result']), outcome
            assert max(outcome['counts']) <= 1, outcome
    return outcomes


@pytest.mark.parametrize('numbers', [[3], pytest.param([1, 2, 3, 4, 11], marks=pytest.mark.long)])
def test_a_death_before_any_flush_or_renaming(tmp_path: Path, numbers: Sequence[int]) -> None:
    outcomes = play(tmp_path, numbers)
    assert sum(outcome['died'] for outcome in outcomes) >= (3 * len(numbers) + 3) // 4
