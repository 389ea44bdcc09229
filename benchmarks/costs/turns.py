"""The interleaved rows: each side runs each case once a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.costs.cases import CASES, NESTED
from benchmarks.costs.players import Player
from benchmarks.costs.results import Row
from benchmarks.costs.sides.all_sides import OURS

Times = Mapping[str, list[float]]
"""The times of one side's cases in milliseconds, round by round."""

_FLOORS = ('raw', 'raw loop', 'raw gather', 'bare calls', 'managed calls')
_WARMING = 2
"""The number of rounds that are not counted."""


@dataclass(frozen=True)
class _Shape:
    name: str
    of: Callable[[Times], list[float]]
    floor_of: Callable[[Times], list[float]]


def rows_in_turns(players: Mapping[str, Player], rounds: int) -> list[Row]:
    times = _measured(players, rounds)
    return [
        Row(
            shape.name,
            'ms',
            {side: shape.of(found) for side, found in times.items()},
            shape.floor_of(times[OURS]),
        )
        for shape in _SHAPES
    ]


def _measured(players: Mapping[str, Player], rounds: int) -> dict[str, dict[str, list[float]]]:
    todo = [
        (side, player, case)
        for side, player in players.items()
        for case in (*CASES, *(_FLOORS if side == OURS else ()))
    ]
    times: dict[str, dict[str, list[float]]] = {side: {} for side in players}
    for number in range(rounds + _WARMING):
        for side, player, case in todo:
            taken: float = player.ask('case', name=case)
            if number >= _WARMING:
                times[side].setdefault(case, []).append(taken)
    return times


def _over(more: str, less: str, by: int = 1) -> Callable[[Times], list[float]]:
    return lambda times: [(a - b) / by for a, b in zip(times[more], times[less], strict=True)]


def _sum(one: Callable[[Times], list[float]], other: Callable[[Times], list[float]]) -> Callable[[Times], list[float]]:
    return lambda times: [a + b for a, b in zip(one(times), other(times), strict=True)]


_BARE = _over('bare calls', 'direct')
_SHAPES = (
    _Shape(
        'a trivial `run_code`, over one direct call',
        _over('trivial', 'direct'),
        lambda times: times['raw'],
    ),
    _Shape(
        'five in a run, over five direct calls',
        _over('trivial 5', 'direct 5'),
        lambda times: [5 * each for each in times['raw']],
    ),
    _Shape(
        'a nested call in a loop',
        _over('loop', 'trivial', NESTED),
        _sum(_over('raw loop', 'raw', NESTED), _over('bare calls', 'direct', NESTED)),
    ),
    _Shape(
        f'{NESTED} gathered',
        _over('gather', 'trivial'),
        _sum(_over('raw gather', 'raw'), _BARE),
    ),
    _Shape(
        'a run over 1,000 code tools',
        lambda times: times['trivial of 1,000'],
        lambda times: times['direct of 1,000'],
    ),
)
