"""What terms say of tools, computed for many terms at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .codes import FIELD_BITS
from .inverted import Frequencies, Inverted, Places
from .rows import Ints
from .strengths import Strengths

Rows = NDArray[np.int32]
Impacts = NDArray[np.float64]

_BLOCK = 1 << 19
"""So many places are looked at together: it takes memory meanwhile."""


@dataclass(frozen=True)
class TermImpacts:
    """The tools of some terms, one term after the other, and the impact on each."""

    starts: Sequence[int]
    """Where each term begins, and the end of the last."""
    rows: Rows
    impacts: Impacts

    def of(self, term: int) -> tuple[Rows, Impacts]:
        """The tools of one of them, and its impact on each."""
        span = slice(self.starts[term], self.starts[term + 1])
        return self.rows[span], self.impacts[span]


def impacts_at(places: Places, frequencies: Frequencies, starts: Ints, strengths: Strengths) -> TermImpacts:
    """The impacts of terms whose places begin at `starts`, and end at the last of these."""
    rows = places >> FIELD_BITS
    begins = np.diff(rows, prepend=-1) != 0
    # The last tool of a term may be the first of the next.
    begins[starts[starts < len(rows)]] = True
    first = np.flatnonzero(begins)
    summed = np.add.reduceat(strengths.of(places, frequencies), first) if len(first) else np.zeros(0)
    return TermImpacts(np.searchsorted(first, starts).tolist(), rows[first], strengths.impact(summed))


def all_impacts(inverted: Inverted, strengths: Strengths) -> TermImpacts:
    """Those of all terms."""
    starts, rows, impacts = [0], [np.zeros(0, dtype=np.int32)], [np.zeros(0)]
    term = 0
    while term < len(inverted.starts) - 1:
        begin = inverted.starts[term]
        end = max(term + 1, bisect_right(inverted.starts, begin + _BLOCK) - 1)
        span = slice(begin, inverted.starts[end])
        own = np.array(inverted.starts[term : end + 1]) - begin
        block = impacts_at(inverted.places[span], inverted.frequencies[span], own, strengths)
        starts += [starts[-1] + start for start in block.starts[1:]]
        rows.append(block.rows)
        impacts.append(block.impacts)
        term = end
    return TermImpacts(starts, np.concatenate(rows), np.concatenate(impacts))
