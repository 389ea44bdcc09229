"""The rows about many concurrent runs, in one process and in several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from benchmarks.costs.crowd import Crowd
from benchmarks.costs.players import Player, playing_at_once
from benchmarks.costs.results import Effort, Row
from benchmarks.costs.sides.all_sides import OURS

Measure: TypeAlias = Callable[[Sequence[Crowd]], float]
"""Computes the figures from crowds that several processes ran at the same time."""


def crowds(pythons: Mapping[str, Path], effort: Effort) -> tuple[list[Row], list[str]]:
    """Return a row for each number of processes, and the errors of failed runs."""
    rows, notes = list[Row](), list[str]()
    for count in effort.processes:
        found = dict[str, list[Crowd]]()
        direct = list[Crowd]()
        for side, python in pythons.items():
            with playing_at_once(side, python, count) as players:
                found[side] = _together(players, 'crowd', effort.at_once // count)
                if side == OURS and count == 1:
                    direct = _together(players, 'direct crowd', effort.at_once)
        rows += _rows(found, direct, effort.at_once, count)
        notes += _notes(found)
    return rows, notes


def _together(players: Sequence[Player], operation: str, at_once: int) -> list[Crowd]:
    for player in players:
        player.send(operation, at_once=at_once)
    return [player.receive() for player in players]


def _rows(found: Mapping[str, Sequence[Crowd]], direct: Sequence[Crowd], at_once: int, processes: int) -> list[Row]:
    where = 'one process' if processes == 1 else f'{processes} processes'

    def row(name: str, unit: str, of: Measure) -> Row:
        sides = {side: [of(crowds)] for side, crowds in found.items()}
        return Row(f'{at_once} runs at once in {where}: {name}', unit, sides, [of(direct)] if direct else [])

    return [row('runs a second', '', _a_second), row('the longest turn of the event loop', 'ms', _blocked)]


def _a_second(crowds: Sequence[Crowd]) -> float:
    seconds = max(crowd['ended'] for crowd in crowds) - min(crowd['began'] for crowd in crowds)
    return sum(crowd['done'] for crowd in crowds) / seconds


def _blocked(crowds: Sequence[Crowd]) -> float:
    return max(crowd['blocked_ms'] for crowd in crowds)


def _notes(found: Mapping[str, Sequence[Crowd]]) -> list[str]:
    """Return one error of each kind."""
    errors = {
        f'{side}, in a crowd: {error}'
        for side, crowds in found.items()
        for crowd in crowds
        for error in crowd['failed']
    }
    return sorted(errors)[:_MAX_ERRORS]


_MAX_ERRORS = 5
