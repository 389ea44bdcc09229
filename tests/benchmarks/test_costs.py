"""`make bench` measures everything, its page shows what it wrote, and the soak sees what grew."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.costs.__main__ import main
from benchmarks.costs.measuring import came_to_its_end
from benchmarks.costs.page import PAGE, updated
from benchmarks.costs.players import playing
from benchmarks.costs.results import Aim, Results, Row, load
from benchmarks.costs.sides.all_sides import OURS
from benchmarks.costs.tables import table
from benchmarks.soak import GROWTH_BYTES, Footprint

CASES = (
    'direct',
    'trivial',
    'trivial again',
    'loop',
    'gather',
    'raw',
    'raw loop',
    'raw gather',
    'bare calls',
    'managed calls',
)


@pytest.mark.long
def test_a_player_does_what_it_is_asked() -> None:
    with playing(OURS, Path(sys.executable)) as player:
        times = [player.ask('case', name=name) for name in CASES]
        crowd = player.ask('crowd', at_once=2, alone=1)
    assert all(time > 0 for time in times)
    assert (len(crowd['runs_ms']), crowd['failed']) == (2, [])


def test_a_part_that_breaks_off_is_told_and_leaves_the_others() -> None:
    results, measured = Results('', '', '', '', '', {}, [], []), list[str]()

    def breaks() -> None:
        raise RuntimeError('The process has ended.')

    ends = [came_to_its_end('one', breaks, results), came_to_its_end('another', lambda: measured.append('it'), results)]
    assert (ends, measured) == ([False, True], ['it'])
    assert results.notes == ['one: broke off with RuntimeError']


@pytest.mark.long
def test_a_minute_of_it_measures_everything(tmp_path: Path) -> None:
    assert main(['--quick', '--out', str(tmp_path)]) == 0
    results = load(tmp_path / 'costs.json')
    assert len(results.rows) == 15
    assert all(row.sides[OURS] for row in results.rows)
    assert {row.name: row.sides for row in results.rows if row.name.endswith('failed') and any(row.sides[OURS])} == {}
    assert {path.name for path in tmp_path.iterdir()} == {'costs.json', 'costs.md'}


TEXT = PAGE.read_text()
BOTH = Row(
    'a script', 'ms', {'toolscript': [2.0, 2.2, 2.4], 'pydantic-ai-harness': [4.0]}, 'a floor', [1.0], Aim(2, 'floor')
)
ALONE = Row('alone', '', {'toolscript': [0.0]}, '', [], Aim(0, 'nothing'))
RESULTS = Results(
    '2026-01-02', 'abc1234', 'make bench', 'a machine', '3.11.7',
    {'toolscript': {'pydantic-ai-slim': '2.62.0'}, 'pydantic-ai-harness': {}},
    [BOTH, ALONE, replace(ALONE, name='failed')], [],
)  # fmt: skip


def _shown(part: str) -> list[str]:
    """The lines of the page between the marks of a part."""
    found = re.search(rf'<!-- figures: {part} -->\n(.*?)\n<!-- end of figures -->', TEXT, re.DOTALL)
    assert found is not None, part
    return [line for line in found[1].splitlines() if line]


def test_its_table_has_a_cell_for_each_side_and_the_floor() -> None:
    head, rule, *rows = (line.strip('|').split('|') for line in _shown('table'))
    assert [len(row) for row in (rule, *rows)] == [len(head)] * (len(rows) + 1)
    assert len(rows) >= 9


def test_the_report_says_for_each_row_whether_it_is_as_it_should_be() -> None:
    assert table(RESULTS)[2:] == [
        '| a script | 2.2 ms | 4 ms | 1 ms | 2.20 | at most 2 floors: not reached |',
        '| alone | 0 | – | – | – | at most 0: reached |',
        '| failed | 0 | – | – | – | at most 0: reached |',
    ]


def test_it_names_the_command_the_machine_and_the_releases_of_its_figures() -> None:
    setting, *packages = _shown('setting')
    assert re.match(
        r'`make bench(?: QUICK=1)?` at commit [0-9a-f]{7,}\+?, \d{4}-\d\d-\d\d: .* cores, .* Python 3\.\d+\.\d+\.$',
        setting,
    )
    assert any('pydantic-ai-slim' in line and 'pydantic-monty' in line for line in packages)


def test_new_figures_take_the_place_of_old_ones() -> None:
    once = updated(TEXT, RESULTS)
    assert '| a script | 2.2 ms | 4 ms | 1 ms |\n' in once
    assert '| alone | 0 | – | – |\n' in once
    assert '| failed |' not in once
    assert '`make bench` at commit abc1234, 2026-01-02: a machine, Python 3.11.7.' in once
    assert updated(updated(TEXT, RESULTS), RESULTS) == once


ROOT = Path(__file__).parents[2]
BEFORE = Footprint(processes=2, files=20, tasks=0, bytes=80_000_000, bytes_of_workers=40_000_000)


@pytest.mark.parametrize('counted', ['processes', 'files', 'tasks'])
def test_two_more_of_anything_are_told(counted: str) -> None:
    assert BEFORE.grown_to(replace(BEFORE, **{counted: getattr(BEFORE, counted) + 1})) == []
    assert BEFORE.grown_to(replace(BEFORE, **{counted: getattr(BEFORE, counted) + 2})) == [counted]


@pytest.mark.parametrize('held', ['bytes', 'bytes_of_workers'])
def test_memory_is_told_that_no_heap_takes_by_itself(held: str) -> None:
    more = getattr(BEFORE, held) + GROWTH_BYTES
    assert BEFORE.grown_to(replace(BEFORE, **{held: more})) == []
    assert BEFORE.grown_to(replace(BEFORE, **{held: more + 1})) == [held]


@pytest.mark.long
def test_nothing_is_left_of_a_hundred_runs() -> None:
    # In a process of its own, since some of its runs kill a worker, whosever it is.
    done = subprocess.run([sys.executable, '-m', 'benchmarks.soak', '--runs', '100'], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()
