"""What was measured, as data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Literal

from pydantic import TypeAdapter

from benchmarks.costs.sides.all_sides import OURS, PEER


@dataclass(frozen=True)
class Aim:
    """What a row is to reach: at most, or at least, so many times something."""

    times: float
    of: Literal['floor', 'peer', 'nothing']
    least: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    unit: str
    """Of the figures; empty for counts."""
    sides: dict[str, list[float]]
    """What was found for each side, round by round."""
    floor: str
    """What cannot be avoided, in words; empty where there is no such thing."""
    floors: list[float]
    """What that took in the same rounds."""
    aim: Aim

    @property
    def reached(self) -> bool | None:
        """Whether the median is as it is meant to be; `None` where what it is held against was not measured."""
        against = {'floor': self.floors, 'peer': self.sides.get(PEER, []), 'nothing': [1.0]}[self.aim.of]
        if not against or not self.sides.get(OURS):
            return None
        bound, found = self.aim.times * median(against), median(self.sides[OURS])
        return found >= bound if self.aim.least else found <= bound


@dataclass(frozen=True)
class Results:
    """A whole run of the benchmark."""

    date: str
    commit: str
    command: str
    machine: str
    python: str
    packages: dict[str, dict[str, str]]
    """The versions that each side ran with."""
    rows: list[Row]
    notes: list[str]


def save(results: Results, file: Path) -> None:
    """As JSON."""
    file.write_bytes(_RESULTS.dump_json(results, indent=1))


def load(file: Path) -> Results:
    """What `save` wrote."""
    return _RESULTS.validate_json(file.read_bytes())


_RESULTS = TypeAdapter(Results)
