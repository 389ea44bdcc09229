"""Measurements as data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Literal

from pydantic import TypeAdapter

from benchmarks.costs.sides.all_sides import OURS, PEER


@dataclass(frozen=True)
class Aim:
    """The target of a row: at most, or at least, this multiple of a reference."""

    times: float
    of: Literal['floor', 'peer', 'nothing']
    least: bool = False


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    name: str
    unit: str
    """The unit of the figures; empty for counts."""
    sides: dict[str, list[float]]
    """The figures of each side, round by round."""
    floor: str
    """The unavoidable cost, in words; empty if there is none."""
    floors: list[float]
    """The figures of the unavoidable cost in the same rounds."""
    aim: Aim

    @property
    def reached(self) -> bool | None:
        """Returns whether the median meets the aim, or `None` if the reference was not measured."""
        against = {'floor': self.floors, 'peer': self.sides.get(PEER, []), 'nothing': [1.0]}[self.aim.of]
        if not against or not self.sides.get(OURS):
            return None
        bound, found = self.aim.times * median(against), median(self.sides[OURS])
        return found >= bound if self.aim.least else found <= bound


@dataclass(frozen=True)
class Results:
    """A complete run of the benchmark."""

    date: str
    commit: str
    command: str
    machine: str
    python: str
    packages: dict[str, dict[str, str]]
    """The package versions that each side ran with."""
    rows: list[Row]
    notes: list[str]


def save(results: Results, file: Path) -> None:
    """Write the results as JSON."""
    file.write_bytes(_RESULTS.dump_json(results, indent=1))


def load(file: Path) -> Results:
    """Read results that `save` wrote."""
    return _RESULTS.validate_json(file.read_bytes())


_RESULTS = TypeAdapter(Results)
