"""Values that are known from the text of a script, or will be once a call has returned its result."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, eq=False)
class SpeculativeResult:
    """The result of a call, or a part of it."""

    call: int
    """The number of the predicted call; `ITEM` for each item of a result in turn."""
    path: 'tuple[Key, ...]' = ()


@dataclass(frozen=True, eq=False)
class Joined:
    """A text that is joined from texts and integers."""

    parts: 'tuple[Term, ...]'


ITEM = -1
Term: TypeAlias = 'str | int | float | bool | list[Term] | dict[str, Term] | SpeculativeResult | Joined | None'
"""A value. Lists and dicts are literals of the script; the same object represents the same list of the script."""
Key: TypeAlias = str | int | slice


class Unknown(Exception):
    """The value is not known from the text, or a result has no such part, or one that cannot be an argument."""


def value_of(term: Term, results: Mapping[int, object], item: object = None) -> object:
    """Return the value of a term.

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
    """Return the part of a value at a key, an index or a slice. Raises `Unknown`."""
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


def calls_of(*terms: Term) -> Iterator[int]:
    """Yield the numbers of the calls whose results the values contain."""
    for term in terms:
        match term:
            case SpeculativeResult(call, _) if call != ITEM:
                yield call
            case Joined(parts):
                yield from calls_of(*parts)
            case list():
                yield from calls_of(*term)
            case dict():
                yield from calls_of(*term.values())
            case _:
                pass


def _shown(value: object) -> str:
    if isinstance(value, str | int):
        return str(value)
    raise Unknown


def _item(value: object, key: Key) -> object:
    whole: Any = value
    if isinstance(value, dict if isinstance(key, str) else list):
        with suppress(LookupError):
            return whole[key]
    raise Unknown
