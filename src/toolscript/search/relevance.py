"""How well each tool answers a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from .abbreviations import shortened_pairs, written_out
from .actions import ACTIONS, Action, actions_of, doing_the_same
from .needs import needs
from .postings import Postings
from .rows import Ints
from .synonyms import forms, related
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
    if not any(map(telling_terms, words(request))):
        # Stop words are all there is to go by.
        sentences = [[weigh.terms(terms(request))]]
    merged = [
        _merged([_scores(postings, clause) for clause in sentence], weighing.clause_share, weighing.balance)
        for sentence in sentences
    ]
    needed = _best_of_each(merged, postings.order)
    scores = _merged(merged, weighing.sentence_share, weighing.balance)
    return Relevance(scores, frozenset(weigh.direct), weigh.actions, needed)


def asked_terms(postings: Postings, request: str, weighing: Weighing) -> dict[int, float]:
    """The weight of each term of `request`, and of what may stand for it: the highest that a clause gives it."""
    weigh = _Weigher(postings, weighing)
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

    def __init__(self, postings: Postings, weighing: Weighing) -> None:
        self._weighing = weighing
        self._postings = postings
        self._vocabulary = postings.vocabulary
        self._weights = postings.weights
        self.direct: set[int] = set()
        self.actions: frozenset[Action] = frozenset()

    def clause(self, text: str) -> dict[int, float]:
        """The numbers and weights of the terms of `text`: its own, those of neighbours joined, and synonyms."""
        found = words(text)
        self.actions |= frozenset(chain.from_iterable(map(actions_of, found)))
        own = dict.fromkeys(chain.from_iterable(map(telling_terms, found)))
        weights = self.terms(own)
        last = [word_terms(word)[-1] for word in found]
        for neighbours, ends in zip(pairwise(found), pairwise(last), strict=True):
            self._join(neighbours, ends, weights)
            self._shorten(ends, weights)
        for number, weight in self._others(own).items():
            weights.setdefault(number, weight)
        return weights

    def _shorten(self, ends: tuple[str, str], weights: dict[int, float]) -> None:
        """Add the short form of two words, `vm` for `virtual machine`, if some tool says it."""
        for short in shortened_pairs().get(ends, ()):
            number = self._vocabulary.get(short)
            if number is not None and number not in weights:
                weights[number] = self._weighing.other_form * self._weights[number]

    def _join(self, neighbours: tuple[str, str], ends: tuple[str, str], weights: dict[int, float]) -> None:
        """Add the compound of two words, `webhook` for `web hook`, if some tool holds it."""
        compound = ''.join(neighbours).casefold()
        # Most words that stand side by side make none: to look how it begins is much quicker than to find its stem.
        if not self._postings.beginnings.may_begin(compound):
            return
        number = self._vocabulary.get(word_terms(compound)[-1])
        if number is None or number in weights:
            return
        parts = map(self._vocabulary.get, ends)
        # A tool that spells it as one also holds the parts, mostly; rare as it is, the compound must not outweigh them.
        weights[number] = min(self._weights[known] for known in (number, *parts) if known is not None)
        self.direct.add(number)

    def terms(self, wanted: Iterable[str]) -> dict[int, float]:
        """The numbers and weights of those of `wanted` that some tool holds."""
        numbers = [self._vocabulary[term] for term in wanted if term in self._vocabulary]
        self.direct.update(numbers)
        return {number: self._weights[number] for number in numbers}

    def _others(self, own: Iterable[str]) -> dict[int, float]:
        """The numbers and weights of the terms that stand for one of `own`."""
        weights: dict[int, float] = {}
        known = self._postings.others
        for term in own:
            if not (related(term) or term in written_out() or term in ACTIONS):
                continue
            if term not in known:
                known[term] = self._others_of(term)
            for number, weight in known[term]:
                if weight > weights.get(number, 0.0):
                    weights[number] = weight
        return weights

    def _others_of(self, term: str) -> list[tuple[int, float]]:
        ways = (self._synonyms(term), self._doing_the_same(term), self._written_otherwise(term))
        # Of a term that is reached in several ways, the one that says most counts.
        return list({number: weight for way in ways for number, weight in way}.items())

    def _written_otherwise(self, term: str) -> list[tuple[int, float]]:
        """The words of an abbreviation, and the abbreviations of a word."""
        most, share = self._most(term), self._weighing.other_form
        return [
            (number, share * min(most, self._weights[number])) for number in self._known(written_out().get(term, ()))
        ]

    def _doing_the_same(self, term: str) -> list[tuple[int, float]]:
        """The verbs of the same action, as one word: `wipe` is rare, but what it asks for is not."""
        numbers = self._known(doing_the_same(term))
        return [(number, self._weighing.same_action * self._postings.weight_of_any(numbers)) for number in numbers]

    def _synonyms(self, term: str) -> list[tuple[int, float]]:
        same = self._known(forms(term))
        numbers = self._known(related(term))
        share: float = self._weighing.synonym / max(len(numbers), 1) ** 0.5
        shares = dict.fromkeys(numbers, share)
        shares |= dict.fromkeys(same, self._weighing.other_form)
        most = self._most(term)
        return [(number, share * min(most, self._weights[number])) for number, share in shares.items()]

    def _known(self, found: Iterable[str]) -> list[int]:
        return [self._vocabulary[term] for term in found if term in self._vocabulary]

    def _most(self, term: str) -> float:
        """Another word says no more than the word it stands for; a word with many, no more than a word with few."""
        return self._weights[self._vocabulary[term]] if term in self._vocabulary else inf


def _scores(postings: Postings, weights: dict[int, float]) -> Floats:
    """The score of each tool for the terms of one clause."""
    if not weights:
        return np.zeros(postings.count, dtype=np.float32)
    held = postings.held(weights)
    values = np.concatenate([impacts for _, impacts in held])
    values *= np.repeat(list(weights.values()), [len(tools) for tools, _ in held])
    tools = np.concatenate([tools for tools, _ in held])
    return np.bincount(tools, values, minlength=postings.count).astype(np.float32)


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
