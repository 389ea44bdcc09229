"""Tools that a query calls by their names, found before any algorithm ranks the words.

Models remember names that they saw, or guess them, and write them as they would in another language: other case, other
separators, none at all, a letter off. A name is no word to be ranked: whoever writes it wants that tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolscript.search.ranking import ASKED_FALLS_AWAY, Ranking
from toolscript.search.requests.plain_words import plain_words
from toolscript.search.requests.query import DEFAULT_LIMIT, check, effective, names_precisely, selection

from .names import Names

_MOST_OF_IT = 0.5
"""A tool whose name says so much of a query comes first; another that is said has a place among the others."""


class ByName:
    """A ranking, in front of it the tools that a query names."""

    def __init__(self, names: Iterable[str], ranking: Ranking, *, before: ByName | None = None) -> None:
        """Of the `names`, those that an index `before` knows are not read."""
        self.names: tuple[str, ...] = tuple(names)
        """Of all tools, in their order."""
        self._names = Names(self.names).read(before and before._names)
        self._ranking = ranking

    def search(self, query: str, *, limit: int, offset: int = 0) -> list[str]:
        """The tools that the query names, however many, and then those that match it.

        `select:a,b` finds these alone, in this order; a name in another spelling or with a slip finds the tool that has
        the nearest.

        Raises:
            QueryError: The query is blank, or broken where the ranking reads it.
        """
        return self._found(query, limit, offset, least=0.0)

    def worth_reading(self, query: str, *, limit: int) -> list[str]:
        """As `search`, but it stops where the scores fall away: what follows answers the query much worse.

        Raises:
            QueryError: The query is blank or cannot be answered.
        """
        return self._found(query, limit, 0, least=self._ranking.falls_away)

    def asked_for(self, request: str, *, limit: int) -> list[str]:
        """At most `limit` of the tools that a person's own words ask for; none where the words say nothing."""
        text = plain_words(request)
        least = min(ASKED_FALLS_AWAY, self._ranking.falls_away)
        return self._found(text, limit, 0, least=least)[:limit] if text else []

    def search_near(
        self,
        query: str,
        near: Mapping[str, float],
        *,
        needs: Mapping[str, Mapping[str, float]] | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[str]:
        """As `search`, where tools are also `near`: by how much, beside the 1 of the tool that matches best by words.

        `needs` are the sentences of a request, where it has several, each with how near tools are to it alone. The tool
        that answers one of them best by both has a place at the top, unless little is known of it.

        Raises:
            QueryError: The query is blank, or broken where the ranking reads it.
        """
        return self._found(query, limit, offset, least=0.0, near=near, needs=needs or {})

    def _found(
        self,
        query: str,
        limit: int,
        offset: int,
        *,
        least: float,
        near: Mapping[str, float] | None = None,
        needs: Mapping[str, Mapping[str, float]] | None = None,
    ) -> list[str]:
        text = check(query)
        if (wanted := selection(text)) is not None:
            return self._names.selected(wanted)
        limit, start = effective(limit), max(offset, 0)
        precise = names_precisely(text)
        named = [] if precise else self._names.named(text)
        said = {} if precise or named else self._names.said(text)
        ranked = self._ranking.scored(text, limit=start + max(limit, _NEAR if near else 0) + len(named) + len(said))
        by_words = [name for name, _ in ranked[:_KEPT_BY_WORDS]] if near else []
        if near:
            needed = self._best_of_each(needs or {}, ranked[0][1]) if ranked else []
            ranked = _both(ranked, near, needed)
        best = max((score for _, score in ranked), default=0.0)
        whole = [name for name, share in said.items() if share >= _MOST_OF_IT]
        found = dict.fromkeys([*named, *whole, *(name for name, score in ranked if score >= least * best)])
        meant = _with_a_place_for(by_words, list(found), min(limit, DEFAULT_LIMIT))
        return _with_a_place_for(said, meant, limit)[start:][: max(limit, 0 if start else len(named))]

    def _best_of_each(self, needs: Mapping[str, Mapping[str, float]], best: float) -> list[str]:
        """The tools that answer one need each best, by words and nearness, of the needs that much is known of."""
        known: dict[str, float] = {}
        for need, near in needs.items():
            if (text := plain_words(need)) and (ranked := self._ranking.scored(text, limit=_NEAR_A_NEED)):
                name, score = _both(ranked, near)[0]
                known[name] = max(known.get(name, 0.0), score * min(1.0, ranked[0][1] / best / _NEEDED))
        most = max(known.values(), default=0.0)
        return [name for name, score in known.items() if score > _NEEDED_BY_BOTH * most]


def _both(
    ranked: list[tuple[str, float]], near: Mapping[str, float], needed: Iterable[str] = ()
) -> list[tuple[str, float]]:
    best = ranked[0][1] if ranked else 1.0
    scores = dict(near)
    for name, score in ranked:
        scores[name] = scores.get(name, 0.0) + score / best
    scores |= dict.fromkeys(needed, max(scores.values(), default=0.0))
    return sorted(scores.items(), key=lambda entry: -entry[1])


_NEAR = 200
"""So many of the best by words are weighed against those that are near in meaning."""
_NEAR_A_NEED = 60
"""The same for one sentence of several."""
_NEEDED = 0.8
"""Of a sentence whose best by words scores less than this share of the best of all, little is known."""
_NEEDED_BY_BOTH = 0.8
"""A sentence whose best tool is known less well, in proportion, is there by the way."""
_KEPT_BY_WORDS = 1
"""So many of the best by words have a place among the results, however near others are."""


def _with_a_place_for(kept: Iterable[str], found: list[str], limit: int) -> list[str]:
    """`found`, in which those of `kept` that stand further behind have the last of the first `limit` places."""
    missing = [name for name in kept if name not in found[:limit]][: limit - 1]
    others = [name for name in found if name not in missing]
    return others[: limit - len(missing)] + missing + others[limit - len(missing) :]
