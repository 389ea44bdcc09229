"""The `'bm25'` algorithm: rank-bm25 over weighted fields."""

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .document import Document, parameters_of
from .query import MIN_SCORE_SHARE, check, required_words
from .terms import content_terms, part_terms, terms, words

try:
    from rank_bm25 import BM25Okapi  # pyright: ignore[reportMissingTypeStubs]  # it ships no types
except ImportError as _error:
    raise ImportError("The algorithm 'bm25' needs the package rank-bm25: pip install 'toolscript[bm25]'.") from _error

_NAME_WEIGHT = 3


class _Okapi(BM25Okapi):
    """Okapi BM25 whose inverse document frequency stays positive.

    The classic form is zero for a word in half of the documents, and negative for a word in more: in a catalog of four
    tools that is most words, and the best match would rank last.
    """

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        self.idf = {word: math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for word, n in nd.items()}


class _Scorer(Protocol):
    def get_scores(self, query: list[str]) -> NDArray[np.float64]: ...


class Bm25Index:
    """Tools ranked by Okapi BM25."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._names = [document.name for document in documents]
        self._terms = [_weighted_terms(document) for document in documents]
        self._okapi: _Scorer | None = _Okapi(self._terms) if any(self._terms) else None

    min_score_share: float = MIN_SCORE_SHARE

    def scored(self, query: str, *, limit: int) -> list[tuple[str, float]]:
        """Return the names of the tools that share a word with `query`, each with its score, best first."""
        required, every = required_words(check(query))
        if self._okapi is None:
            return []
        needed = {term for word in words(' '.join(required)) for term in part_terms(word)}
        text = ' '.join(every)
        scores = self._okapi.get_scores(_content(text) or terms(text))
        found = [i for i, score in enumerate(scores) if score > 0 and needed.issubset(self._terms[i])]
        return [(self._names[i], float(scores[i])) for i in sorted(found, key=lambda i: -scores[i])[:limit]]


def _weighted_terms(document: Document) -> list[str]:
    parameters = parameters_of(document.parameters)
    rest = (document.description or '', *parameters.names, document.server or '', *document.tags)
    return terms(document.name) * _NAME_WEIGHT + [term for text in rest for term in _content(text)]


def _content(text: str) -> list[str]:
    return [term for word in words(text) for term in content_terms(word)]
