"""Tools that a query calls by their names, found before any algorithm ranks the words.

Models remember names that they saw, or guess them, and write them as they would in another language: other case, other
separators, none at all, a letter off. A name is no word to be ranked: whoever writes it wants that tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property

from .closest import closest_names
from .plain_words import plain_words
from .query import DEFAULT_LIMIT, check, effective, names_precisely, selection
from .ranking import ASKED_FALLS_AWAY, Ranking
from .stopwords import STOP_WORDS
from .words import split_name, words

_TOKEN = re.compile(r'[^\s,;|"\'`()\[\]{}<>]+')
_SHORTEST_RUN_TOGETHER = 6
"""Fewer letters than this, written without separators, are rather a word."""
_TELLING = 40
"""How many names of one query are looked up by spelling."""
_MOST_OF_IT = 0.5
"""A tool whose name says so much of a query comes first; another that is said has a place among the others."""
_ALIKE = 0.8
"""From this likeness of letters on, a selected name is taken for the tool's."""


class ByName:
    """A ranking, in front of it the tools that a query names."""

    def __init__(self, names: Sequence[str], ranking: Ranking) -> None:
        self._names = Names(names).read()
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
_NEEDED = 0.5
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


class Names:
    """The names of tools, and what people make of them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = dict.fromkeys(names)

    def read(self) -> Names:
        """These names, spelt out for many questions, so that no first one has to wait."""
        _ = self._beginnings
        return self

    def named(self, text: str) -> list[str]:
        """The tools whose names stand in the text, in the text's order, in whatever case and with whatever separators.

        A name of one plain word counts where the text consists of names alone: `search` is mostly a verb.
        """
        tokens = [token.strip('.:?!+') for token in _TOKEN.findall(text)]
        found = [self._spelled(token) for token in tokens]
        only_names = all(names for names, token in zip(found, tokens, strict=True) if token)
        return list(dict.fromkeys(name for names in found for name in names if only_names or _is_compound(name)))

    def said(self, text: str) -> dict[str, float]:
        """The tools whose names the text says in words in a row, each with its share of what the text says.

        `get the user of an issue` says `get_user`.
        """
        every = [word.casefold() for word in words(text)[:_SAID]]
        telling = [word for word in every if word not in _GLUE]
        found = self._called(telling)
        return found if len(telling) == len(every) else {**self._called(every), **found}

    def _called(self, said: list[str]) -> dict[str, float]:
        """The tools that are called like two words or more in a row, if any of these tells something."""
        known, beginnings = self._by_letters, self._beginnings
        found: dict[str, float] = {}
        for start, letters in enumerate(said):
            for end in range(start + 1, min(start + _LONGEST_RUN, len(said))):
                letters += said[end]
                if len(letters) > _BEGINNING and letters[:_BEGINNING] not in beginnings:
                    break
                names = known.get(letters) or known.get(letters[:-1] if letters[-1] == 's' else letters + 's')
                if names and (telling := _telling(said[start : end + 1])):
                    found |= dict.fromkeys(names, telling / _telling(said))
        return found

    def missed(self, query: str) -> list[str]:
        """What a `select:` of the query names and no tool is called, not even nearly."""
        wanted = selection(query.strip()) or []
        return [name for name in wanted if not self._nearest(name)]

    def closest(self, text: str) -> list[str]:
        """Up to three names that somebody who wrote the text may have meant."""
        return closest_names(text[:_LONGEST], self._names)

    def selected(self, wanted: list[str]) -> list[str]:
        """The tools of these names, in their order; those that are nearest where one is called otherwise."""
        exact = {name: name for name in wanted if name in self._names}
        others = [name for name in wanted if name not in exact][:_TELLING]
        near = {name: self._nearest(name) for name in others}
        chosen = (found for name in wanted for found in ([exact[name]] if name in exact else near.get(name, [])))
        return list(dict.fromkeys(chosen))

    def _nearest(self, name: str) -> list[str]:
        """The tools called so, or nearly so; several where the name holds several."""
        if (spelled := self._spelled(name)) or not name:
            return spelled
        parts = name.split()
        if len(parts) > 1 and (found := [found for part in parts for found in self._spelled(part)]):
            return found
        folded = _folded(name[:_LONGEST])
        close = [(_likeness(folded, _folded(other)), other) for other in self.closest(name)]
        return [max(close)[1]] if close and max(close)[0] >= _ALIKE else []

    def _spelled(self, token: str) -> list[str]:
        if token in self._names:
            return [token]
        folded = _folded(token)
        names = self._by_letters.get(folded)
        return names if names and (len(folded) >= _SHORTEST_RUN_TOGETHER or _is_compound(token)) else []

    @cached_property
    def _by_letters(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._names:
            found.setdefault(_folded(name), []).append(name)
        return found

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        """The first letters of the names: a look here spares most words of a request all others."""
        return frozenset(letters[:_BEGINNING] for letters in self._by_letters)


def _telling(said: list[str]) -> int:
    return sum(word not in STOP_WORDS for word in said)


_LONGEST_RUN = 5
_BEGINNING = 6
_SAID = 40
"""In the words behind these, names are not looked for."""
_GLUE = frozenset(['a', 'an', 'the', 'my', 'our', 'your', 'all', 'any', 'some', 'of'])

_LONGEST = 200
"""No tool has a longer name."""


def _folded(name: str) -> str:
    folded = name.casefold()
    return folded if folded.isalnum() else ''.join(words(folded))


def _is_compound(name: str) -> bool:
    return len(split_name(name)) > 1


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
