"""The `'ranked'` algorithm: our own, for short searches and for requests as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .document import Document
from .explained import Explained, explain
from .filters import Filters
from .inverted_index import InvertedIndex
from .languages import in_english
from .query import Query, check, effective, page, parse
from .ranking import DEFAULT_SETTINGS, MIN_SCORE_SHARE, RankingSettings
from .scoring import Scorer, Scores
from .spelling import SpellChecker
from .values import without_values
from .verbs import agreements

_BONUS_DEPTH = 50
"""Only so many of the best tools have a bonus."""
_MIN_SCORE = 1e-9


class RankedIndex:
    """Tools ranked by BM25 over weighted fields, with synonyms, subquery by subquery."""

    min_score_share = MIN_SCORE_SHARE

    def __init__(
        self,
        documents: Sequence[Document],
        settings: RankingSettings = DEFAULT_SETTINGS,
        *,
        before: RankedIndex | None = None,
    ) -> None:
        """Index `documents`. Those that the index `before` contains are not read again."""
        self._settings = settings
        self._index = InvertedIndex(documents, settings, before=before and before._index)
        self._scorer = Scorer(self._index, settings)
        self._filters = Filters(self._index)
        self._spelling = SpellChecker(self._index)

    def scored(self, query: str, *, limit: int, offset: int = 0) -> list[tuple[str, float]]:
        """The names of the tools that match, each with its score, best first.

        Understands `+must`, `-not`, `"a phrase"`, `name:part`, `server:part` and `/regex/`.
        """
        text = check(query)
        if not self._index.documents:
            return []
        ranked = self._ranked(self._scores(parse(text)), max(offset, 0) + effective(limit))
        return page([(self._index.documents[tool].name, score) for tool, score in ranked], limit, offset)

    def explained(self, query: str, *, limit: int) -> list[Explained]:
        """As `scored`, each tool with the reasons for its score."""
        text = parse(check(query))
        if not self._index.documents:
            return []
        found = self._scores(text)
        asked = self._scorer.term_weights(self._as_words(text.text))
        return [
            explain(tool, score, float(found.of_tools[tool]), asked, found.terms, self._index)
            for tool, score in self._ranked(found, effective(limit))[: effective(limit)]
        ]

    def _scores(self, query: Query) -> Scores:
        admitted = self._filters.admitted(query)
        found = self._scorer.scores(self._as_words(query.text))
        if admitted is None:
            return found
        # A query of operators alone finds each tool that they admit, even one without a score.
        floor = 0.0 if query.plain else _MIN_SCORE
        return replace(found, of_tools=np.where(admitted, np.maximum(found.of_tools, floor), 0.0))

    def _as_words(self, request: str) -> str:
        """`request` without values, in English, with typos corrected."""
        english = in_english(without_values(request), self._spelling.knows, self._spelling.is_typo)
        return self._spelling.corrected(english)

    def _ranked(self, found: Scores, count: int) -> list[tuple[int, float]]:
        best = _best(found.of_tools, max(_BONUS_DEPTH, count))
        scores = {tool: float(found.of_tools[tool]) * (1 + self._bonus(tool, found)) for tool in best[:_BONUS_DEPTH]}
        highest = max(scores.values(), default=0.0)
        # The best tool of one sentence must not be behind all that answer another one alike.
        scores |= {tool: highest for tool in found.best_of_sentences if found.of_tools[tool] > 0}
        first = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0] not in found.best_of_sentences))
        return first + [(tool, float(found.of_tools[tool])) for tool in best[_BONUS_DEPTH:] if tool not in scores]

    def _bonus(self, tool: int, found: Scores) -> float:
        """The bonus for the share of the name that the request contains, and for what the name's verb does."""
        name, weights = self._index.name_terms(tool), self._index.weights
        agreement = agreements(found.actions)
        said = sum(weights[term] for term in name if term in found.terms)
        share = said / sum(weights[term] for term in name) if said else 0.0
        done = max((agreement.get(self._index.terms[term], 0.0) for term in name), default=0.0)
        return self._settings.name * share + self._settings.action * done


def _best(scores: NDArray[np.float32], count: int) -> list[int]:
    """The tools with the `count` highest scores above zero, best first; equal ones in their order."""
    tools = np.flatnonzero(scores > 0)
    if len(tools) > count:
        among = scores[tools]
        tools = tools[among >= np.partition(among, -count)[-count]]
    return tools[np.argsort(-scores[tools], kind='stable')][:count].tolist()
