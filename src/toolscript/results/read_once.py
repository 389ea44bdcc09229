"""Iterators that tools give, which can be read only once."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

MOST_ITEMS = 200_000
"""An iterator that gives more may be one that never ends."""


class ReadOnce:
    """What iterators gave, however often the value that holds them is walked."""

    def __init__(self) -> None:
        self._read = dict[int, tuple[Iterator[Any], list[Any] | None]]()

    def items(self, iterator: Iterator[Any]) -> list[Any]:
        """All of them. Raises `ValueError` where they are too many, or where the iterator failed."""
        if id(iterator) not in self._read:
            # Kept beside what it gave, so that no other one gets its id.
            self._read[id(iterator)] = iterator, _whole(iterator)
        items = self._read[id(iterator)][1]
        if items is None:
            raise ValueError(f'An iterator failed, or gave more than {MOST_ITEMS:,} items.')
        return items


def _whole(iterator: Iterator[Any]) -> list[Any] | None:
    try:
        items = list(islice(iterator, MOST_ITEMS + 1))
    except Exception:
        return None
    return items if len(items) <= MOST_ITEMS else None
