"""The names nearest to a name that does not exist."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nlargest
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .synonyms import related
from .terms import terms
from .words import split_name

_LEAST = 0.39
"""Below this likeness a name is no help."""
_CONSIDERED = 60
_SHARED_WORD = 0.5
"""What a shared word counts in the first, rough choice."""
_GUESS = 0.9
"""What sharing all words counts beside the same spelling."""
_MEANT = 0.5
"""What a synonym counts beside the word itself."""
_VERB_WEIGHT = 0.25

_VERB_STEMS = """
add chang creat delet edit execut fetch find get insert list load make manag new post put queri read remov retriev run
save search send set show tool updat view write
"""
_VERBS = frozenset(_VERB_STEMS.split())


def closest_names(name: str, names: Collection[str], *, limit: int = 3) -> list[str]:
    """Up to `limit` of `names` that somebody who wrote `name` may have meant, the likeliest first.

    Typos, other spellings (`getUser` for `get_user`) and guesses that share a telling word (`create_refund` for
    `refund_payment`) are found; empty when nothing is alike.
    """
    if not (everything := tuple(names)):
        return []
    known = _spellings(everything)
    spelled = known.likeness(_spellings((name,)))
    likeness = {
        everything[place]: max(float(spelled[place]), _GUESS * _overlap(terms(name), terms(everything[place])))
        for place in _considered(name, known, spelled)
    }
    best = nlargest(limit, likeness, key=lambda other: (likeness[other], other == name))
    return [other for other in best if likeness[other] >= _LEAST]


def _considered(name: str, known: _Spellings, spelled: NDArray[np.float64]) -> list[int]:
    """The places of the names that roughly resemble `name`: a close look at each of ten thousand takes too long."""
    telling = [word.casefold() for word in split_name(name) if len(word) > 2 and not _VERBS.issuperset(terms(word))]
    shares = np.zeros(len(spelled), dtype=np.bool_)
    for word in telling:
        shares |= [word in letters for letters in known.letters]
    return np.argsort(-(spelled + shares * _SHARED_WORD), kind='stable')[:_CONSIDERED].tolist()


def _overlap(one: Iterable[str], other: Iterable[str]) -> float:
    """The share of telling words that both names say, or at least mean."""
    these, those = set(one), set(other)
    meant = {term for term in these - those if not those.isdisjoint(related(term))}
    shared = _weight(these & those) + _MEANT * _weight(meant)
    return shared / (_weight(these | those) or 1)


def _weight(found: Iterable[str]) -> float:
    return sum(_VERB_WEIGHT if term in _VERBS else 1 for term in found)


@dataclass(frozen=True)
class _Spellings:
    """Names as sets of neighbouring letters; each pair is one bit, so that comparing costs next to nothing."""

    letters: list[str]
    pairs: NDArray[np.uint64]
    """One row of bits for each name."""

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many pairs each name has."""
        return np.bitwise_count(self.pairs).sum(axis=1, dtype=np.int64)

    def likeness(self, other: _Spellings) -> NDArray[np.float64]:
        """For each name, the share of pairs it has in common with the one of `other`: 1 when spelled alike."""
        shared = np.bitwise_count(self.pairs & other.pairs).sum(axis=1, dtype=np.int64)
        return 2 * shared / np.maximum(self.counts + other.counts, 1)


_BITS = 512


@lru_cache(maxsize=256)
def _spellings(names: tuple[str, ...]) -> _Spellings:
    letters = [''.join(filter(str.isalnum, name.casefold())) for name in names]
    rows = b''.join(_pairs(text).to_bytes(_BITS // 8, 'little') for text in letters)
    return _Spellings(letters, np.frombuffer(rows, dtype=np.uint64).reshape(len(names), _BITS // 64))


def _pairs(letters: str) -> int:
    if not letters:
        return 0
    found = 0
    for one, other in pairwise([32, *map(ord, letters), 32]):
        found |= 1 << ((one * 31 + other) % _BITS)
    return found
