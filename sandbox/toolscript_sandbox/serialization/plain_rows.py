"""Rows of plain values: copied and measured many at a time, where a walk from value to value would take much longer.

It knows only what is as plain on both sides of the border: text, numbers, booleans, None, and lists, tuples and dicts
of them. Whatever else there is among them, it gives up, and nothing has happened: the walk goes through these values
one by one. What is looked at is a copy already, which nobody else can change meanwhile, and no method of a value that
is not plain is ever called.
"""

from __future__ import annotations

import math
from itertools import chain, islice
from typing import Any

from .sizes import ENTRY_BYTES, ITEM_BYTES, Table, integers_size, of_kind, texts_size

MOST_VALUES = 50_000
"""Looked at together: other threads wait for parts of that."""


class NotPlain(Exception):
    """There is something else among the values, or there are too many of them."""


class TooMuch(NotPlain):
    """They are longer than was allowed, if no container among them contains itself."""


class Plain:
    """Values that are being copied, and what is known of them so far."""

    def __init__(self, most: int) -> None:
        self.looked: int = 0
        """How many values were looked at."""
        self.written: int = 0
        """Bytes of them as JSON, as the walk counts them."""
        self.held: int = 0
        """Bytes of a script's memory for the places in their containers."""
        self._most = most

    def copy(self, values: list[Any], levels: int) -> bool:
        """Put copies of the containers among the values in their place; whether there were any.

        Args:
            values: Changed in place.
            levels: How deep they may be nested.

        Raises:
            NotPlain: The values may have been changed by then.
        """
        types = list(map(type, values))
        kinds = set[type[Any]](types)
        inner = kinds & _CONTAINERS
        if not _KINDS.issuperset(kinds) or (inner and not levels):
            raise NotPlain
        self._look(len(values), 2 * len(values))
        for kind in kinds:
            if kind in inner:
                places = [place for place, each in enumerate(types) if each is kind]
                copies = self._containers([values[place] for place in places], kind, levels - 1)
                for place, copy in zip(places, copies, strict=True):
                    values[place] = copy
            else:
                self._measure(values if len(kinds) == 1 else of_kind(values, kind), kind)
        return bool(inner)

    def _look(self, count: int, least: int) -> None:
        """Take note of values before they are looked at, and of the bytes that they have at least."""
        self.looked += count
        if self.written + least > self._most:
            raise TooMuch
        if self.looked > MOST_VALUES:
            raise NotPlain

    def _containers(self, values: list[Any], kind: type[Any], levels: int) -> list[Any]:
        count = sum(map(len, values))
        self._look(len(values), 3 * len(values) + 2 * count)
        if self.looked + count > MOST_VALUES:
            raise NotPlain
        return self._dicts(values, levels) if kind is dict else self._lists(values, levels)

    def _measure(self, values: list[Any], kind: type[Any]) -> None:
        if kind is str:
            _see_that_it_is_unicode(values)
            self.written += texts_size(values)
        elif kind is int:
            try:
                self.written += integers_size(values)
            except IndexError:
                raise NotPlain from None
        elif kind is float:
            if not all(map(math.isfinite, values)):
                raise NotPlain
            self.written += 8 * len(values)
        else:
            self.written += 4 * len(values)

    def _lists(self, values: list[Any], levels: int) -> list[Any]:
        copies = list(map(list[Any], values))
        lengths = list(map(len, copies))
        self.written += 3 * len(copies) + 2 * sum(lengths)
        self.held += ITEM_BYTES * sum(lengths)
        items = list(chain.from_iterable(copies))
        if not self.copy(items, levels):
            return copies
        left = iter(items)
        return [list(islice(left, length)) for length in lengths]

    def _dicts(self, values: list[Any], levels: int) -> list[Any]:
        copies = list(map(dict[Any, Any], values))
        count = sum(map(len, copies))
        self.written += 3 * len(copies) + 4 * count
        self.held += ENTRY_BYTES * count
        table = Table.of(copies)
        if table is not None:
            # Most columns are of one kind.
            self._keys(table.keys, len(copies))
            for place, key in enumerate(table.keys):
                column = table.column(place)
                if self.copy(column, levels):
                    for row, item in zip(copies, column, strict=True):
                        row[key] = item
            return copies
        self._keys(list(chain.from_iterable(copies)), 1)
        items = list(chain.from_iterable(map(dict[Any, Any].values, copies)))
        if self.copy(items, levels):
            left = iter(items)
            for row in copies:
                for key in row:
                    row[key] = next(left)
        return copies

    def _keys(self, keys: list[Any], times: int) -> None:
        if not _KEYS.issuperset(map(type, keys)):
            raise NotPlain
        _see_that_it_is_unicode(keys)
        self.written += times * sum(map(len, keys))


def _see_that_it_is_unicode(texts: list[str]) -> None:
    """Text that is none has to be put right. Raises `NotPlain`."""
    try:
        if not all(map(str.isascii, texts)):
            ''.join(texts).encode()
    except UnicodeEncodeError:
        raise NotPlain from None


_CONTAINERS = frozenset[type[Any]]([list, tuple, dict])
_KEYS = frozenset[type[Any]]([str])
_KINDS = _CONTAINERS | {str, int, float, bool, type(None)}
