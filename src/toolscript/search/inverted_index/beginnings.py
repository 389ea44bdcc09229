"""How the terms of a catalog begin, so that most words that are none of them need no closer look."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from functools import cached_property

from toolscript.search.vocabulary.spellings import spelled
from toolscript.search.vocabulary.stems import stem
from toolscript.search.vocabulary.terms import word_terms

BEGINNING = 6
"""So many letters of a term are looked at before all."""
_ENDING = 6
"""No word loses as many letters with its ending."""
_FIRST = 2
_MOST_NEWER = 16
"""When one term of so many is newer than the others, all are sorted anew."""


class Beginnings:
    """Terms by their first letters: sorted when first asked for, and once for all catalogs that differ little."""

    def __init__(self, terms: Sequence[str], older: Beginnings | None = None) -> None:
        self._terms = terms
        self._older = older

    def with_those_of(self, terms: Sequence[str]) -> Beginnings:
        """The beginnings of `terms`, the first of which are these."""
        oldest = self._older or self
        newer = terms[len(oldest._terms) :]
        return Beginnings(newer, oldest) if len(newer) <= len(terms) // _MOST_NEWER else Beginnings(terms)

    def compound(self, letters: str) -> str | None:
        """The term of two words in a row, in lower case, that are written as one; None where no term begins so.

        Most words that stand side by side make none: to look how it begins is much quicker than to find its stem.
        """
        right = spelled(letters)
        if not right.isascii():
            return word_terms(letters)[-1]
        return stem(right) if len(right) < BEGINNING + _ENDING or self.has(right[:BEGINNING]) else None

    def near(self, word: str, sizes: Container[int]) -> Iterator[str]:
        """The terms of plain letters that begin with the same two as `word` and have one of the sizes."""
        for term in self._by_start.get(word[:_FIRST], ()):
            if len(term) in sizes and term.isascii() and term.isalpha():
                yield term
        if self._older:
            yield from self._older.near(word, sizes)

    def has(self, beginning: str) -> bool:
        """Whether some term may begin with these letters, as many as `BEGINNING`."""
        return beginning in self._known or (self._older is not None and self._older.has(beginning))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(term[:BEGINNING] for term in self._terms if len(term) >= BEGINNING)

    @cached_property
    def _by_start(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for term in self._terms:
            found[term[:_FIRST]].append(term)
        return found
