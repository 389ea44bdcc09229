"""`make bench QUICK=1` works: every row and every curve comes out, and every run gives the right answer."""

import sys
from pathlib import Path

import pytest

from benchmarks.costs.__main__ import main
from benchmarks.costs.growth import GROWTHS
from benchmarks.costs.players import playing
from benchmarks.costs.results import load
from benchmarks.costs.sides.all_sides import OURS

CASES = ('direct', 'trivial', 'loop', 'gather', 'raw', 'raw loop', 'raw gather', 'bare calls', 'managed calls')


@pytest.mark.long
def test_a_player_does_what_it_is_asked() -> None:
    with playing(OURS, Path(sys.executable)) as player:
        times = [player.ask('case', name=name) for name in CASES]
        crowd = player.ask('crowd', at_once=2, alone=1)
    assert all(time > 0 for time in times)
    assert (len(crowd['runs_ms']), crowd['failed']) == (2, [])


@pytest.mark.long
def test_a_minute_of_it_measures_everything(tmp_path: Path) -> None:
    assert main(['--quick', '--out', str(tmp_path)]) == 0
    results = load(tmp_path / 'costs.json')
    assert len(results.rows) == 14
    assert all(row.sides[OURS] for row in results.rows)
    assert {row.name: row.sides for row in results.rows if row.name.endswith('failed') and any(row.sides[OURS])} == {}
    assert [curve.key for curve in results.curves] == list(GROWTHS)
    assert {path.name for path in tmp_path.iterdir()} == {'costs.json', 'costs.md', *(f'{key}.svg' for key in GROWTHS)}
