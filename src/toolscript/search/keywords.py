"""The `'keywords'` algorithm: tiers of matches, so that ranks are predictable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .document import Document
from .query import check, page, required_words
from .terms import split_name

_NAME_PART_EQUAL, _NAME_PART_CONTAINS, _NAME_CONTAINS, _DESCRIPTION_CONTAINS = 10, 5, 3, 2


@dataclass(frozen=True)
class _Entry:
    folded_name: str
    parts: tuple[str, ...]
    text: str
    """The name and the description."""

    def score(self, word: str) -> int:
        """Returns the best tier of `word` in this tool."""
        # Most tools do not contain a word, and this check is fast.
        if word not in self.text:
            return 0
        if word in self.parts:
            return _NAME_PART_EQUAL
        if any(word in part for part in self.parts):
            return _NAME_PART_CONTAINS
        return _NAME_CONTAINS if word in self.folded_name else _DESCRIPTION_CONTAINS


class KeywordsIndex:
    """Tools ranked by the sum of each keyword's best tier; equal sums are ordered by name."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._entries = {document.name: _entry(document) for document in documents}

    min_score_share: float = 0.0
    """The tiers say which tool matches better, not by how much."""

    def scored(self, query: str, *, limit: int, offset: int = 0) -> list[tuple[str, float]]:
        """Returns the names of the tools that match, each with its sum, best first."""
        text = check(query)
        required, every = required_words(text.lower())
        return page(self._ranked(required, every), limit, offset)

    def _ranked(self, required: list[str], every: list[str]) -> list[tuple[str, float]]:
        scores = {
            name: sum(map(entry.score, every))
            for name, entry in self._entries.items()
            if all(entry.score(word) for word in required)
        }
        found = ((name, float(score)) for name, score in scores.items() if score)
        return sorted(found, key=lambda entry: (-entry[1], entry[0]))


def _entry(document: Document) -> _Entry:
    parts = tuple(part.lower() for part in split_name(document.name))
    name = document.name.lower()
    # The words of a query contain no line break, so none matches across both.
    return _Entry(name, parts, f'{name}\n{(document.description or "").lower()}')
