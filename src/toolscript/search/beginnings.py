"""How the terms of a catalog begin, so that most words that are none of them need no closer look."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from .spellings import spelled

_LETTERS = 6
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

    def may_begin(self, compound: str) -> bool:
        """Whether some term may begin as the term of `compound` does: of two words in a row, mostly not."""
        right = spelled(compound)
        if len(right) < _LETTERS + _ENDING or not right.isascii():
            return True
        return self._has(right[:_LETTERS])

    def near(self, word: str, sizes: Iterable[int]) -> Iterator[str]:
        """The terms of plain letters that begin with the same two as `word` and have one of the sizes."""
        for size in sizes:
            yield from self._by_start.get((word[:_FIRST], size), ())
        if self._older:
            yield from self._older.near(word, sizes)

    def _has(self, beginning: str) -> bool:
        return beginning in self._known or (self._older is not None and self._older._has(beginning))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(term[:_LETTERS] for term in self._terms if len(term) >= _LETTERS)

    @cached_property
    def _by_start(self) -> dict[tuple[str, int], list[str]]:
        found: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        for term in self._terms:
            if term.isascii() and term.isalpha():
                found[term[:_FIRST], len(term)].append(term)
        return found
