"""Kill -9 before, beside and behind the answer of a script: it comes out once, and the model is asked once."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.sampling import share
from tests.toolscript.durability import crash_lab
from tests.toolscript.durability.crash_lab import CALLS, Moment

LAB = Path(crash_lab.__file__)
GIVEN = [n * n for n in range(CALLS // 2 + 1)]
DEATHS: list[list[tuple[Moment, int]]] = [
    [('kept', 2)],
    [('kept', 3)],
    [('kept', 4)],
    *([('checkpoint', number)] for number in range(14, 20)),
    [('finished', 15), ('finished', 16), ('finished', 17)],
    [('finished', CALLS), ('kept', 1)],
]
"""None of them in the middle of a call, of which nobody would know what it did."""

pytestmark = [
    pytest.mark.skipif(not hasattr(os, 'fork'), reason='lives are forks'),
    pytest.mark.timeout(600),
]


def play(folder: Path, cases: Sequence[Sequence[tuple[Moment, int]]]) -> list[dict[str, object]]:
    """What became of each case."""
    done = subprocess.run(
        [sys.executable, str(LAB), str(folder), 'answering'],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@share(4)
def test_the_answer_survives(tmp_path: Path, one_in: int) -> None:
    deaths = DEATHS[::one_in]
    outcomes = play(tmp_path / 'lab', deaths)
    assert len(outcomes) == len(deaths)
    for outcome in outcomes:
        assert outcome['died'], outcome
        assert outcome['result'] == GIVEN, outcome
        assert outcome['counts'] == {str(n): 1 for n in range(CALLS)}, outcome
