"""What each side provides for the measurements."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.costs.cases import Action


@dataclass(frozen=True)
class Runs:
    """The runs of a side."""

    cases: Mapping[str, Action]
    """By the names of `CASES`; ours also has the unavoidable costs."""
    crowd: Action
    """One run of the crowd."""
    direct_crowd: Action | None = None
    """The same calls without code, if that is measured."""
