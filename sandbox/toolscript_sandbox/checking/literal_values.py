"""Values as far as the text of a script tells them.

A type checker sees the types of expressions; what a call is given in so many words can be judged by its value. Values
of which nothing, or only the type, is known have their own classes: a list may be judged though one item is unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, eq=False)
class Unknown:
    """Anything at all."""


@dataclass(frozen=True, eq=False)
class Some:
    """Any value of a plain type."""

    kind: str
    """`str`, `int`, `float` or `bool`."""


@dataclass(frozen=True, eq=False)
class Known:
    """A string, a number, a boolean or None."""

    value: str | int | float | bool | None
    node: ast.expr


@dataclass(frozen=True, eq=False)
class Items:
    """A list, a tuple or a set."""

    items: tuple[Value, ...]
    whole: bool
    """Whether these are all, in this order."""
    node: ast.expr


@dataclass(frozen=True, eq=False)
class Entries:
    """A dict."""

    entries: Mapping[str, Value]
    """By key, as JSON spells it."""
    whole: bool
    """Whether there are no others."""
    node: ast.expr


@dataclass(frozen=True, eq=False)
class Either:
    """One of several values."""

    values: tuple[Value, ...]


Value: TypeAlias = Unknown | Some | Known | Items | Entries | Either

UNKNOWN = Unknown()


class TooMuch(Exception):
    """A value that is larger than it is worth."""


def plain(value: Value) -> object:
    """The value itself. Raises `ValueError` if it is not known in all its parts, and `TooMuch`."""
    return _plain(value, iter(range(_MOST)))


def _plain(value: Value, steps: Iterator[int]) -> object:
    if next(steps, None) is None:
        raise TooMuch
    match value:
        case Known():
            return value.value
        case Items(items=items, whole=True):
            return [_plain(item, steps) for item in items]
        case Entries(entries=entries, whole=True):
            return {key: _plain(item, steps) for key, item in entries.items()}
        case _:
            raise ValueError('not known in all its parts')


def either(values: list[Value]) -> Value:
    """One of the values; unknown if one of them is, or if they are too many to try."""
    if len(values) == 1:
        return values[0]
    flat = [one for value in values for one in (value.values if isinstance(value, Either) else [value])]
    known = flat and len(flat) <= ALTERNATIVES and not any(isinstance(value, Unknown) for value in flat)
    return Either(tuple(flat)) if known else UNKNOWN


_MOST = 100_000
ALTERNATIVES = 30
"""How many values a name may have before it is taken for unknown."""
