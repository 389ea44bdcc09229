"""`make bench QUICK=1` works: every row and every curve comes out, and every run gives the right answer."""

import sys
from pathlib import Path

import pytest

from benchmarks.costs.__main__ import main
from benchmarks.costs.growth import GROWTHS
from benchmarks.costs.measuring import came_to_its_end
from benchmarks.costs.players import playing
from benchmarks.costs.results import Results, load
from benchmarks.costs.sides.all_sides import OURS

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
    results, measured = Results('', '', '', '', '', {}, [], [], []), list[str]()

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
    assert [curve.key for curve in results.curves] == list(GROWTHS)
    assert {path.name for path in tmp_path.iterdir()} == {'costs.json', 'costs.md', *(f'{key}.svg' for key in GROWTHS)}
