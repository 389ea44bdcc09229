"""Where two lists differ in which objects they hold: in microseconds for lists that are mostly the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, count, islice
from operator import is_not


def differing(one: Sequence[object], other: Sequence[object]) -> tuple[Sequence[int], Sequence[int]]:
    """The places in `one` and in `other` that must be looked at: all others hold the same objects in the same order.

    Lists of one length are compared place by place; of others, the same beginning and the same end are left out.
    """
    if len(one) == len(other):
        places = list(compress(count(), map(is_not, one, other)))
        return places, places
    shorter = min(len(one), len(other))
    beginning = _same(one, other, shorter)
    end = _same(reversed(one), reversed(other), shorter - beginning)
    return range(beginning, len(one) - end), range(beginning, len(other) - end)


def alike(one: Sequence[object], other: Sequence[object]) -> int:
    """How many of the same objects both hold, as far as `differing` sees."""
    return len(one) - len(differing(one, other)[0])


def _same(one: Iterable[object], other: Iterable[object], most: int) -> int:
    """With how many of the same objects both begin."""
    return next(compress(count(), islice(map(is_not, one, other), most)), most)
