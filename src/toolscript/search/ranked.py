"""The `'ranked'` algorithm: our own, for natural requests and terse searches alike."""

from __future__ import annotations

from collections.abc import Sequence

from .bm25 import Bm25Index
from .document import Document


class RankedIndex:
    """Tools ranked by fielded relevance."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._index = Bm25Index(documents)

    def search(self, query: str, *, limit: int, offset: int = 0) -> list[str]:
        """The names of the tools that match, best first."""
        return self._index.search(query, limit=limit, offset=offset)
