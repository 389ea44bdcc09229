"""The names of tools, and what people make of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import cached_property

from toolscript.search.requests.query import selection
from toolscript.search.vocabulary.actions import Action, actions_of
from toolscript.search.vocabulary.stopwords import STOP_WORDS
from toolscript.search.vocabulary.words import split_name, words

from .by_letters import BEGINNING, ByLetters, brought_up_to_date, by_letters, folded
from .closest import closest_names

_TOKEN = re.compile(r'[^\s,;|"\'`()\[\]{}<>]+')
_SHORTEST_RUN_TOGETHER = 6
"""Fewer letters than this, written without separators, are rather a word."""
_TELLING = 40
"""How many names of one query are looked up by spelling."""
_SLIPS = {5: 1, 9: 2}
"""A selected name of so many letters and more is taken for the tool's with so many slips."""


class Names:
    """The names of tools, and what people make of them."""

    def __init__(self, names: Iterable[str], known: ByLetters | None = None) -> None:
        self._names = tuple(names)
        self._known = known

    def read(self, before: Names | None = None) -> Names:
        """These names, spelt out for many questions, so that no first one has to wait.

        Where most of them were there `before`, only the others are spelt out.
        """
        if before and before._names == self._names:
            return before
        letters = before and brought_up_to_date(before._letters, before._names, self._names)
        return Names(self._names, letters or by_letters(self._names))

    @cached_property
    def _letters(self) -> ByLetters:
        return self._known or by_letters(self._names)

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
        known, beginnings = self._letters.names, self._letters.beginnings
        found: dict[str, float] = {}
        for start, letters in enumerate(said):
            # No name begins with most long words: a look at one spares those at the words behind it.
            if len(letters) >= BEGINNING and letters[:BEGINNING] not in beginnings:
                continue
            for end, word in enumerate(said[start + 1 : start + _LONGEST_RUN], start + 1):
                letters += word
                if len(letters) > BEGINNING and letters[:BEGINNING] not in beginnings:
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
        return closest_names(text[:_LONGEST], dict.fromkeys(self._names))

    def selected(self, wanted: list[str]) -> list[str]:
        """The tools of these names, in their order; those that are nearest where one is called otherwise."""
        exact = {name for name in wanted if name in self._letters.names.get(folded(name), ())}
        others = [name for name in wanted if name not in exact][:_TELLING]
        near = {name: self._nearest(name) for name in others}
        chosen = (found for name in wanted for found in ([name] if name in exact else near.get(name, [])))
        return list(dict.fromkeys(chosen))

    def _nearest(self, name: str) -> list[str]:
        """The tools called so, or nearly so; several where the name holds several."""
        if (spelled := self._spelled(name)) or not name:
            return spelled
        parts = name.split()
        if len(parts) > 1 and (found := [found for part in parts for found in self._spelled(part)]):
            return found
        slips = {other: _slips(name[:_LONGEST], other) for other in self.closest(name)}
        allowed = max((count for letters, count in _SLIPS.items() if len(folded(name)) >= letters), default=0)
        fewest = min(slips.values(), default=allowed + 1)
        meant = [other for other, count in slips.items() if count == fewest and _may_do_the_same(name, other)]
        # Where tools that are called otherwise are as near, it is not for us to choose.
        if fewest > allowed or len({*map(folded, meant)}) != 1:
            return []
        return [max(meant, key=lambda other: SequenceMatcher(None, name, other, autojunk=False).ratio())]

    def _spelled(self, token: str) -> list[str]:
        letters = folded(token)
        names = self._letters.names.get(letters)
        if not names:
            return []
        if token in names:
            return [token]
        return list(names) if len(letters) >= _SHORTEST_RUN_TOGETHER or _is_compound(token) else []


def _telling(said: list[str]) -> int:
    return sum(word not in STOP_WORDS for word in said)


_LONGEST_RUN = 5
_SAID = 40
"""In the words behind these, names are not looked for."""
_GLUE = frozenset(['a', 'an', 'the', 'my', 'our', 'your', 'all', 'any', 'some', 'of'])

_LONGEST = 200
"""No tool has a longer name."""


def _is_compound(name: str) -> bool:
    return len(split_name(name)) > 1


def _may_do_the_same(one: str, other: str) -> bool:
    """Whether no verb says otherwise: `set_alarm` is no slip of `get_alarm`."""
    done, does = (frozenset[Action]().union(*map(actions_of, words(name))) for name in (one, other))
    return not done or not does or not done.isdisjoint(does)


def _slips(one: str, other: str) -> int:
    """How many letters are too many, missing or others; words before or behind all those of the other count as one."""
    letters, others = folded(one), folded(other)
    parts = words(other)
    if any(letters in (folded(''.join(parts[:cut])), folded(''.join(parts[cut:]))) for cut in range(1, len(parts))):
        return 1
    changes = SequenceMatcher(None, letters, others, autojunk=False).get_opcodes()
    return sum(max(end - start, to - at) for kind, start, end, at, to in changes if kind != 'equal')
