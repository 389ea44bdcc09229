"""Words that no tool says, as they were meant: slips of the keyboard, and words run together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_lowercase
from sys import maxsize

from toolscript.search.inverted_index.beginnings import BEGINNING
from toolscript.search.inverted_index.occurrences import Occurrences
from toolscript.search.vocabulary.abbreviations import written_out
from toolscript.search.vocabulary.spellings import spelled
from toolscript.search.vocabulary.stems import stem
from toolscript.search.vocabulary.stopwords import STOP_WORDS
from toolscript.search.vocabulary.synonyms import related
from toolscript.search.vocabulary.terms import word_terms

_ONE_SLIP, _TWO_SLIPS = 5, 9
"""From so many letters on, a word is still itself with one letter wrong, or with two; else with two swapped."""
_LONGEST_WORD = 24
_SHORTEST_PART = 3
_LONG, _FINER = 12, 8
"""Of so many letters, a word is split into more parts where so many times more tools say them."""
_SMALL_PARTS = frozenset({'by', 'to', 'of', 'in', 'on', 'id', 'pr', 'my'})
"""Shorter words that names are made of too: `getuserbyemail`."""
_MOST_KNOWN = 1 << 14
_MOST = 3
"""How many words of a request are mended."""
_LONGEST = 250
"""In a request of more characters, the other words say enough."""
_WRITTEN = re.compile(r'(?<![\w@./:\'"=-])(?:[a-z]{4,24}|(?<!\w )[A-Z][a-z]{3,23}|[A-Z]{4,24})(?![\w@/:=-]|\.\w)')
"""A word that may hold a slip: none of an address or a value, nor a name, which has a capital behind another word."""


class Mender:
    """Knows the words of a catalog, and what others may have been meant for."""

    def __init__(self, occurrences: Occurrences) -> None:
        self._vocabulary = occurrences.vocabulary
        self._holders = occurrences.holders
        self._beginnings = occurrences.beginnings
        self._known: dict[str, bool] = {}

    def knows(self, word: str) -> bool:
        """Whether `word` needs no mending: a tool says it or a part of it, or it is a plain English one."""
        if (known := self._known.get(word)) is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = word.casefold() in STOP_WORDS or any(map(self._is_familiar, word_terms(word)))
            self._known[word] = known
        return known

    def is_slip(self, word: str) -> bool:
        """Whether one slip makes `word` of one that a tool says."""
        folded = spelled(word.casefold())
        return (
            _ONE_SLIP <= len(folded) <= _LONGEST_WORD
            and folded.isascii()
            and bool(self._commonest(self._one_slip_from(stem(folded))))
        )

    def mended(self, request: str) -> str:
        """`request` with the words that were meant in the place of the first few that are unknown."""
        if len(request) > _LONGEST:
            return request
        unknown = [word for word in dict.fromkeys(_WRITTEN.findall(request)) if not self.knows(word)][:_MOST]
        meant = {word: self._meant(spelled(word.casefold())) or word for word in unknown}
        return _WRITTEN.sub(lambda word: meant.get(word[0], word[0]), request) if meant else request

    def _is_familiar(self, term: str) -> bool:
        return term in self._vocabulary or term in written_out() or bool(related(term))

    def _meant(self, word: str) -> str | None:
        if len(word) < _ONE_SLIP:
            return self._commonest(_swapped(word))
        stemmed = stem(word)
        near = self._commonest(self._one_slip_from(stemmed))
        if near or (near := self._parts(word, (2,))) or len(word) < _TWO_SLIPS:
            return near
        return self._with_two_slips(stemmed) or self._parts(word, (3, 4))

    def _one_slip_from(self, word: str) -> list[str]:
        """The terms that one letter too many, too few or wrong, or two in each other's place, make of `word`."""
        terms = self._vocabulary
        found = [term for term in _swapped(word) if term in terms]
        for place in range(len(word) + 1):
            before, after = word[:place], word[place:]
            # Where no term begins as the word does, the slip is not behind that.
            if place == BEGINNING and not self._beginnings.has(before):
                break
            found += [term for letter in ascii_lowercase if (term := before + letter + after) in terms]
            if after:
                rest = after[1:]
                found += [term for letter in ascii_lowercase if (term := before + letter + rest) in terms]
                found += [before + rest] if before + rest in terms else []
        return found

    def _with_two_slips(self, word: str) -> str | None:
        letters = frozenset(word)
        candidates = self._beginnings.near(word, range(max(len(word), _TWO_SLIPS - 1) - 2, len(word) + 3))
        return self._commonest(
            term
            for term in candidates
            if len(letters.difference(term)) <= 2 and len(set(term) - letters) <= 2 and _is_near(term, word, 2)
        )

    def _commonest(self, candidates: Iterable[str]) -> str | None:
        known = [term for term in candidates if term in self._vocabulary and _may_be_meant(term)]
        return _whole(max(known, key=lambda term: (self._count(term), term))) if known else None

    def _parts(self, word: str, parts: Iterable[int]) -> str | None:
        """`listrepos` as `list repos`, where tools say each: in as few parts as there may be.

        `getuserbyemail` holds `getuser`, which a few tools say; where many more say each of its parts, these are meant.
        """
        known, said = 0, None
        for many in parts:
            held, split = max(self._split(word, many), default=(0, None))
            if held > known * _FINER:
                known, said = held, split
            if said and len(word) < _LONG:
                break
        return said

    def _split(self, word: str, parts: int) -> Iterator[tuple[int, str]]:
        """Each way to read `word` as so many words, after how many tools say the rarest of these."""
        if parts == 1:
            if held := self._count_of_part(word):
                yield held, word
            return
        for cut in range(2, len(word) - 1):
            if held := self._count_of_part(word[:cut]):
                yield from (
                    (min(held, least), f'{word[:cut]} {rest}') for least, rest in self._split(word[cut:], parts - 1)
                )

    def _count_of_part(self, word: str) -> int:
        if word in _SMALL_PARTS:
            return maxsize
        return self._count(stem(word)) if len(word) >= _SHORTEST_PART else 0

    def _count(self, term: str) -> int:
        if (number := self._vocabulary.get(term)) is not None:
            return int(self._holders[number])
        return max(
            (self._count(other) for other in written_out().get(term, ()) if other in self._vocabulary), default=0
        )


def _may_be_meant(term: str) -> bool:
    return len(term) >= _ONE_SLIP - 1 and term not in STOP_WORDS


def _swapped(word: str) -> Iterator[str]:
    return (word[:place] + word[place + 1] + word[place] + word[place + 2 :] for place in range(len(word) - 1))


def _is_near(one: str, other: str, slips: int) -> bool:
    """Whether so many letters to add, to drop, to change or to swap with the next make `other` of `one`."""
    if not slips or abs(len(one) - len(other)) > slips:
        return one == other
    same = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if same is None:
        return True
    one, other = one[same:], other[same:]
    return (
        _is_near(one[1:], other[1:], slips - 1)
        or _is_near(one[1:], other, slips - 1)
        or _is_near(one, other[1:], slips - 1)
        or (one[:2] == other[1::-1] and _is_near(one[2:], other[2:], slips - 1))
    )


def _whole(term: str) -> str:
    """A word with this stem, so that taking its ending again changes nothing."""
    return next((word for word in (term, f'{term}e', f'{term[:-1]}y', f'{term}s') if stem(spelled(word)) == term), term)
