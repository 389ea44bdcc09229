"""How well each tool answers a request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from .needs import needs
from .postings import Postings
from .synonyms import related
from .terms import telling_terms, terms, word_terms
from .words import words

_SYNONYM_WEIGHT = 0.4
_CLAUSE_SHARE = 0.4
"""How much of a sentence's scores is its best clause alone; the rest is the sum of all."""
_SENTENCE_SHARE = 0.8
"""The same for a request and its sentences: they ask for different tools, so the best one counts for more."""
_BALANCE = 0.8
"""How far parts that say little are raised to the level of those that say much; with 1 their best tools are equal."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Relevance:
    """The scores of all tools for one request."""

    scores: Floats
    terms: frozenset[int]
    """The terms of the request that some tool holds, without synonyms."""


def relevance(postings: Postings, request: str) -> Relevance:
    """How well each tool answers `request`."""
    weigh = _Weigher(postings)
    sentences = [[weigh.clause(clause) for clause in sentence] for sentence in needs(request)]
    if not any(weights for sentence in sentences for weights in sentence):
        sentences = [[weigh.terms(terms(request))]]
    rows = _scores(postings, chain.from_iterable(sentences), sum(map(len, sentences)))
    ends = np.cumsum([len(sentence) for sentence in sentences])[:-1]
    scores = _merged(np.array([_merged(part, _CLAUSE_SHARE) for part in np.split(rows, ends)]), _SENTENCE_SHARE)
    return Relevance(scores, frozenset(weigh.direct))


class _Weigher:
    """Turns clauses into weighted terms, and collects the terms that were used."""

    def __init__(self, postings: Postings) -> None:
        self._vocabulary = postings.vocabulary
        self._weights = postings.weights
        self.direct: set[int] = set()

    def clause(self, text: str) -> dict[int, float]:
        """The numbers and weights of the terms of `text`: its own, those of neighbours joined, and synonyms."""
        found = words(text)
        own = dict.fromkeys(term for word in found for term in telling_terms(word))
        weights = self.terms(own)
        for neighbours in pairwise(found):
            self._join(neighbours, weights)
        for number, weight in self._synonyms(own).items():
            weights.setdefault(number, weight)
        return weights

    def _join(self, neighbours: tuple[str, str], weights: dict[int, float]) -> None:
        """Add the compound of two words, `webhook` for `web hook`, if some tool holds it."""
        number = self._vocabulary.get(word_terms(''.join(neighbours).casefold())[-1])
        if number is None or number in weights:
            return
        parts = [self._vocabulary.get(word_terms(word)[-1]) for word in neighbours]
        # A tool that spells it as one also holds the parts, mostly; rare as it is, the compound must not outweigh them.
        weights[number] = min(self._weights[known] for known in (number, *parts) if known is not None)
        self.direct.add(number)

    def terms(self, wanted: Iterable[str]) -> dict[int, float]:
        """The numbers and weights of those of `wanted` that some tool holds."""
        numbers = {self._vocabulary[term] for term in wanted if term in self._vocabulary}
        self.direct |= numbers
        return {number: self._weights[number] for number in numbers}

    def _synonyms(self, own: Iterable[str]) -> dict[int, float]:
        weights: dict[int, float] = {}
        for term in own:
            numbers = [self._vocabulary[other] for other in related(term) if other in self._vocabulary]
            # A synonym says no more than the word it stands for; a word with many, no more than a word with few.
            most = self._weights[self._vocabulary[term]] if term in self._vocabulary else inf
            for number in numbers:
                weight = _SYNONYM_WEIGHT * min(most, self._weights[number]) / len(numbers) ** 0.5
                weights[number] = max(weight, weights.get(number, 0))
        return weights


def _scores(postings: Postings, clauses: Iterable[dict[int, float]], rows: int) -> Floats:
    """One row of scores for each clause."""
    count = postings.count
    cells, values = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for row, weights in enumerate(clauses):
        for number, weight in weights.items():
            span = postings.span(number)
            cells.append(postings.tools[span] + row * count)
            values.append(postings.impacts[span] * weight)
    filled = np.bincount(np.concatenate(cells), np.concatenate(values), minlength=rows * count)
    return filled.astype(np.float32).reshape(rows, count)


def _merged(rows: Floats, share: float) -> Floats:
    """One row out of many: `share` of it the best of the rows once their peaks are levelled, the rest their sum."""
    peaks = rows.max(axis=1, initial=0) if len(rows) > 1 else np.ones(1, dtype=np.float32)
    if not peaks.all():
        rows, peaks = rows[peaks > 0], peaks[peaks > 0]
    if len(rows) < 2:
        return rows.sum(axis=0)
    total = (1 - share) * rows.sum(axis=0)
    # In place: at this size a new array costs more than the arithmetic.
    rows *= share * (peaks.max() / peaks)[:, None] ** _BALANCE
    return np.add(total, rows.max(axis=0), out=total)
