"""Which row each tool of a catalog has: a tool keeps its row when others come and go, and no row is empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolscript.search.differing import differing
from toolscript.search.document import Document

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """The rows of one catalog, and what was done to those of the one before."""

    of: Ints
    """The row of each tool, in the catalog's order."""
    new: dict[int, int]
    """The rows of tools that were not there before, with their places in the catalog."""
    gone: list[int]
    """The rows that tools had that are there no more."""
    moved: dict[int, int]
    """The rows of the tools that had to move, with those they have now."""

    @property
    def touched(self) -> set[int]:
        """The rows, before or now, that do not have the tool that they had."""
        return {*self.new, *self.gone, *self.moved, *self.moved.values()}


def rows_of(documents: Sequence[Document], known: Sequence[Document], known_rows: Ints) -> Rows:
    """The rows of `documents`, where those of the `known` were others: tools that are equal keep theirs."""
    old_places, new_places = differing(known, documents)
    before = {known[place].name: place for place in old_places}
    gone = set(old_places)
    kept: dict[int, int] = {}
    unknown: list[int] = []
    for place in new_places:
        old = before.pop(documents[place].name, None)
        if old is not None and known[old] == documents[place]:
            gone.discard(old)
            kept[place] = old
        else:
            unknown.append(place)
    free = sorted(known_rows[list(gone)].tolist())
    new = dict(zip([*free[: len(unknown)], *range(len(known), len(documents))], unknown, strict=True))
    holes = free[len(unknown) :]
    moved = _moved(set(holes), len(known), len(documents))
    others = np.ones(len(documents), dtype=np.bool_)
    others[list(new_places)] = False
    rows = np.zeros(len(documents), dtype=np.int64)
    rows[others] = np.delete(known_rows, list(old_places))
    rows[list(kept)] = known_rows[list(kept.values())]
    if moved:
        where = np.arange(len(known))
        where[list(moved)] = list(moved.values())
        rows = where[rows]
    rows[list(new.values())] = list(new)
    return Rows(rows, new, free, moved)


def _moved(holes: set[int], known: int, count: int) -> dict[int, int]:
    """The tools of the last rows have to move into the holes before them."""
    last = (row for row in range(count, known) if row not in holes)
    return dict(zip(last, sorted(hole for hole in holes if hole < count), strict=True))
