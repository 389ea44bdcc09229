"""How well each tool answers a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from toolscript.search.inverted_index.postings import Postings
from toolscript.search.inverted_index.rows import Ints
from toolscript.search.requests.needs import needs
from toolscript.search.vocabulary.abbreviations import shortened_pairs
from toolscript.search.vocabulary.actions import Action
from toolscript.search.vocabulary.terms import telling_terms, terms
from toolscript.search.vocabulary.words import words
from toolscript.search.weighing import Weighing

from .readings import Reading, Readings
from .servers import Servers

_NEEDED = 0.5
"""A sentence of whose best tool less is known, in proportion, is there by the way."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Relevance:
    """The scores of all tools for one request."""

    scores: Floats
    terms: frozenset[int]
    """The terms of the request that some tool holds, without synonyms."""
    actions: frozenset[Action]
    """What the request says is to be done."""
    needed: tuple[int, ...] = ()
    """The tools that answer one sentence each best, where there are several sentences that much is known of."""


def relevance(postings: Postings, readings: Readings, servers: Servers, request: str, weighing: Weighing) -> Relevance:
    """How well each tool answers `request`."""
    weigh = _Weigher(postings, readings, weighing)
    sentences = [[weigh.clause(clause) for clause in sentence] for sentence in needs(request)]
    if not any(map(telling_terms, words(request))):
        # Stop words are all there is to go by.
        sentences = [[weigh.terms(terms(request))]]
    rows = [[_scores(postings, clause) for clause in sentence] for sentence in sentences]
    if len(rows) > 1:
        for clauses in rows:
            servers.raise_by_context(clauses, weighing.server, weighing.balance)
    merged = [_merged(clauses, weighing.clause_share, weighing.balance) for clauses in rows]
    if len(merged) > 1:
        servers.raise_by_context(merged, weighing.server, weighing.balance)
    needed = _best_of_each(merged, postings.order)
    scores = _merged(merged, weighing.sentence_share, weighing.balance)
    if len(needed) == 1:
        servers.raise_those_of(needed[0], scores)
    return Relevance(scores, frozenset(weigh.direct), weigh.actions, needed)


def asked_terms(postings: Postings, readings: Readings, request: str, weighing: Weighing) -> dict[int, float]:
    """The weight of each term of `request`, and of what may stand for it: the highest that a clause gives it."""
    weigh = _Weigher(postings, readings, weighing)
    clauses = [weigh.clause(clause) for sentence in needs(request) for clause in sentence]
    if not any(map(telling_terms, words(request))):
        clauses = [weigh.terms(terms(request))]
    asked: dict[int, float] = {}
    for clause in clauses:
        for number, weight in clause.items():
            asked[number] = max(weight, asked.get(number, 0.0))
    return asked


def _best_of_each(sentences: list[Floats], order: Ints) -> tuple[int, ...]:
    if len(sentences) < 2:
        return ()
    best = [_first(np.flatnonzero(row == row.max()), order) for row in sentences]
    peaks = [float(row[tool]) for row, tool in zip(sentences, best, strict=True)]
    return tuple(dict.fromkeys(tool for tool, peak in zip(best, peaks, strict=True) if peak > _NEEDED * max(peaks)))


def _first(tools: Ints, order: Ints) -> int:
    return int(tools[order[tools].argmin()])


class _Weigher:
    """Turns clauses into weighted terms, and collects what was used of them."""

    def __init__(self, postings: Postings, readings: Readings, weighing: Weighing) -> None:
        self._weighing = weighing
        self._readings = readings
        self._beginnings = postings.beginnings
        self._vocabulary = postings.vocabulary
        self._weights = postings.weights
        self.direct: set[int] = set()
        self.actions: frozenset[Action] = frozenset()

    def clause(self, text: str) -> dict[int, float]:
        """The numbers and weights of the terms of `text`: its own, those of neighbours joined, and synonyms."""
        found = [self._readings[word] for word in words(text)]
        if does := [word.actions for word in found if word.actions]:
            self.actions = self.actions.union(*does)
        weights = self._own(number for word in found for number in word.terms)
        shortened = shortened_pairs()
        for one, other in pairwise(found):
            self._join(one, other, weights)
            if shorts := shortened.get((one.last, other.last)):
                self._shorten(shorts, weights)
        others: dict[int, float] = {}
        for word in found:
            for number, weight in word.others:
                if weight > others.get(number, 0.0):
                    others[number] = weight
        for number, weight in others.items():
            weights.setdefault(number, weight)
        return weights

    def terms(self, wanted: Iterable[str]) -> dict[int, float]:
        """The numbers and weights of those of `wanted` that some tool holds."""
        return self._own(self._vocabulary[term] for term in wanted if term in self._vocabulary)

    def _own(self, numbers: Iterable[int]) -> dict[int, float]:
        weights = {number: self._weights[number] for number in numbers}
        self.direct.update(weights)
        return weights

    def _shorten(self, shorts: Iterable[str], weights: dict[int, float]) -> None:
        """Add the short form of two words, `vm` for `virtual machine`, if some tool says it."""
        for short in shorts:
            number = self._vocabulary.get(short)
            if number is not None and number not in weights:
                weights[number] = self._weighing.other_form * self._weights[number]

    def _join(self, one: Reading, other: Reading, weights: dict[int, float]) -> None:
        """Add the compound of two words, `webhook` for `web hook`, if some tool holds it."""
        compound = self._beginnings.compound(one.letters + other.letters)
        number = None if compound is None else self._vocabulary.get(compound)
        if number is None or number in weights:
            return
        parts = (self._vocabulary.get(end) for end in (one.last, other.last))
        # A tool that spells it as one also holds the parts, mostly; rare as it is, the compound must not outweigh them.
        weights[number] = min(self._weights[known] for known in (number, *parts) if known is not None)
        self.direct.add(number)


def _scores(postings: Postings, weights: dict[int, float]) -> Floats:
    """The score of each tool for the terms of one clause."""
    if not weights:
        return np.zeros(postings.count, dtype=np.float32)
    tools, impacts = zip(*postings.held(weights), strict=True)
    # One multiplication for all terms: of most terms hardly any tool says one, and each would cost a call.
    values = np.concatenate(impacts)
    values *= np.repeat(list(weights.values()), list(map(len, tools)))
    return np.bincount(np.concatenate(tools), values, minlength=postings.count).astype(np.float32)


def _merged(rows: Sequence[Floats], share: float, balance: float) -> Floats:
    """One row out of many: `share` of it the best of the rows once their peaks are levelled, the rest their sum."""
    if len(rows) < 2:
        return rows[0]
    peaks = [float(row.max(initial=0)) for row in rows]
    said = [(row, peak) for row, peak in zip(rows, peaks, strict=True) if peak] or [(rows[0], 1.0)]
    if len(said) < 2:
        return said[0][0]
    total = said[0][0] + said[1][0]
    for row, _ in said[2:]:
        total += row
    total *= 1 - share
    # In place: at this size a new array costs more than the arithmetic.
    for row, peak in said:
        row *= share * (max(peaks) / peak) ** balance
    best = said[0][0]
    for row, _ in said[1:]:
        np.maximum(best, row, out=best)
    return np.add(total, best, out=total)
