"""Search by meaning, in addition to search by words: an option that needs an embedding model.

`ToolSearchOptions(algorithm=SearchByMeaning(Embedder('openai:text-embedding-3-small')))` turns it on. No other
module of the package imports pydantic-ai, and none imports this one.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import chain
from math import ceil
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic_ai import Embedder, ModelHTTPError, ModelRetry, RunContext
from pydantic_ai.tools import ToolDefinition

from toolscript.workflows import refuse_in_workflow

from .document import Document
from .index import build_index_in_turns
from .query import QueryError, check, parse, selection
from .subqueries import sentences, subqueries

_BASELINE = 100
"""A tool of this rank is as near as any that has nothing to do with the query."""
_SHARE = 1.0
"""What the nearest tool gains; the best one by words has 1."""
_SHARE_OF_SEVERAL = 0.5
"""The same in a request of several sentences, some of which only give the context."""
_MAX_DESCRIPTION = 600
_CHARACTERS_A_TOKEN = 4
_MIN_SPREAD = 1e-6
_MAX_DOCUMENTS = 200_000

_BUSY = frozenset([408, 409, 429, 500, 502, 503, 504, 529])
"""HTTP statuses after which a retry may succeed."""
_TRIES = 3
_FIRST_WAIT = 0.5
"""In seconds; each further wait is twice as long."""

_INSTEAD = "It asks an embedding model. Search by words: ToolSearchOptions(algorithm='ranked')."

_Answer = TypeVar('_Answer')


@dataclass(frozen=True)
class EmbeddingCost:
    """What a provider will charge for."""

    tools: int
    requests: int
    tokens: int
    """Estimated, at four characters a token."""


@dataclass
class SearchByMeaning:
    """Tools ranked by words and by the nearness of their embeddings.

    Each tool is embedded once, at the first search that includes it. A query with operators (`select:`, `+must`,
    `/regex/` and the like) is exact, so it is answered by words alone.
    """

    embedder: Embedder
    cache: Path | None = None
    """A file (`.npz`) that stores the tools' vectors for the next process."""

    def __post_init__(self) -> None:
        model = self.embedder.model
        name = model if isinstance(model, str) else f'{model.system}:{model.model_name}'
        self._vectors = Vectors(name, self.cache)
        self._indexed: tuple[tuple[Document, ...], Matrix] | None = None
        self._documents: dict[int, tuple[ToolDefinition, Document]] = {}

    async def __call__(
        self, ctx: RunContext[Any], queries: Sequence[str], tools: Sequence[ToolDefinition]
    ) -> list[str]:
        """Return the names of the tools that match, best first, as `ToolSearchOptions(algorithm=...)` expects.

        Raises:
            ModelRetry: The query is blank or invalid.
            UserError: The run is in a workflow of a durable engine.
        """
        self.check_run(ctx)
        try:
            return await self.search(' '.join(queries), [self._document(tool) for tool in tools], limit=len(tools))
        except QueryError as error:
            raise ModelRetry(str(error)) from error

    def check_run(self, ctx: RunContext[Any]) -> None:
        """Refuse runs that cannot search by meaning; called by the first step.

        Raises:
            UserError: The run is in a workflow of a durable engine.
        """
        refuse_in_workflow(ctx, 'SearchByMeaning(...)', _INSTEAD)

    async def search(self, query: str, documents: Sequence[Document], *, limit: int, offset: int = 0) -> list[str]:
        """Return the names of the documents that match `query`, best first.

        Raises:
            QueryError: The query is blank or invalid.
        """
        text = check(query)
        index = await build_index_in_turns('ranked', documents)
        if selection(text) is not None or parse(text).has_operators:
            return index.search(text, limit=limit, offset=offset)
        near, of_needs = await self._near(text, tuple(documents)) if documents else ({}, {})
        return index.search_near(text, near, needs=of_needs, limit=limit, offset=offset)

    def cost(self, tools: Sequence[Document]) -> EmbeddingCost:
        """Return what embedding `tools` will cost. Tools whose vectors are cached cost nothing."""
        new = self._vectors.missing([_text(tool) for tool in tools])
        return EmbeddingCost(len(new), ceil(len(new) / BATCH), sum(map(len, new)) // _CHARACTERS_A_TOKEN)

    async def _near(
        self, text: str, documents: tuple[Document, ...]
    ) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
        """Return what each tool gains by its nearness to `text`, and the same for each of several sentences."""
        known = await self._matrix(documents)
        several = list(dict.fromkeys(sentences(text)))
        # A single vector of a request for several things is near to none of them.
        asked = several if len(several) > 1 else [text, *_longer_clause(text)]
        wanted = _unit((await _with_retries(partial(self.embedder.embed_query, asked))).embeddings)
        gains = _gains(known @ wanted.T)
        if len(several) < 2:
            return _by_name(documents, _SHARE * gains.max(axis=1)), {}
        of_needs = {need: _by_name(documents, gain) for need, gain in zip(several, gains.T, strict=True)}
        return _by_name(documents, _SHARE_OF_SEVERAL * gains.max(axis=1)), of_needs

    async def _matrix(self, documents: tuple[Document, ...]) -> 'Matrix':
        # Tuples compare their members by identity first, so unchanged tools cost next to nothing.
        if self._indexed is None or self._indexed[0] != documents:
            self._indexed = documents, await self._vectors.of([_text(document) for document in documents], self._embed)
        return self._indexed[1]

    async def _embed(self, texts: Sequence[str]) -> 'Matrix':
        return _unit((await _with_retries(partial(self.embedder.embed_documents, texts))).embeddings)

    def _document(self, tool: ToolDefinition) -> Document:
        known = self._documents.get(id(tool))
        if known is None or known[0] is not tool:
            if len(self._documents) >= _MAX_DOCUMENTS:
                self._documents.clear()
            known = self._documents[id(tool)] = tool, _document(tool)
        return known[1]


async def _with_retries(request: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Return the answer of `request`, which is tried up to three times while the server is busy."""
    for attempt in range(_TRIES - 1):
        try:
            return await request()
        except ModelHTTPError as error:
            if error.status_code not in _BUSY:
                raise
        await asyncio.sleep(_FIRST_WAIT * 2**attempt)
    return await request()


def _gains(likeness: 'Matrix') -> 'Matrix':
    """Returns, for each column, 1 for the nearest tool and 0 for the one of rank `_BASELINE` and those after it."""
    place = max(len(likeness) - 1 - _BASELINE, 0)
    baseline = np.partition(likeness, place, axis=0)[place]
    return np.maximum(likeness - baseline, 0) / np.maximum(likeness.max(axis=0) - baseline, _MIN_SPREAD)


def _by_name(documents: Sequence[Document], gains: 'Matrix') -> dict[str, float]:
    return {documents[place].name: float(gains[place]) for place in np.flatnonzero(gains).tolist()}


def _longer_clause(sentence: str) -> list[str]:
    """Return the longer one of a sentence's two clauses; none if there are not two, not counting those of one word."""
    found = [clause for clause in chain.from_iterable(subqueries(sentence)) if len(clause.split()) > 1]
    # Embedding a text takes milliseconds, and vectors of more clauses find nothing more.
    return [max(found, key=len)] if len(found) == 2 else []


def _unit(vectors: Sequence[Sequence[float]]) -> 'Matrix':
    matrix = np.asarray(vectors, dtype=np.float32)
    return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)


def _text(document: Document) -> str:
    server = f' ({document.server})' if document.server else ''
    return f'{document.name}: {(document.description or "")[:_MAX_DESCRIPTION]}{server}'


def _document(tool: ToolDefinition) -> Document:
    server = (tool.metadata or {}).get('server')
    return Document(
        tool.name, tool.description, tool.parameters_json_schema, server if isinstance(server, str) else None
    )


BATCH = 256
"""How many texts one request embeds."""
_MAX_VECTORS = 200_000

Matrix = NDArray[np.float32]


class Vectors:
    """Vectors by the texts that they were made from.

    The file contains digests and numbers but no text. It is replaced as a whole when vectors are added, so that several
    processes may share it: the last one to write wins, and vectors that it did not know are computed again.
    """

    def __init__(self, model: str, cache: Path | None) -> None:
        self._model = model
        self._cache = cache
        self._known: dict[bytes, Matrix] | None = None

    async def of(self, texts: Sequence[str], embed: Callable[[Sequence[str]], Awaitable[Matrix]]) -> Matrix:
        """Return one row for each text; calls `embed` for those that are new, a few hundred at a time."""
        known = self._load()
        keys = [self._key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if len(known) + len(missing) > _MAX_VECTORS:
            known, missing = {}, dict(zip(keys, texts, strict=True))
        self._known = known
        if missing:
            try:
                await _add(known, list(missing.items()), embed)
            finally:
                # Vectors that were paid for are saved even if a later request failed.
                self._write(known)
        return np.stack([known[key] for key in keys])

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Return those of `texts` whose vectors are unknown, each of them once."""
        known = self._load()
        return [text for text in dict.fromkeys(texts) if self._key(text) not in known]

    def _load(self) -> dict[bytes, Matrix]:
        if self._known is None:
            self._known = self._read()
        return self._known

    def _key(self, text: str) -> bytes:
        return sha256(f'{self._model}\0{text}'.encode('utf-8', 'surrogatepass')).digest()

    def _read(self) -> dict[bytes, Matrix]:
        if self._cache is None or not self._cache.exists():
            return {}
        try:
            with np.load(self._cache, allow_pickle=False) as saved:
                keys, rows = saved['keys'], saved['rows'].astype(np.float32)
        except (OSError, ValueError, KeyError, EOFError):
            # This is only a cache: unreadable vectors are computed again.
            return {}
        return dict(zip(map(bytes, keys), rows, strict=False))

    def _write(self, known: dict[bytes, Matrix]) -> None:
        if self._cache is None or not known:
            return
        width = max(map(len, known.values()))
        rows = {key: row for key, row in known.items() if len(row) == width}
        self._cache.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=self._cache.parent, suffix='.npz', delete=False) as file:
            np.savez(file, keys=_digests(rows), rows=np.stack(list(rows.values())))
        os.replace(file.name, self._cache)


async def _add(
    known: dict[bytes, Matrix], new: list[tuple[bytes, str]], embed: Callable[[Sequence[str]], Awaitable[Matrix]]
) -> None:
    for start in range(0, len(new), BATCH):
        batch = new[start : start + BATCH]
        rows = await embed([text for _, text in batch])
        known.update(zip((key for key, _ in batch), rows, strict=True))


def _digests(keys: Iterable[bytes]) -> NDArray[np.uint8]:
    return np.frombuffer(b''.join(keys), dtype=np.uint8).reshape(-1, sha256().digest_size)
