"""What was found out lately, for whoever asks the same again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Generic, TypeVar

K = TypeVar('K', bound=Hashable)
V = TypeVar('V')

LONGEST = 8_000
"""Characters of a snippet of which anything is kept here."""


class Lately(Generic[K, V]):
    """The values of the keys that were asked for last, on whatever thread."""

    def __init__(self, most: int) -> None:
        def empty(_: K) -> list[V]:
            return []

        self._slot: Callable[[K], list[V]] = lru_cache(maxsize=most)(empty)

    def get(self, key: K) -> V | None:
        """What was put there, unless so many others were asked for since."""
        slot = self._slot(key)
        return slot[0] if slot else None

    def put(self, key: K, value: V) -> None:
        """Keep a value in the place of the one before."""
        self._slot(key)[:] = [value]
