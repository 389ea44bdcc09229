"""`make bench` measures every row, its page shows the figures, and the soak test detects growth."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.costs.__main__ import main
from benchmarks.costs.measuring import run_part
from benchmarks.costs.results import Results, Row, load
from benchmarks.costs.sides.all_sides import OURS
from benchmarks.costs.tables import PAGE, table, updated


def test_a_part_that_fails_is_reported_and_the_others_still_run() -> None:
    results, measured = Results('', '', '', '', '', {}, [], []), list[str]()

    def breaks() -> None:
        raise RuntimeError('The process has ended.')

    ends = [run_part('one', breaks, results), run_part('another', lambda: measured.append('it'), results)]
    assert (ends, measured) == ([False, True], ['it'])
    assert results.notes == ['one: broke off with RuntimeError']


@pytest.mark.long
def test_a_quick_measurement_covers_every_row(tmp_path: Path) -> None:
    assert main(['--quick', '--out', str(tmp_path)]) == 0
    results = load(tmp_path / 'costs.json')
    assert len(results.rows) == 9
    assert not any('in a crowd' in note for note in results.notes)
    assert all(row.sides[OURS] for row in results.rows)
    assert {path.name for path in tmp_path.iterdir()} == {'costs.json', 'costs.md'}


TEXT = PAGE.read_text()
BOTH = Row('a script', 'ms', {'toolscript': [2.0, 2.2, 2.4], 'pydantic-ai-harness': [4.0]}, [1.0])
ALONE = Row('alone', '', {'toolscript': [0.0]}, [])
RESULTS = Results(
    '2026-01-02', 'abc1234', 'make bench', 'a machine', '3.11.7',
    {'toolscript': {'pydantic-ai-slim': '2.62.0'}, 'pydantic-ai-harness': {}},
    [BOTH, ALONE, replace(ALONE, name='200 runs at once in 4 processes: runs a second')], [],
)  # fmt: skip


def test_the_report_has_the_medians_of_each_row() -> None:
    assert table(RESULTS)[2:] == [
        '| a script | 2.2 ms | 4 ms | 1 ms |',
        '| alone | 0 | – | – |',
        '| 200 runs at once in 4 processes: runs a second | 0 | – | – |',
    ]


def test_new_figures_replace_old_ones() -> None:
    once = updated(TEXT, RESULTS)
    assert '| a script | 2.2 ms | 4 ms | 1 ms |\n' in once
    assert '| alone | 0 | – | – |\n' in once
    assert '4 processes' not in once
    assert '`make bench` at commit abc1234, 2026-01-02: a machine, Python 3.11.7.' in once
    assert updated(updated(TEXT, RESULTS), RESULTS) == once


ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_a_hundred_runs_leave_nothing_in_memory() -> None:
    # In a separate process, since some of its runs kill workers of any session.
    done = subprocess.run([sys.executable, '-m', 'benchmarks.soak', '--runs', '100'], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()
