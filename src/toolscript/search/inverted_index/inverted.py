"""Where each term stands: in which tools, in which of their fields, how often."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .codes import CODE_SIZE, FIELD_BITS, FIELD_MASK

Places = NDArray[np.int32]
"""`row | field` of tools, by their bits."""
Frequencies = NDArray[np.int32]

_PLACE_BITS = 32
_BLOCK = 4096
"""So many tools are sorted at a time: it takes memory."""
_MOST_STALE = 16
"""When more than one row of so many has changed or is new, all are sorted anew."""
_ALWAYS_STALE = 64
"""So many may be, however few there are."""


@dataclass(frozen=True)
class Inverted:
    """The places of each term.

    What the rows said that have changed since is stale; what they say now stands beside it. So a change costs what the
    changed rows say, and all else is shared with the index before.
    """

    starts: Sequence[int]
    """For each term where its places begin; they end where those of the next begin."""
    places: Places
    frequencies: Frequencies
    holders: NDArray[np.int32]
    """For each term, in how many rows it stands, of those that were sorted."""
    rows: int
    """How many these were."""
    stale: NDArray[np.bool_] | None = None
    """Of these, those that have changed; rows behind them are new."""
    changed: Mapping[int, tuple[Places, Frequencies]] = field(default_factory=dict[int, tuple[Places, Frequencies]])
    """The places of each term in rows that have changed."""

    @property
    def is_whole(self) -> bool:
        """Whether no row has changed since all were sorted."""
        return self.stale is None

    def standing(self, term: int) -> Iterator[tuple[Places, Frequencies]]:
        """The places of `term` and how often it stands there, in parts of which no two speak of the same row."""
        if term < len(self.starts) - 1:
            span = slice(self.starts[term], self.starts[term + 1])
            places, frequencies = self.places[span], self.frequencies[span]
            if self.stale is not None:
                kept = ~self.stale[places >> FIELD_BITS]
                places, frequencies = places[kept], frequencies[kept]
            yield places, frequencies
        if term in self.changed:
            yield self.changed[term]


def inverted(codes: Sequence[bytes], terms: int) -> Inverted:
    """The places of each of so many terms, where each row says some of them."""
    blocks = [_sorted(range(start, min(start + _BLOCK, len(codes))), codes) for start in range(0, len(codes), _BLOCK)]
    keys, frequencies = (np.concatenate(parts) for parts in zip(_NOTHING, *blocks, strict=True))
    # The blocks are sorted, so that this is a merge.
    order = np.argsort(keys, kind='stable')
    keys = keys[order]
    starts = np.searchsorted(keys, np.arange(terms + 1) << _PLACE_BITS)
    return Inverted(starts.tolist(), keys.astype(np.int32), frequencies[order], _holders(keys, terms), len(codes))


def holders_of(codes: Sequence[bytes], terms: int) -> NDArray[np.int32]:
    """For each of so many terms, how many rows say it."""
    holders = np.zeros(terms, dtype=np.int32)
    for start in range(0, len(codes), _BLOCK):
        holders += _holders(_sorted(range(start, min(start + _BLOCK, len(codes))), codes)[0], terms)
    return holders


def _holders(keys: NDArray[np.int64], terms: int) -> NDArray[np.int32]:
    """The same, given the places of terms in rows as sorted numbers."""
    held = keys[np.flatnonzero(np.diff(keys >> FIELD_BITS, prepend=-1))] >> _PLACE_BITS
    return np.bincount(held, minlength=terms).astype(np.int32)


def brought_up_to_date(known: Inverted, codes: Sequence[bytes], terms: int, rows: Collection[int]) -> Inverted:
    """What is `known`, where other tools have the `rows` now: some may be new, and some no more."""
    stale = np.zeros(known.rows, dtype=np.bool_) if known.stale is None else known.stale.copy()
    stale[[row for row in rows if row < known.rows]] = True
    every = [*np.flatnonzero(stale[: len(codes)]).tolist(), *range(known.rows, len(codes))]
    if np.count_nonzero(stale) + len(every) > max(_ALWAYS_STALE, len(codes) // _MOST_STALE):
        return inverted(codes, terms)
    keys, frequencies = _sorted(every, codes)
    found = keys >> _PLACE_BITS
    starts = np.flatnonzero(np.diff(found, prepend=-1, append=-1))
    spans = [slice(start, end) for start, end in pairwise(starts.tolist())]
    places = keys.astype(np.int32)
    changed = {
        term: (places[span], frequencies[span]) for term, span in zip(found[starts[:-1]].tolist(), spans, strict=True)
    }
    return replace(known, stale=stale, changed=changed)


def _sorted(rows: Sequence[int], codes: Sequence[bytes]) -> tuple[NDArray[np.int64], Frequencies]:
    """The terms of `rows`, each with its place as one number, `term | place` by its bits, and how often it is there."""
    said = [codes[row] for row in rows]
    every = np.frombuffer(b''.join(said), dtype=np.int32).astype(np.int64)
    sizes = np.fromiter(map(len, said), dtype=np.int64, count=len(said)) // CODE_SIZE
    places = (np.repeat(np.asarray(rows, dtype=np.int64), sizes) << FIELD_BITS) | (every & FIELD_MASK)
    keys, frequencies = np.unique((every >> FIELD_BITS << _PLACE_BITS) | places, return_counts=True)
    return keys, frequencies.astype(np.int32)


_NOTHING = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32))
