"""An agent in code mode inside a DBOS workflow: recorded steps do not run again."""

import sqlite3
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.toolscript.lives import MARKS, in_a_fork

BOOKED = [*([f'seen {n}', f'booked {n}'] for n in range(5)), 'booked 99']

pytestmark = [*MARKS, pytest.mark.skipif(find_spec('dbos') is None, reason='DBOS is not installed')]


def lab(folder: Path, option: str, *lives: tuple[int, int], postgres: str = '') -> Any:
    """What the lab returns. It runs in a process of its own, which alone imports DBOS."""
    from tests.toolscript.durability import dbos_lab

    return dbos_lab.main(folder, option, *lives, postgres=postgres)


def ledger(folder: Path) -> Counter[str]:
    """Return how often each tool ran with each argument."""
    with sqlite3.connect(folder / 'ledger.db') as connection:
        lines = connection.execute('select line from ledger').fetchall()
    connection.close()
    return Counter(line for (line,) in lines)


@pytest.mark.parametrize(
    ('database', 'die_at'),
    [
        pytest.param('postgres', 9, marks=pytest.mark.postgres),
        pytest.param('postgres', 4, marks=[pytest.mark.postgres, pytest.mark.long]),
        pytest.param('sqlite', 4, marks=pytest.mark.long),
        pytest.param('sqlite', 9, marks=pytest.mark.long),
    ],
)
def test_a_killed_workflow_continues_and_repeats_no_recorded_step(
    tmp_path: Path, request: pytest.FixtureRequest, database: str, die_at: int
) -> None:
    postgres = request.getfixturevalue('postgres').url if database == 'postgres' else ''
    assert in_a_fork(lab, tmp_path, '', (die_at, 0), (0, 0), postgres=postgres) == BOOKED
    counts = ledger(tmp_path)
    assert len(counts) == 11
    # A step that was running when the process died runs again: DBOS has not recorded it. Those before it are recorded.
    recorded = {4: [], 9: ['look']}[die_at]
    repeated = [line for line, count in counts.items() if count > 1 and line != 'book 99']
    assert [line for line in repeated if line.split()[0] in recorded] == []
    assert max(counts.values()) <= 2


@pytest.mark.parametrize('option', ['DBOSAgent', pytest.param('no durability', marks=pytest.mark.long)])
def test_an_agent_whose_steps_nothing_records_is_refused_before_the_model_request(tmp_path: Path, option: str) -> None:
    refusal = in_a_fork(lab, tmp_path, option, (0, 0))
    assert 'DBOSAgent and PrefectAgent of pydantic-ai record no steps' in refusal
    assert not (tmp_path / 'ledger.db').exists()


@pytest.mark.long
def test_the_answer_of_a_script_survives_the_death_of_its_workflow(tmp_path: Path) -> None:
    result = in_a_fork(lab, tmp_path, 'answers', (11, 0), (0, 0))
    assert result == [*BOOKED[:5], 'given by the script']
    repeated = [line for line, count in ledger(tmp_path).items() if count > 1]
    assert repeated in ([], ['book 99'])


@pytest.mark.long
def test_a_script_that_uses_clock_and_random_numbers_replays_the_same_way_later(tmp_path: Path) -> None:
    in_a_fork(lab, tmp_path, 'by the clock', (3, 0))
    began = ledger(tmp_path)
    way, ran_on = in_a_fork(lab, tmp_path, 'by the clock', (0, 12))
    assert ran_on
    assert [text.split()[-1] for _, text in way] == [str(n) for n, _ in way]
    went = [text.replace('seen', 'look').replace('booked', 'book') for _, text in way]
    assert set(went[:3]) == set(began)
    assert set(ledger(tmp_path)) == set(went)


@pytest.mark.long
def test_workflows_that_an_engine_replays_have_only_the_spans_of_pydantic_ai(tmp_path: Path) -> None:
    names = in_a_fork(lab, tmp_path, 'traced', (0, 0))
    chat, script = 'chat scripts', 'execute_tool run_code'
    assert names == [chat, 'execute_tool look', script, chat, script, chat, 'invoke_agent clerk']
