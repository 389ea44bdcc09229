"""What a side has to offer to whoever measures."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.costs.cases import Action


@dataclass(frozen=True)
class Runs:
    """What a side can do, ready."""

    cases: Mapping[str, Action]
    """By the names of `CASES`; ours has floors beside them."""
    crowd: Action
    """One run of the crowd."""
    direct_crowd: Action | None = None
    """The same calls without code, where that is measured."""
