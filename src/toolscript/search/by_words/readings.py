"""What a word of a request means in a catalog: its terms, and those that may stand for them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import inf
from typing import NamedTuple

from toolscript.search.inverted_index.postings import Postings
from toolscript.search.vocabulary.abbreviations import written_out
from toolscript.search.vocabulary.actions import ACTIONS, Action, actions_of, doing_the_same
from toolscript.search.vocabulary.synonyms import forms, related
from toolscript.search.vocabulary.terms import telling_terms, word_terms
from toolscript.search.weighing import Weighing

_MOST = 1 << 14


class Reading(NamedTuple):
    """One word of a request, as a catalog knows it."""

    letters: str
    """The word in lower case."""
    last: str
    """Its term; where it has several, that of the whole."""
    terms: tuple[int, ...]
    """The numbers of its terms, of those that say something and that some tool holds."""
    others: tuple[tuple[int, float], ...]
    """The numbers and weights of the terms that stand for one of these."""
    actions: frozenset[Action]
    """What it says is to be done."""


class Readings(dict[str, Reading]):
    """Words that were read, each once: requests are made of the same ones."""

    def __init__(self, postings: Postings, weighing: Weighing) -> None:
        super().__init__()
        self._weighing = weighing
        self._postings = postings
        self._vocabulary = postings.vocabulary
        self._weights = postings.weights

    def __missing__(self, word: str) -> Reading:
        if len(self) >= _MOST:
            self.clear()
        terms = telling_terms(word)
        reading = self[word] = Reading(
            letters=word.casefold(),
            last=word_terms(word)[-1],
            terms=tuple(self._known(terms)),
            others=tuple(chain.from_iterable(map(self._others, terms))) if terms else (),
            actions=actions_of(word),
        )
        return reading

    def _others(self, term: str) -> Iterable[tuple[int, float]]:
        """The numbers and weights of the terms that stand for `term`."""
        if not (related(term) or term in written_out() or term in ACTIONS):
            return ()
        ways = (self._synonyms(term), self._doing_the_same(term), self._written_otherwise(term))
        # Of a term that is reached in several ways, the one that says most counts.
        return {number: weight for way in ways for number, weight in way}.items()

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
