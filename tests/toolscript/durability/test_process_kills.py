"""Kill -9 during a script, restart from the message history: no call is lost, none runs twice."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import pytest

from tests.postgres_server import Server
from tests.sampling import share
from tests.toolscript.durability import crash_lab, work_lab
from tests.toolscript.durability.crash_lab import CALLS, Moment
from tests.toolscript.lives import MARKS, in_a_fork

IN_FLIGHT = {'started', 'working', 'worked'}

pytestmark = MARKS


@dataclass(frozen=True)
class Outcome:
    """The ledger and the result of the script after the last process."""

    deaths: Sequence[tuple[Moment, int]]
    died: int
    counts: dict[int, int]
    result: Sequence[int | str]

    @property
    def unknown(self) -> list[int]:
        """Return the calls whose outcome was reported to the script as unknown."""
        return [n for n, value in enumerate(self.result) if value == 'UnknownOutcome']

    @property
    def killed_in_flight(self) -> int:
        """Return how many kills fell between the start and the end of a call."""
        return sum(moment in IN_FLIGHT for moment, _ in self.deaths[: self.died])


def outcomes_of(folder: Path, shape: str, *cases: Sequence[tuple[Moment, int]], postgres: str = '') -> list[Outcome]:
    """Return the results of all cases, in SQLite or PostgreSQL, each of which must keep the promise."""
    outcomes = [Outcome(**line) for line in in_a_fork(crash_lab.main, folder, shape, cases, postgres)]
    for outcome in outcomes:
        known = [n for n, value in enumerate(outcome.result) if value == n * n]
        assert sorted([*known, *outcome.unknown]) == list(range(CALLS))
        assert [outcome.counts.get(n) for n in known] == [1] * len(known)
        assert max(outcome.counts.values(), default=0) == 1
    return outcomes


@pytest.mark.parametrize('deaths', [3, pytest.param(50, marks=pytest.mark.long)])
def test_kills_at_each_suspension_in_turn(tmp_path: Path, deaths: int) -> None:
    # Each process gets one call further: with fifty kills, there is one at every one of the 30 suspensions.
    moments: list[tuple[Moment, int]] = [
        ('checkpoint', 2),
        ('finished', 1),
        ('started', 1),
        ('finished', 1),
        ('working', 1),
        ('checkpoint', 2),
        ('worked', 1),
    ]
    (outcome,) = outcomes_of(tmp_path, 'sequential', list(islice(cycle(moments), deaths)))
    assert outcome.died >= min(deaths, CALLS)
    assert len(outcome.unknown) == outcome.killed_in_flight


@share(5)
def test_kills_in_a_gather_leave_only_calls_in_flight_unknown(tmp_path: Path, one_in: int) -> None:
    cases: list[list[tuple[Moment, int]]] = [
        [('checkpoint', 1)],
        [('checkpoint', 2)],
        [('checkpoint', 3)],
        [('started', 4)],
        [('working', 20)],
        [('worked', 9)],
        [('finished', 1)],
        [('finished', 14)],
        [('finished', 30)],
        [('checkpoint', 2), ('finished', 2), ('checkpoint', 2)],
    ]
    for outcome in outcomes_of(tmp_path, 'gathered', *cases[::one_in]):
        assert outcome.died > 0
        assert len(outcome.unknown) <= (CALLS // 2) * outcome.died


def test_kills_at_writes_to_postgresql_leave_only_calls_in_flight_unknown(tmp_path: Path, postgres: Server) -> None:
    moments: list[tuple[Moment, int]] = [('sent', 8), ('batch', 8), ('finished', 8)]
    (outcome,) = outcomes_of(tmp_path, 'sequential', moments, postgres=postgres.url)
    assert outcome.died == len(moments)
    assert len(outcome.unknown) <= outcome.died


@pytest.mark.long
@pytest.mark.parametrize('shape', ['sequential', 'gathered'])
@pytest.mark.parametrize('moment', ['batch', 'sent', 'checkpoint', 'started', 'working', 'worked', 'finished'])
def test_one_kill_at_each_moment_with_postgresql(tmp_path: Path, postgres: Server, shape: str, moment: Moment) -> None:
    cases: list[list[tuple[Moment, int]]] = [[(moment, n)] for n in range(1, CALLS + 1)]
    for outcome in outcomes_of(tmp_path, shape, *cases, postgres=postgres.url):
        assert len(outcome.unknown) <= (1 if shape == 'sequential' else CALLS // 2)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize('shape', ['sequential', 'gathered'])
@pytest.mark.parametrize('moment', ['checkpoint', 'started', 'working', 'worked', 'finished'])
def test_one_kill_at_each_moment(tmp_path: Path, shape: str, moment: Moment) -> None:
    for start in range(1, CALLS + 1, 10):
        cases: list[list[tuple[Moment, int]]] = [[(moment, n)] for n in range(start, start + 10)]
        outcomes = outcomes_of(tmp_path / str(start), shape, *cases)
        if shape == 'sequential':
            assert [len(outcome.unknown) for outcome in outcomes] == [int(moment in IN_FLIGHT)] * 10


# -- the example of the page on durability keeps its promise when it dies during its own writes


@pytest.mark.parametrize('numbers', [[3], pytest.param([1, 2, 3, 4, 11], marks=pytest.mark.long)])
def test_kills_before_each_flush_or_rename(tmp_path: Path, numbers: Sequence[int]) -> None:
    outcomes = in_a_fork(work_lab.main, tmp_path, numbers)
    for outcome in outcomes:
        if outcome['result'] == [0, 1, 4, 9]:
            assert outcome['counts'] == [1, 1, 1, 1], outcome
        else:
            # The running call is reported as unknown, and the script ends with that.
            assert 'UnknownOutcome' in json.dumps(outcome['result']), outcome
            assert max(outcome['counts']) <= 1, outcome
    assert sum(outcome['died'] for outcome in outcomes) >= (3 * len(numbers) + 3) // 4


# -- kill -9 before, during and after the answer of a script: it is returned once, with one model request

DEATHS: list[list[tuple[Moment, int]]] = [
    [('kept', 2)],
    [('kept', 3)],
    [('kept', 4)],
    *([('checkpoint', number)] for number in range(14, 20)),
    [('finished', 15), ('finished', 16), ('finished', 17)],
    [('finished', CALLS), ('kept', 1)],
]
"""Kills outside of calls, since the outcome of a running call would be unknown."""


@share(6)
def test_the_answer_survives(tmp_path: Path, one_in: int) -> None:
    for outcome in in_a_fork(crash_lab.main, tmp_path, 'answering', DEATHS[::one_in]):
        assert outcome['died'], outcome
        assert outcome['result'] == [n * n for n in range(CALLS // 2 + 1)], outcome
        assert outcome['counts'] == dict.fromkeys(range(CALLS), 1), outcome
