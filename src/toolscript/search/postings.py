"""What each term says about the tools that hold it, computed when it is first asked for: BM25 with weighted fields."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from .codes import FIELD_BITS, FIELD_MASK
from .fields import WIDTH
from .inverted import Places
from .occurrences import Occurrences
from .weighing import Weighing

Rows = NDArray[np.int32]
Impacts = NDArray[np.float64]


class Postings:
    """The terms of a catalog, each with the rows of its tools and its impact on them."""

    def __init__(self, occurrences: Occurrences, weighing: Weighing) -> None:
        self.vocabulary = occurrences.vocabulary
        self.count = len(occurrences.documents)
        """How many tools there are."""
        self.order = np.argsort(occurrences.rows)
        """The place of each tool in the catalog."""
        self.names = occurrences.names
        """For each tool, the terms of the parts of its name."""
        self.beginnings = occurrences.beginnings
        self.weights = Weights(occurrences.holders, self.count)
        self.others: dict[str, list[tuple[int, float]]] = {}
        """Of the terms that others stand for and that were asked for, the numbers and weights of those."""
        self._occurrences = occurrences
        self._weighing = weighing
        self._strengths = Strengths(occurrences.lengths, weighing)
        self._held: dict[int, tuple[Rows, Impacts]] = {}
        self._weights_of_any: dict[tuple[int, ...], float] = {}

    def held(self, terms: Collection[int]) -> list[tuple[Rows, Impacts]]:
        """The tools of each term, and its impact on each."""
        if new := [term for term in terms if term not in self._held]:
            self._held.update(zip(new, self._read(new), strict=True))
        return [self._held[term] for term in terms]

    def weight_of_any(self, terms: Sequence[int]) -> float:
        """How telling it is that a tool holds any of `terms`."""
        key = tuple(terms)
        if (known := self._weights_of_any.get(key)) is None:
            held = np.zeros(self.count, dtype=np.bool_)
            for rows, _ in self.held(terms):
                held[rows] = True
            known = self._weights_of_any[key] = _weight(int(np.count_nonzero(held)), self.count)
        return known

    def _read(self, terms: Sequence[int]) -> list[tuple[Rows, Impacts]]:
        parts = [list(self._occurrences.inverted.standing(term)) for term in terms]
        places, frequencies = (np.concatenate(arrays) for arrays in zip(*chain.from_iterable(parts), strict=True))
        ends = np.cumsum([sum(len(places) for places, _ in each) for each in parts])
        rows = places >> FIELD_BITS
        begins = np.diff(rows, prepend=-1) != 0
        # The last tool of a term may be the first of the next.
        begins[ends[:-1]] = True
        first = np.flatnonzero(begins)
        strengths = np.add.reduceat(self._strengths.of(places, frequencies), first)
        impacts = impact(strengths, self._weighing)
        cuts = pairwise([0, *np.searchsorted(first, ends).tolist()])
        rows = rows[first]
        return [(rows[start:end], impacts[start:end]) for start, end in cuts]


class Weights(dict[int, float]):
    """For each term, how telling it is: its inverse document frequency."""

    def __init__(self, holders: NDArray[np.int32], count: int) -> None:
        super().__init__()
        self._holders = holders
        self._count = count

    def __missing__(self, term: int) -> float:
        weight = self[term] = _weight(int(self._holders[term]), self._count)
        return weight


def _weight(holders: int, count: int) -> float:
    # Never negative, unlike the classic form: in a small catalog most words are in half of the tools.
    return log(1 + (count - holders + 0.5) / (holders + 0.5))


class Strengths:
    """How much a term counts where it stands: how often it stands there, for what the field is worth."""

    def __init__(self, lengths: NDArray[np.int32], weighing: Weighing) -> None:
        self._lengths = lengths.ravel()
        self._average = np.maximum(lengths.sum(axis=0) / np.maximum((lengths > 0).sum(axis=0), 1), 1)
        self._worth = np.zeros(FIELD_MASK + 1)
        self._worth[:WIDTH] = weighing.fields
        self._share = weighing.length_effect

    def of(self, places: Places, frequencies: NDArray[np.integer]) -> NDArray[np.float64]:
        """The strength at each place."""
        fields = places & FIELD_MASK
        length = self._share * self._lengths[places] / self._average[fields]
        return frequencies * (self._worth[fields] / (1 - self._share + length))


def impact(strength: Impacts, weighing: Weighing) -> Impacts:
    """What a term counts in a tool where it has so much strength in all fields: twice as much is not twice as good."""
    return strength * (weighing.saturation + 1) / (strength + weighing.saturation)
