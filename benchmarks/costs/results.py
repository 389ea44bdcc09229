"""What is measured, and the measurements as data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter


@dataclass(frozen=True)
class Effort:
    rounds: int
    """Rounds of the interleaved rows."""
    fresh: int
    """Fresh processes of each side, for each measurement that needs them."""
    at_once: int
    """Concurrent runs in the crowd, over all its processes."""
    processes: tuple[int, ...]
    """The numbers of processes that the crowd is spread over."""


WHOLE = Effort(rounds=40, fresh=5, at_once=200, processes=(1, 4))
QUICK = Effort(rounds=10, fresh=3, at_once=20, processes=(1,))


@dataclass(frozen=True)
class Row:
    name: str
    unit: str
    """The unit of the figures; empty for counts."""
    sides: dict[str, list[float]]
    """The figures of each side, round by round."""
    floors: list[float]
    """The figures of the unavoidable cost in the same rounds."""


@dataclass(frozen=True)
class Results:
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
    file.write_bytes(_RESULTS.dump_json(results, indent=1))


def load(file: Path) -> Results:
    return _RESULTS.validate_json(file.read_bytes())


_RESULTS = TypeAdapter(Results)
