"""An index of tools, built once for the same tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Literal, Protocol

from .document import Document
from .ranking import Ranking
from .tool_index import ToolIndex

Algorithm = Literal['ranked', 'bm25', 'keywords', 'regex']

_MAX_INDEXES = 8
_MAX_TOOLS = 200_000
"""Of all cached indexes together. The last one is cached whatever its size."""


class Index(Protocol):
    """Tools that can be searched."""

    def search(self, query: str, *, limit: int, offset: int = 0) -> list[str]:
        """The names of the tools that match `query`, best first, `limit` of them after the first `offset`.

        Empty when nothing matches. A `limit` of zero or less means five. Raises `QueryError`, with a text for the
        model, when the query is blank or cannot be answered. All tools whose names are in the query come first.
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
        """As `search`, where each tool also gains what `near` says, beside the 1 of the best one by words.

        `needs` says the same of each sentence of a request by itself, where it has several.
        """
        ...

    def worth_reading(self, query: str, *, limit: int) -> list[str]:
        """As `search`, without tools whose scores are far below the best one."""
        ...

    def asked_for(self, request: str, *, limit: int) -> list[str]:
        """At most `limit` of the tools that a person's own words ask for, best first; none where they have no content.

        Nothing in the words is an operator. Of a very long text the beginning and the end count.
        """
        ...


def build_index(algorithm: Algorithm, documents: Sequence[Document]) -> Index:
    """An index of `documents`: the same one for equal documents, as long as it is among the last used.

    Documents of a cached index, the same objects, are not read again.
    """
    content = tuple(documents)
    if (index := _cache.get(algorithm, content)) is None:
        ranking = _ranking(algorithm, content, _cache.most_similar(algorithm, content))
        index = ToolIndex((document.name for document in content), ranking)
        _cache.put(_Entry(algorithm, content, ranking, index))
    return index


def _ranking(algorithm: Algorithm, documents: tuple[Document, ...], before: Ranking | None) -> Ranking:
    # Each is imported at its first use: numpy and regex take longer to load than this package.
    match algorithm:
        case 'ranked':
            from .ranked import RankedIndex

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
class _Entry:
    algorithm: Algorithm
    documents: tuple[Document, ...]
    ranking: Ranking
    index: ToolIndex


class _Cache:
    """The indexes used last, found by equal documents.

    Tuples compare their members by identity first, so documents that did not change cost nanoseconds each and nothing
    is hashed.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._entries: list[_Entry] = []

    def get(self, algorithm: Algorithm, documents: tuple[Document, ...]) -> Index | None:
        with self._lock:
            for position, entry in enumerate(self._entries):
                if entry.algorithm == algorithm and entry.documents == documents:
                    # The next call will probably have these objects.
                    del self._entries[position]
                    self._entries.append(replace(entry, documents=documents))
                    return entry.index
        return None

    def most_similar(self, algorithm: Algorithm, documents: tuple[Document, ...]) -> Ranking | None:
        """The ranking that has most of the same documents, if one has any."""
        with self._lock:
            entries = [entry for entry in self._entries if entry.algorithm == algorithm]
        wanted = frozenset(map(id, documents))
        shared = [sum(map(wanted.__contains__, map(id, entry.documents))) for entry in entries]
        return entries[shared.index(max(shared))].ranking if any(shared) else None

    def put(self, entry: _Entry) -> None:
        with self._lock:
            self._entries.append(entry)
            del self._entries[:-_MAX_INDEXES]
            while len(self._entries) > 1 and sum(len(entry.documents) for entry in self._entries) > _MAX_TOOLS:
                del self._entries[0]


_cache = _Cache()
