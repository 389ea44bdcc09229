"""How well each tool answers a request: its words and their synonyms, subquery by subquery."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .inverted_index import InvertedIndex
from .subqueries import subqueries
from .terms import content_terms, has_content, terms, word_terms, words
from .vocabulary import Action, actions_of, forms, related, same_action

_SYNONYM = 0.4
"""The weight of a synonym; the word itself has 1."""
_SAME_ACTION = 0.3
"""The weight of a verb with the same action; a word that as many tools contain as any of these verbs has 1."""
_OTHER_FORM = 0.8
"""The weight of another form of the word: `reminder` for `remind`."""
_CLAUSE_SHARE = 0.4
"""The share of a sentence's score that comes from its best clause alone. The rest is the sum of all clauses."""
_SENTENCE_SHARE = 0.8
"""The same for a request and its sentences, which ask for different tools, so the best one counts for more."""
_BALANCE = 0.8
"""How far weak parts are raised to the level of strong ones; with 1 their best scores are equal."""
_SERVER = 0.6
"""The bonus of a tool for one part of a request if its server answers the other parts best."""
_MIN_PEAK = 0.5
"""The best tool of a sentence has a place at the top if it scores at least this share of the overall best."""
_LIKELY = 0.5
"""Tools below this share of the best score do not make their server preferred."""
_MIN_SCORE = 1e-9
_MAX_KNOWN_WORDS = 1 << 14

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Scores:
    """The scores of all tools for one request."""

    of_tools: Floats
    terms: frozenset[int]
    """The terms of the request, without synonyms."""
    actions: frozenset[Action]
    """The actions that the request asks for."""
    best_of_sentences: tuple[int, ...]
    """The best tool for each sentence, if there are several."""


class Scorer:
    """Scores the tools of one index."""

    def __init__(self, index: InvertedIndex) -> None:
        self._index = index
        self._words = _QueryWords(index)
        servers: dict[str | int, int] = {}
        numbers = [servers.setdefault(tool.server or place, len(servers)) for place, tool in enumerate(index.documents)]
        self._servers = np.array(numbers, dtype=np.int64)

    def scores(self, request: str) -> Scores:
        """Return the scores of all tools for `request`."""
        sentences = self._clauses(request)
        clauses = [[self._row(clause) for clause in sentence] for sentence in sentences]
        if len(sentences) > 1:
            clauses = list(map(self._with_server_bonus, clauses))
        rows = [_merged(each, _CLAUSE_SHARE, _BALANCE) for each in clauses]
        rows = self._with_server_bonus(rows)
        best = _best_of_each(rows)
        return Scores(
            _merged(rows, _SENTENCE_SHARE, _BALANCE),
            frozenset[int]().union(*(clause.own for clause in chain.from_iterable(sentences))),
            frozenset[Action]().union(*(self._words[word].actions for word in words(request))),
            best,
        )

    def term_weights(self, request: str) -> dict[int, float]:
        """Return the weight of each term of `request` and of its synonyms: the highest of all clauses."""
        highest: dict[int, float] = {}
        for clause in chain.from_iterable(self._clauses(request)):
            for term, weight in clause.weights.items():
                highest[term] = max(weight, highest.get(term, 0.0))
        return highest

    def _clauses(self, request: str) -> 'list[list[_Clause]]':
        if has_content(request):
            return [[self._clause(clause) for clause in sentence] for sentence in subqueries(request)]
        # The request consists of stop words.
        found = [self._index.vocabulary[term] for term in terms(request) if term in self._index.vocabulary]
        return [[_Clause({term: self._index.weights[term] for term in found}, frozenset(found))]]

    def _clause(self, text: str) -> '_Clause':
        found = [self._words[word] for word in words(text)]
        weights = {term: self._index.weights[term] for word in found for term in word.terms}
        for one, other in pairwise(found):
            self._add_compound(one, other, weights)
        own = frozenset(weights)
        related: dict[int, float] = {}
        for term, weight in chain.from_iterable(word.related for word in found):
            related[term] = max(weight, related.get(term, 0.0))
        return _Clause(related | weights, own)

    def _add_compound(self, one: '_QueryWord', other: '_QueryWord', weights: dict[int, float]) -> None:
        """Add the compound of two words, `webhook` for `web hook`, if some tool contains it."""
        vocabulary = self._index.vocabulary
        number = vocabulary.get(word_terms(one.letters + other.letters)[-1])
        if number is None or number in weights:
            return
        parts = (vocabulary.get(part) for part in (one.whole, other.whole))
        # A tool that contains the compound mostly contains the parts too; rare as it is, it must not outweigh them.
        weights[number] = min(self._index.weights[known] for known in (number, *parts) if known is not None)

    def _with_server_bonus(self, rows: list[Floats]) -> list[Floats]:
        """Return the scores for each part of a request, with a bonus for how well the server answers the other parts.

        `Show the clips of the channel. I also want its details.` asks one server for two things, and the second
        sentence does not say which one.
        """
        if len(rows) < 2:
            return rows
        best = np.zeros((len(rows), self._servers.max(initial=0) + 1), dtype=np.float32)
        for of_servers, row in zip(best, rows, strict=True):
            likely = np.flatnonzero(row > _LIKELY * row.max())
            np.maximum.at(of_servers, self._servers[likely], row[likely])
        peaks = best.max(axis=1, keepdims=True)
        best /= np.where(peaks, peaks, 1) ** _BALANCE
        others, most = best.sum(axis=0) - best, best.max(axis=1)
        bonus = _SERVER * others / np.maximum(most.sum() - most, _MIN_SCORE)[:, None]
        return [row * (1 + each[self._servers]) for row, each in zip(rows, bonus, strict=True)]

    def _row(self, clause: '_Clause') -> Floats:
        count = len(self._index.documents)
        if not clause.weights:
            return np.zeros(count, dtype=np.float32)
        tools, impacts = zip(*map(self._index.postings, clause.weights), strict=True)
        # One multiplication for all terms, because most terms are in few tools, and each would cost a call.
        values = np.concatenate(impacts)
        values *= np.repeat(list(clause.weights.values()), list(map(len, tools)))
        return np.bincount(np.concatenate(tools), values, minlength=count).astype(np.float32)


class _Clause(NamedTuple):
    weights: dict[int, float]
    """The weights of its terms and of related terms."""
    own: frozenset[int]
    """The terms that it contains itself."""


class _QueryWord(NamedTuple):
    """One word of a request, in the terms of a catalog."""

    letters: str
    """The word in lower case."""
    whole: str
    """Its term; if it has several, that of the whole word."""
    terms: tuple[int, ...]
    """Its terms that some tool contains, without stop words."""
    related: tuple[tuple[int, float], ...]
    """Related terms with their weights."""
    actions: frozenset[Action]


class _QueryWords(dict[str, _QueryWord]):
    """Words of requests, each analyzed once, because requests repeat the same ones."""

    def __init__(self, index: InvertedIndex) -> None:
        super().__init__()
        self._index = index

    def __missing__(self, word: str) -> _QueryWord:
        if len(self) >= _MAX_KNOWN_WORDS:
            self.clear()
        own = content_terms(word)
        found = self[word] = _QueryWord(
            letters=word.casefold(),
            whole=word_terms(word)[-1],
            terms=tuple(self._numbers(own)),
            related=tuple(chain.from_iterable(self._related(term).items() for term in own)),
            actions=actions_of(word),
        )
        return found

    def _related(self, term: str) -> dict[int, float]:
        weights, own = self._index.weights, self._index.vocabulary.get(term)
        # A synonym counts no more than the word itself, and a word with many synonyms no more than one with few.
        most = inf if own is None else weights[own]
        numbers = self._numbers(related(term))
        share: float = _SYNONYM / max(len(numbers), 1) ** 0.5
        shares = dict.fromkeys(numbers, share)
        shares |= dict.fromkeys(self._numbers(forms(term)), _OTHER_FORM)
        synonyms = {number: share * min(most, weights[number]) for number, share in shares.items()}
        # Verbs of one action count as one word: `wipe` is rare, but the action that it asks for is not.
        verbs = self._numbers(same_action(term))
        action = dict.fromkeys(verbs, _SAME_ACTION * self._index.weight_of_any(verbs) if verbs else 0.0)
        return synonyms | action

    def _numbers(self, found: Iterable[str]) -> list[int]:
        vocabulary = self._index.vocabulary
        return [vocabulary[term] for term in found if term in vocabulary]


def _best_of_each(sentences: list[Floats]) -> tuple[int, ...]:
    if len(sentences) < 2:
        return ()
    best = [int(row.argmax()) for row in sentences]
    peaks = [float(row[tool]) for row, tool in zip(sentences, best, strict=True)]
    return tuple(dict.fromkeys(tool for tool, peak in zip(best, peaks, strict=True) if peak > _MIN_PEAK * max(peaks)))


def _merged(rows: Sequence[Floats], share: float, balance: float) -> Floats:
    """Return one row made of many: `share` of it is the best of the balanced rows, the rest their sum."""
    peaks = [float(row.max(initial=0)) for row in rows]
    found = [(row, peak) for row, peak in zip(rows, peaks, strict=True) if peak]
    if len(found) < 2:
        return found[0][0] if found else rows[0]
    balanced = [row * (max(peaks) / peak) ** balance for row, peak in found]
    return (1 - share) * np.sum([row for row, _ in found], axis=0) + share * np.max(balanced, axis=0)
