"""An index of tools, built once per content."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Literal, Protocol

from .bm25 import Bm25Index
from .by_name import ByName
from .document import Document
from .keywords import KeywordsIndex
from .patterns import RegexIndex
from .ranked import RankedIndex
from .ranking import Ranking

Algorithm = Literal['ranked', 'bm25', 'keywords', 'regex']

_KEPT = 8


class Index(Protocol):
    """Tools that can be searched."""

    def search(self, query: str, *, limit: int, offset: int = 0) -> list[str]:
        """The names of the tools that match `query`, best first, `limit` of them after the first `offset`.

        Empty when nothing matches. A `limit` of zero or less means five. Raises `QueryError`, with a text for the
        model, when the query is blank or cannot be answered. Tools whose names stand in the query come first, all of
        them.
        """
        ...

    def search_near(self, query: str, near: Mapping[str, float], *, limit: int, offset: int = 0) -> list[str]:
        """As `search`, where tools are also `near`: by how much, beside the 1 of the best by words."""
        ...

    def worth_reading(self, query: str, *, limit: int) -> list[str]:
        """As `search`, but it stops where the scores fall away: what follows answers the query much worse."""
        ...

    def asked_for(self, request: str, *, limit: int) -> list[str]:
        """At most `limit` of the tools that a person's own words ask for, best first; none where they say nothing.

        Nothing in the words is an operator, and of a very long text the beginning and the end count.
        """
        ...


_BUILDERS: dict[Algorithm, Callable[[Sequence[Document]], Ranking]] = {
    'ranked': RankedIndex,
    'bm25': Bm25Index,
    'keywords': KeywordsIndex,
    'regex': RegexIndex,
}


class _Cache:
    """The indexes used last, found again by equal documents.

    Tuples compare their members by identity first, so documents that did not change cost nanoseconds each and nothing
    is hashed.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: list[tuple[Algorithm, tuple[Document, ...], Index]] = []

    def get(self, algorithm: Algorithm, documents: tuple[Document, ...]) -> Index | None:
        with self._lock:
            for position, entry in enumerate(self._kept):
                if entry[0] == algorithm and entry[1] == documents:
                    self._kept.append(self._kept.pop(position))
                    return entry[2]
        return None

    def put(self, algorithm: Algorithm, documents: tuple[Document, ...], index: Index) -> None:
        with self._lock:
            self._kept.append((algorithm, documents, index))
            del self._kept[:-_KEPT]


_cache = _Cache()


def build_index(algorithm: Algorithm, documents: Sequence[Document]) -> Index:
    """An index of `documents`; the same one again for as long as they are equal and it is still among the last used."""
    content = tuple(documents)
    if (index := _cache.get(algorithm, content)) is None:
        index = ByName([document.name for document in content], _BUILDERS[algorithm](content))
        _cache.put(algorithm, content, index)
    return index
