"""Tools that a query calls by their names, found before any algorithm ranks the words.

Models remember names that they saw, or guess them, and write them as they would in another language: other case, other
separators, none at all, a letter off. A name is no word to be ranked: whoever writes it wants that tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cached_property

from .closest import closest_names
from .query import check, effective, names_precisely, selection
from .ranking import Ranking
from .words import split_name

_TOKEN = re.compile(r'[^\s,;|"\'`()\[\]{}<>]+')
_SHORTEST_RUN_TOGETHER = 6
"""Fewer letters than this, written without separators, are rather a word."""
_TELLING = 40
"""How many names of one query are looked up by spelling."""
_ALIKE = 0.8
"""From this likeness of letters on, a selected name is taken for the tool's."""


class ByName:
    """A ranking, in front of it the tools that a query names."""

    def __init__(self, names: Sequence[str], ranking: Ranking) -> None:
        self._names = Names(names)
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

    def _found(self, query: str, limit: int, offset: int, *, least: float) -> list[str]:
        text = check(query)
        if (wanted := selection(text)) is not None:
            return self._names.selected(wanted)
        named = [] if names_precisely(text) else self._names.named(text)
        ranked = self._ranking.scored(text, limit=max(offset, 0) + effective(limit) + len(named))
        best = max((score for _, score in ranked), default=0.0)
        found = list(dict.fromkeys([*named, *(name for name, score in ranked if score >= least * best)]))
        return found[max(offset, 0) :][: max(effective(limit), 0 if offset > 0 else len(named))]


class Names:
    """The names of tools, and what people make of them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = dict.fromkeys(names)

    def named(self, text: str) -> list[str]:
        """The tools whose names stand in the text, in the text's order, in whatever case and with whatever separators.

        A name of one plain word counts where the text consists of names alone: `search` is mostly a verb.
        """
        tokens = [token.strip('.:?!+') for token in _TOKEN.findall(text)]
        found = [self._spelled(token) for token in tokens]
        only_names = all(names for names, token in zip(found, tokens, strict=True) if token)
        return list(dict.fromkeys(name for names in found for name in names if only_names or _is_compound(name)))

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
        names = self._by_letters.get(folded, [])
        return names if len(folded) >= _SHORTEST_RUN_TOGETHER or _is_compound(token) else []

    @cached_property
    def _by_letters(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._names:
            found.setdefault(_folded(name), []).append(name)
        return found


_LONGEST = 200
"""No tool has a longer name."""


def _folded(name: str) -> str:
    return ''.join(filter(str.isalnum, name.casefold()))


def _is_compound(name: str) -> bool:
    return len(split_name(name)) > 1


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
