"""Which tools hold which term, and how much it says about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from .fields import DETAILS, HEADLINE
from .occurrences import Ints, Occurrences
from .spellings import spelled
from .weighing import Weighing

_Floats = NDArray[np.float64]

_BEGINNING = 6
_ENDING = 6
"""No word loses as many letters with its ending."""


@dataclass(frozen=True)
class Postings:
    """The terms of a catalog, each with its tools and its impact on them: BM25 with weighted fields, computed ahead."""

    vocabulary: dict[str, int]
    weights: list[float]
    """For each term, how telling it is: its inverse document frequency."""
    starts: list[int]
    """For each term, where its tools begin in `tools` and `impacts`; they end where those of the next begin."""
    tools: Ints
    impacts: _Floats
    names: list[tuple[int, ...]]
    """For each tool, the terms of the parts of its name."""
    name_weights: list[float]
    """For each tool, how telling these are together."""
    others: dict[str, list[tuple[int, float]]] = field(default_factory=dict[str, list[tuple[int, float]]])
    """Of the terms that others stand for and that were asked for, the numbers and weights of those."""
    _held: dict[int, tuple[Ints, _Floats]] = field(default_factory=dict[int, tuple[Ints, _Floats]])
    _weights_of_any: dict[tuple[int, ...], float] = field(default_factory=dict[tuple[int, ...], float])

    @property
    def count(self) -> int:
        """How many tools there are."""
        return len(self.names)

    def weight_of_any(self, terms: Sequence[int]) -> float:
        """How telling it is that a tool holds any of `terms`."""
        key = tuple(terms)
        if (known := self._weights_of_any.get(key)) is None:
            held = np.zeros(self.count, dtype=np.bool_)
            for term in terms:
                held[self.tools[self.span(term)]] = True
            known = self._weights_of_any[key] = float(_weights(int(np.count_nonzero(held)), self.count))
        return known

    def held(self, term: int) -> tuple[Ints, _Floats]:
        """The tools of `term`, and its impact on each."""
        if (known := self._held.get(term)) is None:
            span = self.span(term)
            known = self._held[term] = self.tools[span], self.impacts[span]
        return known

    def may_begin(self, compound: str) -> bool:
        """Whether some term may begin as the term of `compound` does: of two words in a row, mostly not."""
        right = spelled(compound)
        return len(right) < _BEGINNING + _ENDING or not right.isascii() or right[:_BEGINNING] in self._beginnings

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(term[:_BEGINNING] for term in self.vocabulary if len(term) >= _BEGINNING)

    def span(self, term: int) -> slice:
        """Where the tools of `term` lie."""
        return slice(self.starts[term], self.starts[term + 1])

    def holders(self, term: int) -> int:
        """How many tools hold `term`."""
        return self.starts[term + 1] - self.starts[term]


def post(occurrences: Occurrences, weighing: Weighing) -> Postings:
    """The postings of the tools that `occurrences` were read from."""
    strengths = strengths_of(occurrences, weighing)
    pairs = occurrences.pairs
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    summed = np.add.reduceat(strengths, first) if len(first) else strengths
    starts = np.searchsorted(occurrences.terms[first], np.arange(occurrences.numbers + 1))
    weights = _weights(np.diff(starts), len(occurrences.names))
    return Postings(
        vocabulary=occurrences.vocabulary,
        weights=weights.tolist(),
        starts=starts.tolist(),
        tools=occurrences.tools[first],
        impacts=summed * (weighing.saturation + 1) / (summed + weighing.saturation),
        names=occurrences.names,
        name_weights=_name_weights(occurrences.names, weights),
    )


def strengths_of(occurrences: Occurrences, weighing: Weighing) -> _Floats:
    """For each place, how much the term counts there: how often it stands there, for what the field is worth."""
    return occurrences.frequencies * _factors(occurrences.lengths, weighing)[occurrences.tools, occurrences.fields]


def _name_weights(names: Sequence[tuple[int, ...]], weights: _Floats) -> list[float]:
    sizes = [len(name) for name in names]
    said = weights[np.fromiter(chain.from_iterable(names), dtype=np.int64, count=sum(sizes))]
    return np.bincount(np.repeat(np.arange(len(names)), sizes), said, minlength=len(names)).tolist()


def _factors(lengths: Ints, weighing: Weighing) -> _Floats:
    """What one occurrence counts in each field of each tool."""
    effective = lengths.copy()
    # A long description must not gain by being cut in two.
    effective[:, HEADLINE] += lengths[:, DETAILS]
    effective[:, DETAILS] = effective[:, HEADLINE]
    average = effective.sum(axis=0) / np.maximum((effective > 0).sum(axis=0), 1)
    share = weighing.length_effect
    return np.array(weighing.fields) / (1 - share + share * effective / np.maximum(average, 1))


def _weights(tools_per_term: Ints | int, count: int) -> _Floats:
    # Never negative, unlike the classic form: in a small catalog most words are in half of the tools.
    return np.log(1 + (count - tools_per_term + 0.5) / (tools_per_term + 0.5))
