"""The `'ranked'` algorithm: our own, for terse searches and for requests as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .actions import ACTIONS, Action, agreement
from .document import Document
from .filters import Filters
from .idioms import spelled_out
from .languages import in_english
from .mending import Mender
from .occurrences import read
from .postings import post
from .query import Query, check, effective, page, parse
from .ranking import FALLS_AWAY
from .relevance import Relevance, relevance
from .weighing import WEIGHING, Weighing

_BONUS_DEPTH = 50
"""The bonus is for the best so many; it cannot lift a tool from further down."""
_LEAST = 1e-9


class RankedIndex:
    """Tools ranked by BM25 over weighted fields, with synonyms, need by need."""

    def __init__(
        self, documents: Sequence[Document], weighing: Weighing = WEIGHING, *, before: RankedIndex | None = None
    ) -> None:
        """Read `documents`, except those that an index `before` has read."""
        self._weighing = weighing
        self._names = [document.name for document in documents]
        self._occurrences = read(documents, before and before._occurrences)
        self._postings = post(self._occurrences, weighing)
        self._filters = Filters(documents, self._postings)
        self._mender = Mender(self._postings.vocabulary, self._postings.holders)
        self._actions = {
            number: done
            for term, done in ACTIONS.items()
            if (number := self._postings.vocabulary.get(term)) is not None
        }

    falls_away = FALLS_AWAY

    def scored(self, query: str, *, limit: int, offset: int = 0) -> list[tuple[str, float]]:
        """The names of the tools that match, each with its score, best first.

        Understands `+must`, `-not`, `"a phrase"`, `name:part`, `server:part` and `/regex/`.
        """
        text = check(query)
        if not self._names:
            return []
        ranked = self._ranked(self._relevance(parse(text)), max(offset, 0) + effective(limit))
        return page([(self._names[tool], score) for tool, score in ranked], limit, offset)

    def _relevance(self, query: Query) -> Relevance:
        admitted = self._filters.admitted(query)
        found = relevance(self._postings, self._meant(query.text), self._weighing)
        if admitted is None:
            return found
        # Where operators are all there is, a tool that passes them matches, whether it has a rank or not.
        floor = 0.0 if query.plain else _LEAST
        return replace(found, scores=np.where(admitted, np.maximum(found.scores, floor), 0.0))

    def _meant(self, request: str) -> str:
        return spelled_out(self._mender.mended(in_english(request, self._mender.knows)))

    def _ranked(self, found: Relevance, count: int) -> list[tuple[int, float]]:
        best = _best(found.scores, max(_BONUS_DEPTH, count))
        scores = {tool: float(found.scores[tool]) * (1 + self._bonus(tool, found)) for tool in best[:_BONUS_DEPTH]}
        highest = max(scores.values(), default=0.0)
        # What answers a need best is not behind all that answers another alike.
        scores |= {tool: highest for tool in found.needed if found.scores[tool] > 0}
        first = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0] not in found.needed))
        return first + [(tool, float(found.scores[tool])) for tool in best[_BONUS_DEPTH:] if tool not in scores]

    def _bonus(self, tool: int, found: Relevance) -> float:
        name = self._postings.names[tool]
        gain = self._weighing.name * self._said(name, found)
        if not found.actions:
            return gain
        return gain + self._weighing.action * agreement(found.actions, self._done(name))

    def _done(self, name: Iterable[int]) -> frozenset[Action]:
        return frozenset(self._actions[term] for term in name if term in self._actions)

    def _said(self, name: Iterable[int], found: Relevance) -> float:
        """The share of a tool's name that the request says."""
        weights = self._postings.weights
        said = sum(weights[term] for term in name if term in found.terms)
        return said / sum(weights[term] for term in name) if said else 0.0


def _best(scores: NDArray[np.float32], count: int) -> list[int]:
    """The tools with the `count` highest scores above zero, best first; equals in the catalog's order."""
    least = np.partition(scores, -count)[-count] if count < len(scores) else 0.0
    tools = np.flatnonzero(scores >= least if least > 0 else scores > 0)
    return tools[np.argsort(-scores[tools], kind='stable')][:count].tolist()
