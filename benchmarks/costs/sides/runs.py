"""The interface of a side."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.costs.cases import Action


@dataclass(frozen=True)
class Runs:
    """The runs of a side, ready to be measured."""

    cases: Mapping[str, Action]
    """Runs by the names of `CASES`; our side also has floors."""
    crowd: Action
    """One run of the crowd."""
    direct_crowd: Action | None = None
    """The same calls without code, if measured."""
