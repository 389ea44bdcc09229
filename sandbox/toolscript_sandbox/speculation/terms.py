"""Values that the text of a script tells, some of them only once a call has given its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard


@dataclass(frozen=True, eq=False)
class SpeculativeResult:
    """What a call gives, or a part of that."""

    call: int
    """Its number among the calls that were foreseen; `ITEM`: each item of a result in its turn."""
    path: tuple[Key, ...] = ()


@dataclass(frozen=True, eq=False)
class Joined:
    """A text that is put together from texts and whole numbers."""

    parts: tuple[Term, ...]


ITEM = -1
Term: TypeAlias = 'str | int | float | bool | list[Term] | dict[str, Term] | SpeculativeResult | Joined | None'
"""Lists and dicts are those that are written out; the same object represents the same list of the script."""
Key: TypeAlias = str | int | slice


class Unknown(Exception):
    """The text does not tell the value, or a result has no such part, or one that is no argument to be foreseen."""


def value_of(term: Term, results: Mapping[int, object], item: object = None) -> object:
    """The value of a term.

    Args:
        term: The term.
        results: The results of the calls, by number.
        item: The value of the item.

    Raises:
        Unknown: A result does not have the part.
    """
    match term:
        case list():
            return [value_of(inner, results, item) for inner in term]
        case dict():
            return {key: value_of(inner, results, item) for key, inner in term.items()}
        case Joined(parts):
            return ''.join(_shown(value_of(part, results, item)) for part in parts)
        case SpeculativeResult(call, path):
            value = item if call == ITEM else results[call]
            for key in path:
                value = _item(value, key)
            return value
        case _:
            return term


def part_of(term: Term, key: Key) -> Term:
    """The part of a value behind a key, an index or a range of them. Raises `Unknown`."""
    match term, key:
        case SpeculativeResult(call, path), _:
            return SpeculativeResult(call, (*path, key))
        case list(), int() if -len(term) <= key < len(term):
            return term[key]
        case list(), slice():
            return term[key]
        case dict(), str() if key in term:
            return term[key]
        case _:
            raise Unknown


def within(term: Term) -> Iterable[Term]:
    """The value, and all that it is made of."""
    yield term
    inner = term if isinstance(term, list) else term.values() if isinstance(term, dict) else ()
    for part in inner if not isinstance(term, Joined) else term.parts:
        yield from within(part)


def calls_of(term: Term) -> frozenset[int]:
    """The calls on whose results a value is."""
    return frozenset(part.call for part in within(term) if isinstance(part, SpeculativeResult) and part.call != ITEM)


def _shown(value: object) -> str:
    if isinstance(value, str | int):
        return str(value)
    raise Unknown


def _item(value: object, key: Key) -> object:
    if isinstance(key, str):
        if _is_dict(value) and key in value:
            return value[key]
    elif _is_list(value) and (isinstance(key, slice) or -len(value) <= key < len(value)):
        return value[key]
    raise Unknown


def _is_dict(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
