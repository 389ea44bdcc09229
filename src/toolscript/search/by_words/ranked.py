"""The `'ranked'` algorithm: our own, for terse searches and for requests as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from heapq import heappush, heappushpop

import numpy as np
from numpy.typing import NDArray

from toolscript.search.document import Document
from toolscript.search.inverted_index.explained import Explained, Hit, explain
from toolscript.search.inverted_index.occurrences import read
from toolscript.search.inverted_index.postings import Postings
from toolscript.search.inverted_index.rows import Ints
from toolscript.search.ranking import FALLS_AWAY
from toolscript.search.requests.exclusions import wanted
from toolscript.search.requests.fillers import without_fillers
from toolscript.search.requests.idioms import spelled_out
from toolscript.search.requests.query import Query, check, effective, page, parse
from toolscript.search.requests.values import without_values
from toolscript.search.vocabulary.actions import agreements
from toolscript.search.vocabulary.doers import with_doers
from toolscript.search.vocabulary.languages import in_english
from toolscript.search.weighing import WEIGHING, Weighing

from .filters import Filters
from .mending import Mender
from .readings import Readings
from .relevance import Relevance, asked_terms, relevance
from .servers import Servers, servers

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
        self._occurrences = read(documents, before and before._occurrences)
        self._tools = self._occurrences.documents
        self._postings = Postings(self._occurrences, weighing)
        self._readings = Readings(self._postings, weighing)
        self._filters = Filters(self._tools, self._postings)
        self._mender = Mender(self._occurrences)

    falls_away = FALLS_AWAY

    def scored(self, query: str, *, limit: int, offset: int = 0) -> list[tuple[str, float]]:
        """The names of the tools that match, each with its score, best first.

        Understands `+must`, `-not`, `"a phrase"`, `name:part`, `server:part` and `/regex/`.
        """
        text = check(query)
        if not self._tools:
            return []
        ranked = self._ranked(self._relevance(parse(text)), max(offset, 0) + effective(limit))
        return page([(self._tools[tool].name, score) for tool, score in ranked], limit, offset)

    def explained(self, query: str, *, limit: int) -> list[Explained]:
        """As `scored`, each tool with the reasons for its score."""
        text = parse(check(query))
        if not self._tools:
            return []
        found = self._relevance(text)
        ranked = self._ranked(found, effective(limit))[: effective(limit)]
        hits = [Hit(tool, self._tools[tool].name, score, float(found.scores[tool])) for tool, score in ranked]
        asked = asked_terms(self._postings, self._readings, self._meant(text.text), self._weighing)
        return explain(hits, asked, found.terms, self._occurrences, self._weighing)

    @cached_property
    def _servers(self) -> Servers:
        return servers(self._tools)

    def _relevance(self, query: Query) -> Relevance:
        admitted = self._filters.admitted(query)
        found = relevance(self._postings, self._readings, self._servers, self._meant(query.text), self._weighing)
        if admitted is None:
            return found
        # Where operators are all there is, a tool that passes them matches, whether it has a rank or not.
        floor = 0.0 if query.plain else _LEAST
        return replace(found, scores=np.where(admitted, np.maximum(found.scores, floor), 0.0))

    def _meant(self, request: str) -> str:
        said = without_fillers(wanted(without_values(request)))
        english = in_english(said, self._mender.knows, self._mender.is_slip)
        return with_doers(spelled_out(self._mender.mended(english)))

    def _ranked(self, found: Relevance, count: int) -> list[tuple[int, float]]:
        best = _best(found.scores, max(_BONUS_DEPTH, count), self._postings.order)
        scores = self._with_bonus(best[:_BONUS_DEPTH], found, count)
        highest = max(scores.values(), default=0.0)
        # What answers a need best is not behind all that answers another alike.
        scores |= {tool: highest for tool in found.needed if found.scores[tool] > 0}
        first = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0] not in found.needed))
        return first + [(tool, float(found.scores[tool])) for tool in best[_BONUS_DEPTH:] if tool not in scores]

    def _with_bonus(self, tools: list[int], found: Relevance, count: int) -> dict[int, float]:
        """The scores of `tools`, best first, with their bonuses, but those that cannot come among `count`."""
        most = 1 + self._weighing.name + self._weighing.action
        scores: dict[int, float] = {}
        best: list[float] = []
        for tool, score, bonus in zip(tools, found.scores[tools].tolist(), self._bonuses(tools, found), strict=True):
            if len(best) == count and score * most < best[0]:
                break
            scores[tool] = score * (1 + bonus)
            if len(best) < count:
                heappush(best, scores[tool])
            else:
                heappushpop(best, scores[tool])
        return scores

    def _bonuses(self, tools: Iterable[int], found: Relevance) -> Iterator[float]:
        """What each tool gains by the share of its name that the request says, and by what its name's verb does."""
        weights, vocabulary, names = self._postings.weights, self._postings.vocabulary, self._postings.names
        verbs = {vocabulary[term]: share for term, share in agreements(found.actions).items() if term in vocabulary}
        doing = frozenset(verbs)
        for tool in tools:
            name = names[tool]
            share = done = 0.0
            if not found.terms.isdisjoint(name):
                said = sum([weights[term] for term in name if term in found.terms])
                share = said / sum([weights[term] for term in name]) if said else 0.0
            if not doing.isdisjoint(name):
                done = max([verbs[term] for term in name if term in verbs])
            yield self._weighing.name * share + self._weighing.action * done


def _best(scores: NDArray[np.float32], count: int, order: Ints) -> list[int]:
    """The tools with the `count` highest scores above zero, best first; equals in their order."""
    tools = _likely(scores, count)
    if len(tools) > count:
        among = scores[tools]
        tools = tools[among >= np.partition(among, -count)[-count]]
    return tools[np.lexsort((order[tools], -scores[tools]))][:count].tolist()


def _likely(scores: NDArray[np.float32], count: int) -> Ints:
    """Tools with scores above zero, the `count` best among them, if there are as many."""
    highest = scores.max(initial=0)
    # Where enough tools score more than a share of the best, the others need not be looked at.
    for share in (0.5, 0.25):
        tools = np.flatnonzero(scores > share * highest)
        if len(tools) >= count:
            return tools
    return np.flatnonzero(scores > 0)
