"""Typo correction: words of a request that no tool contains, replaced by words that tools contain."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from sys import maxsize

from rapidfuzz import process
from rapidfuzz.distance import OSA

from .inverted_index import InvertedIndex
from .terms import STOP_WORDS, stem, word_terms
from .vocabulary import related

_ONE_TYPO, _TWO_TYPOS = 5, 9
"""The length from which a word may have one typo (a letter missing, added, wrong, or two swapped), or two of them.
In a shorter word two letters may be swapped."""
_SAME_START = 2
"""How many letters at the start of a word with two typos must be right."""
_MAX_WORD = 24
_MIN_PART = 3
_SMALL_PARTS = frozenset({'by', 'to', 'of', 'in', 'on', 'id', 'pr', 'my'})
"""Shorter words that are also parts of names: `getuserbyemail`."""
_LONG, _FINER = 12, 8
"""A word of this many letters is split into more parts if this many times more tools contain them."""
_MAX_KNOWN = 1 << 14
_MAX_CORRECTED = 3
"""The most words of a request that are corrected."""
_MAX_REQUEST = 250
"""Longer requests, in characters, have enough other words."""
_WORD = re.compile(r'(?<![\w@./:\'"=-])(?:[a-z]{4,24}|(?<!\w )[A-Z][a-z]{3,23}|[A-Z]{4,24})(?![\w@/:=-]|\.\w)')
"""A word that may have a typo: not part of an address or a value, and not a name (a capital after another word)."""


class SpellChecker:
    """Corrects words to those of a catalog."""

    def __init__(self, index: InvertedIndex) -> None:
        self._vocabulary = index.vocabulary
        self._holders = index.holders
        self._known: dict[str, bool] = {}

    def knows(self, word: str) -> bool:
        """Return whether `word` is right: a tool contains it or a part of it, or it is a common English word."""
        if (known := self._known.get(word)) is None:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            familiar = (term in self._vocabulary or related(term) for term in word_terms(word))
            known = self._known[word] = word.casefold() in STOP_WORDS or any(familiar)
        return known

    def is_typo(self, word: str) -> bool:
        """Return whether `word` has one typo in a word that a tool contains."""
        folded = word.casefold()
        return _ONE_TYPO <= len(folded) <= _MAX_WORD and folded.isascii() and bool(self._near(stem(folded), 1))

    def corrected(self, request: str) -> str:
        """Return `request` with the first few unknown words replaced by similar known ones."""
        if len(request) > _MAX_REQUEST:
            return request
        unknown = [word for word in dict.fromkeys(_WORD.findall(request)) if not self.knows(word)][:_MAX_CORRECTED]
        found = {word: self._correction(word.casefold()) or word for word in unknown}
        return _WORD.sub(lambda word: found.get(word[0], word[0]), request) if found else request

    def _correction(self, word: str) -> str | None:
        if len(word) < _ONE_TYPO:
            return self._near(word, 1, lambda term: sorted(term) == sorted(word))
        stemmed = stem(word)
        found = self._near(stemmed, 1) or self._split_into(word, (2,))
        if found or len(word) < _TWO_TYPOS:
            return found
        same_start = self._near(stemmed, 2, lambda term: term[:_SAME_START] == word[:_SAME_START])
        return same_start or self._split_into(word, (3, 4))

    def _near(self, word: str, typos: int, accept: Callable[[str], bool] = bool) -> str | None:
        """Return the most common acceptable word that differs by at most this many typos."""
        begin = bisect_left(self._candidates, len(word) - typos, key=len)
        end = bisect_right(self._candidates, len(word) + typos, key=len)
        near = process.extract(word, self._candidates[begin:end], scorer=OSA.distance, score_cutoff=typos, limit=None)
        accepted = (term for term, *_ in near if accept(term))
        best = max(accepted, key=lambda term: (self._count(term), term), default=None)
        return best and _word_of(best)

    @cached_property
    def _candidates(self) -> list[str]:
        """The words that a typo may mean, by length."""
        plain = (term for term in self._vocabulary if term.isascii() and term.isalpha() and term not in STOP_WORDS)
        return sorted((term for term in plain if len(term) >= _ONE_TYPO - 1), key=len)

    def _split_into(self, word: str, counts: Iterable[int]) -> str | None:
        """Return `listrepos` as `list repos`, if tools contain each part: in as few parts as possible.

        `getuserbyemail` contains `getuser`, which a few tools contain; if many more contain each part of that, it is
        split too.
        """
        best, split = 0, None
        for count in counts:
            held, parts = max(self._splits(word, count), default=(0, None))
            if held > best * _FINER:
                best, split = held, parts
            if split and len(word) < _LONG:
                break
        return split

    def _splits(self, word: str, count: int) -> Iterator[tuple[int, str]]:
        """Yield each split of `word` into `count` known words, with the number of tools that contain the rarest."""
        if count == 1:
            if held := self._count_of_part(word):
                yield held, word
            return
        for cut in range(2, len(word) - 1):
            if held := self._count_of_part(word[:cut]):
                yield from (
                    (min(held, least), f'{word[:cut]} {rest}') for least, rest in self._splits(word[cut:], count - 1)
                )

    def _count_of_part(self, word: str) -> int:
        if word in _SMALL_PARTS:
            return maxsize
        return self._count(stem(word)) if len(word) >= _MIN_PART else 0

    def _count(self, term: str) -> int:
        number = self._vocabulary.get(term)
        return 0 if number is None else self._holders[number]


def _word_of(term: str) -> str:
    """Return a word with this stem, so that stemming it again changes nothing."""
    return next((word for word in (term, f'{term}e', f'{term[:-1]}y', f'{term}s') if stem(word) == term), term)
