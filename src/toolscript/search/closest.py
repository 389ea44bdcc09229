"""The names nearest to a name that does not exist."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from heapq import nlargest

from .terms import terms

_VERB_STEMS = """
add chang creat delet edit fetch find get insert list make new post read remov search set show updat
"""
_VERBS = frozenset(_VERB_STEMS.split())
_VERB_WEIGHT = 0.25
_LEAST = 0.3
"""Below this likeness a name is no help."""


def closest_names(name: str, names: Collection[str], *, limit: int = 3) -> list[str]:
    """Up to `limit` of `names` that somebody who wrote `name` may have meant, the likeliest first.

    Typos, other spellings (`getUser` for `get_user`) and guesses that share a telling word (`create_refund` for
    `refund_payment`) are found; empty when nothing is alike.
    """
    wanted = _shape(name)
    likeness = {candidate: _likeness(wanted, _shape(candidate)) for candidate in names}
    best = nlargest(limit, likeness, key=likeness.__getitem__)
    return [candidate for candidate in best if likeness[candidate] >= _LEAST]


@lru_cache(maxsize=1 << 16)
def _shape(name: str) -> tuple[frozenset[str], frozenset[str]]:
    folded = ''.join(char for char in name.casefold() if char.isalnum())
    padded = f' {folded} '
    return frozenset(terms(name)), frozenset(padded[i : i + 2] for i in range(len(padded) - 1))


def _likeness(one: tuple[frozenset[str], frozenset[str]], other: tuple[frozenset[str], frozenset[str]]) -> float:
    shared = one[1] & other[1]
    spelling = 2 * len(shared) / (len(one[1]) + len(other[1]))
    return max(spelling, _overlap(one[0], other[0])) if spelling < 1 else 1.0


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    shared = one & other
    return 0.9 * _weight(shared) / _weight(one | other) if shared else 0.0


def _weight(found: frozenset[str]) -> float:
    return sum(_VERB_WEIGHT if term in _VERBS else 1 for term in found)
