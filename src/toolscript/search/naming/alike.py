"""How alike names are spelled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_SHARED_WORD = 0.5
"""What a shared word counts beside the same spelling."""
_BITS = 512


@dataclass(frozen=True)
class Spellings:
    """Names as sets of neighbouring letters; each pair is one bit, so that comparing costs next to nothing."""

    letters: list[str]
    pairs: NDArray[np.uint64]
    """One row of bits for each name."""

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many pairs each name has."""
        return np.bitwise_count(self.pairs).sum(axis=1, dtype=np.int64)

    def likeness(self, other: Spellings) -> NDArray[np.float64]:
        """For each name, the share of pairs it has in common with the one of `other`: 1 when spelled alike."""
        shared = np.bitwise_count(self.pairs & other.pairs).sum(axis=1, dtype=np.int64)
        return 2 * shared / np.maximum(self.counts + other.counts, 1)

    def nearest(self, likeness: NDArray[np.float64], words: Iterable[str], most: int) -> list[int]:
        """The places of up to `most` names, those first that are most alike or hold one of the words."""
        shares = np.zeros(len(self.letters), dtype=np.bool_)
        for word in words:
            shares |= [word in letters for letters in self.letters]
        return np.argsort(-(likeness + shares * _SHARED_WORD), kind='stable')[:most].tolist()


@lru_cache(maxsize=256)
def spellings(names: tuple[str, ...]) -> Spellings:
    """The names, taken apart."""
    letters = [''.join(filter(str.isalnum, name.casefold())) for name in names]
    rows = b''.join(_pairs(text).to_bytes(_BITS // 8, 'little') for text in letters)
    return Spellings(letters, np.frombuffer(rows, dtype=np.uint64).reshape(len(names), _BITS // 64))


def _pairs(letters: str) -> int:
    if not letters:
        return 0
    found = 0
    for one, other in pairwise([32, *map(ord, letters), 32]):
        found |= 1 << ((one * 31 + other) % _BITS)
    return found
