"""How well each tool answers a request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from .abbreviations import written_out
from .actions import Action, actions, doing_the_same
from .needs import needs
from .postings import Postings
from .synonyms import related
from .terms import telling_terms, terms, word_terms
from .weighing import Weighing
from .words import words

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


def relevance(postings: Postings, request: str, weighing: Weighing) -> Relevance:
    """How well each tool answers `request`."""
    weigh = _Weigher(postings, weighing)
    sentences = [[weigh.clause(clause) for clause in sentence] for sentence in needs(request)]
    if not any(telling_terms(word) for word in words(request)):
        # Stop words are all there is to go by.
        sentences = [[weigh.terms(terms(request))]]
    rows = _scores(postings, chain.from_iterable(sentences), sum(map(len, sentences)))
    ends = np.cumsum([len(sentence) for sentence in sentences])[:-1]
    merged = [_merged(part, weighing.clause_share, weighing.balance) for part in np.split(rows, ends)]
    needed = _best_of_each(merged)
    scores = _merged(np.array(merged), weighing.sentence_share, weighing.balance)
    return Relevance(scores, frozenset(weigh.direct), actions(terms(request)), needed)


def _best_of_each(sentences: list[Floats]) -> tuple[int, ...]:
    if len(sentences) < 2:
        return ()
    best = [int(row.argmax()) for row in sentences]
    peaks = [float(row[tool]) for row, tool in zip(sentences, best, strict=True)]
    return tuple(dict.fromkeys(tool for tool, peak in zip(best, peaks, strict=True) if peak > _NEEDED * max(peaks)))


class _Weigher:
    """Turns clauses into weighted terms, and collects the terms that were used."""

    def __init__(self, postings: Postings, weighing: Weighing) -> None:
        self._weighing = weighing
        self._postings = postings
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
        for others in (self._written_otherwise(own), self._doing_the_same(own), self._synonyms(own)):
            for number, weight in others.items():
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
        numbers = [self._vocabulary[term] for term in wanted if term in self._vocabulary]
        self.direct.update(numbers)
        return {number: self._weights[number] for number in numbers}

    def _written_otherwise(self, own: Iterable[str]) -> dict[int, float]:
        """The words of abbreviations, and the abbreviations of words."""
        weights: dict[int, float] = {}
        for term in own:
            most = self._weights[self._vocabulary[term]] if term in self._vocabulary else inf
            for other in written_out().get(term, ()):
                if (number := self._vocabulary.get(other)) is not None:
                    weights[number] = self._weighing.other_form * min(most, self._weights[number])
        return weights

    def _doing_the_same(self, own: Iterable[str]) -> dict[int, float]:
        """The verbs of the same action, as one word: `wipe` is rare, but what it asks for is not."""
        weights: dict[int, float] = {}
        for term in own:
            numbers = [self._vocabulary[verb] for verb in doing_the_same(term) if verb in self._vocabulary]
            if numbers:
                weights |= dict.fromkeys(numbers, self._weighing.same_action * self._postings.weight_of_any(numbers))
        return weights

    def _synonyms(self, own: Iterable[str]) -> dict[int, float]:
        weights: dict[int, float] = {}
        known = self._postings.synonyms
        for term in own:
            if not related(term):
                continue
            if term not in known:
                known[term] = self._synonyms_of(term)
            for number, weight in known[term]:
                if weight > weights.get(number, 0.0):
                    weights[number] = weight
        return weights

    def _synonyms_of(self, term: str) -> list[tuple[int, float]]:
        numbers = [self._vocabulary[other] for other in related(term) if other in self._vocabulary]
        # A synonym says no more than the word it stands for; a word with many, no more than a word with few.
        most = self._weights[self._vocabulary[term]] if term in self._vocabulary else inf
        share = self._weighing.synonym / max(len(numbers), 1) ** 0.5
        return [(number, share * min(most, self._weights[number])) for number in numbers]


def _scores(postings: Postings, clauses: Iterable[dict[int, float]], rows: int) -> Floats:
    """One row of scores for each clause."""
    scores = np.zeros((rows, postings.count), dtype=np.float32)
    for row, weights in zip(scores, clauses, strict=True):
        spans = [postings.span(number) for number in weights]
        if spans:
            tools = np.concatenate([postings.tools[span] for span in spans])
            values = np.concatenate(
                [postings.impacts[span] * weight for span, weight in zip(spans, weights.values(), strict=True)]
            )
            row[:] = np.bincount(tools, values, minlength=postings.count)
    return scores


def _merged(rows: Floats, share: float, balance: float) -> Floats:
    """One row out of many: `share` of it the best of the rows once their peaks are levelled, the rest their sum."""
    peaks = rows.max(axis=1, initial=0) if len(rows) > 1 else np.ones(1, dtype=np.float32)
    if not peaks.all():
        rows, peaks = rows[peaks > 0], peaks[peaks > 0]
    if len(rows) < 2:
        return rows.sum(axis=0)
    total = (1 - share) * rows.sum(axis=0)
    # In place: at this size a new array costs more than the arithmetic.
    rows *= share * (peaks.max() / peaks)[:, None] ** balance
    return np.add(total, rows.max(axis=0), out=total)
