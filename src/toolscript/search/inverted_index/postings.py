"""What each term says about the tools that hold it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from math import log

import numpy as np
from numpy.typing import NDArray

from toolscript.search.weighing import Weighing

from .beginnings import Beginnings
from .impacts import Impacts, Rows, all_impacts, impacts_at
from .occurrences import Occurrences
from .strengths import Strengths


class Postings:
    """The terms of a catalog, each with the rows of its tools and its impact on them."""

    def __init__(self, occurrences: Occurrences, weighing: Weighing) -> None:
        self.vocabulary: dict[str, int] = occurrences.vocabulary
        self.count: int = len(occurrences.documents)
        """How many tools there are."""
        self.order: NDArray[np.intp] = np.argsort(occurrences.rows)
        """The place of each tool in the catalog."""
        self.names: list[tuple[int, ...]] = occurrences.names
        """For each tool, the terms of the parts of its name."""
        self.beginnings: Beginnings = occurrences.beginnings
        self.weights: Weights = Weights(occurrences.holders, self.count)
        self._occurrences = occurrences
        self._strengths = Strengths(occurrences.lengths, weighing)
        self._all = all_impacts(occurrences.inverted, self._strengths) if occurrences.inverted.is_whole else None
        self._held: dict[int, tuple[Rows, Impacts]] = {}
        self._weights_of_any: dict[tuple[int, ...], float] = {}

    def held(self, terms: Collection[int]) -> list[tuple[Rows, Impacts]]:
        """The tools of each term, and its impact on each."""
        try:
            return [self._held[term] for term in terms]
        except KeyError:
            new = [term for term in terms if term not in self._held]
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

    def _read(self, terms: Sequence[int]) -> Iterator[tuple[Rows, Impacts]]:
        if self._all is not None:
            return map(self._all.of, terms)
        parts = [list(self._occurrences.inverted.standing(term)) for term in terms]
        places, frequencies = (np.concatenate(arrays) for arrays in zip(*chain.from_iterable(parts), strict=True))
        starts = np.cumsum([0, *(sum(len(places) for places, _ in each) for each in parts)])
        return map(impacts_at(places, frequencies, starts, self._strengths).of, range(len(terms)))


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
