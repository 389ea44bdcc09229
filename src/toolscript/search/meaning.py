"""Search by meaning, beside search by words: an option that needs an embedding model.

`ToolSearchOptions(algorithm=SearchByMeaning(Embedder('openai:text-embedding-3-small')))` turns it on. This is the one
module of the package that knows pydantic-ai, and nothing else imports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic_ai import Embedder, ModelRetry, RunContext
from pydantic_ai.tools import ToolDefinition

from .document import Document
from .errors import QueryError
from .index import build_index
from .query import check, effective, page, parse, selection

_BATCH = 256
_DEPTH = 200
_DAMPING = 5
"""How little the very first ranks stand out from the next: the `k` of reciprocal rank fusion."""
_MAX_DESCRIPTION = 600
_MOST_KEPT = 200_000

_Matrix = NDArray[np.float32]


@dataclass
class SearchByMeaning:
    """Tools ranked by words and by the nearness of their embeddings, the two rankings fused.

    Each tool is embedded once, at the first search that includes it. A query with operators (`select:`, `+must`,
    `/regex/` and the like) says exactly what it wants and is answered by words alone.
    """

    embedder: Embedder
    _vectors: dict[str, _Matrix] = field(default_factory=dict[str, _Matrix], init=False, repr=False)

    async def __call__(
        self, ctx: RunContext[Any], queries: Sequence[str], tools: Sequence[ToolDefinition]
    ) -> list[str]:
        """The names of the tools that match, best first: what `ToolSearchOptions(algorithm=...)` takes.

        Raises:
            ModelRetry: The query is blank or broken.
        """
        try:
            return await self.search(' '.join(queries), [_document(tool) for tool in tools], limit=len(tools))
        except QueryError as error:
            raise ModelRetry(str(error)) from error

    async def search(self, query: str, documents: Sequence[Document], *, limit: int, offset: int = 0) -> list[str]:
        """The names of the documents that match `query`, best first.

        Raises:
            QueryError: The query is blank or broken.
        """
        text = check(query)
        index = build_index('ranked', documents)
        if selection(text) is not None or parse(text).has_operators:
            return index.search(text, limit=limit, offset=offset)
        by_words = index.search(text, limit=_DEPTH)
        by_meaning = await self._nearest(text, documents)
        return page(_fused(by_words, by_meaning), effective(limit), offset)

    async def _nearest(self, text: str, documents: Sequence[Document]) -> list[str]:
        if not documents:
            return []
        known = await self._embedded([_text(document) for document in documents])
        wanted = _unit((await self.embedder.embed_query(text)).embeddings)
        likeness = (known @ wanted.T)[:, 0]
        nearest: list[int] = np.argsort(-likeness, kind='stable')[:_DEPTH].tolist()
        return [documents[place].name for place in nearest]

    async def _embedded(self, texts: list[str]) -> _Matrix:
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if len(self._vectors) + len(missing) > _MOST_KEPT:
            self._vectors, missing = {}, list(dict.fromkeys(texts))
        vectors = self._vectors
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            vectors.update(zip(batch, _unit((await self.embedder.embed_documents(batch)).embeddings), strict=True))
        return np.stack([vectors[text] for text in texts])


def _unit(vectors: Sequence[Sequence[float]]) -> _Matrix:
    matrix = np.asarray(vectors, dtype=np.float32)
    return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)


def _fused(*rankings: list[str]) -> list[str]:
    """One ranking out of several: each name scores by its place in each (reciprocal rank fusion)."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for place, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0.0) + 1 / (_DAMPING + place)
    return sorted(scores, key=scores.__getitem__, reverse=True)


def _text(document: Document) -> str:
    server = f' ({document.server})' if document.server else ''
    return f'{document.name}: {(document.description or "")[:_MAX_DESCRIPTION]}{server}'


def _document(tool: ToolDefinition) -> Document:
    server = (tool.metadata or {}).get('server')
    return Document(
        tool.name, tool.description, tool.parameters_json_schema, server if isinstance(server, str) else None
    )
