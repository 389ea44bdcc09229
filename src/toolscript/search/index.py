"""An index of tools, built once per content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from threading import Lock
from typing import Literal, Protocol

from .differing import alike, differing
from .document import Document
from .naming.by_name import ByName
from .ranking import Ranking

Algorithm = Literal['ranked', 'bm25', 'keywords', 'regex']

_MOST_INDEXES = 8
_MOST_TOOLS = 200_000
"""Of all the indexes that are kept, together; the last one is kept however many it has."""
_ALIKE = 0.9
"""An index of so many of the same documents is near enough: no other is looked at."""
_LEAST_ALIKE = 0.25
"""With fewer of the same documents it is quicker to read all."""


class Index(Protocol):
    """Tools that can be searched."""

    def search(self, query: str, *, limit: int, offset: int = 0) -> list[str]:
        """The names of the tools that match `query`, best first, `limit` of them after the first `offset`.

        Empty when nothing matches. A `limit` of zero or less means five. Raises `QueryError`, with a text for the
        model, when the query is blank or cannot be answered. Tools whose names stand in the query come first, all of
        them.
        """
        ...

    def search_near(
        self,
        query: str,
        near: Mapping[str, float],
        *,
        needs: Mapping[str, Mapping[str, float]] | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[str]:
        """As `search`, where tools are also `near`: by how much, beside the 1 of the best by words.

        `needs` says the same of each sentence of a request by itself, where it has several.
        """
        ...

    def worth_reading(self, query: str, *, limit: int) -> list[str]:
        """As `search`, but it stops where the scores fall away: what follows answers the query much worse."""
        ...

    def asked_for(self, request: str, *, limit: int) -> list[str]:
        """At most `limit` of the tools that a person's own words ask for, best first; none where they say nothing.

        Nothing in the words is an operator, and of a very long text the beginning and the end count.
        """
        ...


def _built(algorithm: Algorithm, documents: tuple[Document, ...], before: Ranking | None) -> Ranking:
    # Each is imported when it is first used: numpy and regex take longer to load than all of this package.
    match algorithm:
        case 'ranked':
            from .by_words.ranked import RankedIndex

            return RankedIndex(documents, before=before if isinstance(before, RankedIndex) else None)
        case 'bm25':
            from .bm25 import Bm25Index

            return Bm25Index(documents)
        case 'keywords':
            from .keywords import KeywordsIndex

            return KeywordsIndex(documents)
        case 'regex':
            from .patterns import RegexIndex

            return RegexIndex(documents)


@dataclass(frozen=True)
class _Kept:
    algorithm: Algorithm
    documents: tuple[Document, ...]
    ranking: Ranking
    index: ByName


class _Cache:
    """The indexes used last, found again by equal documents.

    Tuples compare their members by identity first, so documents that did not change cost nanoseconds each and nothing
    is hashed.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: list[_Kept] = []

    def get(self, algorithm: Algorithm, documents: tuple[Document, ...]) -> Index | None:
        with self._lock:
            for position, entry in enumerate(self._kept):
                if entry.algorithm == algorithm and entry.documents == documents:
                    # Equal documents are known by these objects from now on: they are what comes again.
                    del self._kept[position]
                    self._kept.append(replace(entry, documents=documents))
                    return entry.index
        return None

    def most_like(self, algorithm: Algorithm, documents: tuple[Document, ...]) -> _Kept | None:
        """What is kept of most of the same documents, if anything is of any."""
        with self._lock:
            kept = [entry for entry in reversed(self._kept) if entry.algorithm == algorithm]
        if near := next(
            (entry for entry in kept if alike(entry.documents, documents) >= _ALIKE * len(documents)), None
        ):
            return near
        wanted = frozenset(map(id, documents))
        shared = [sum(map(wanted.__contains__, map(id, entry.documents))) for entry in kept]
        most = max(shared, default=0)
        return kept[shared.index(most)] if most > _LEAST_ALIKE * len(documents) else None

    def put(self, entry: _Kept) -> None:
        with self._lock:
            self._kept.append(entry)
            del self._kept[:-_MOST_INDEXES]
            while len(self._kept) > 1 and sum(len(entry.documents) for entry in self._kept) > _MOST_TOOLS:
                del self._kept[0]


_cache = _Cache()


def _names(documents: tuple[Document, ...], before: _Kept | None) -> tuple[str, ...]:
    """The names of `documents`; where as many were kept `before`, only those that differ are asked."""
    if before is None or len(before.documents) != len(documents):
        return tuple(map(attrgetter('name'), documents))
    names = list(before.index.names)
    for place in differing(before.documents, documents)[1]:
        names[place] = documents[place].name
    return tuple(names)


def build_index(algorithm: Algorithm, documents: Sequence[Document]) -> Index:
    """An index of `documents`; the same one again for as long as they are equal and it is still among the last used.

    Where a kept index has most of the documents, the same objects, only the others are read.
    """
    content = tuple(documents)
    if (index := _cache.get(algorithm, content)) is None:
        before = _cache.most_like(algorithm, content)
        ranking = _built(algorithm, content, before and before.ranking)
        index = ByName(_names(content, before), ranking, before=before and before.index)
        _cache.put(_Kept(algorithm, content, ranking, index))
    return index
