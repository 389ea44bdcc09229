"""Values that the text of a script tells, some of them only once a call has given its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard


@dataclass(frozen=True, eq=False)
class Known:
    """A string, a number, a boolean or None."""

    value: str | int | float | bool | None


@dataclass(frozen=True, eq=False)
class Listed:
    """A list that is written out."""

    items: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Mapped:
    """A dict that is written out."""

    entries: Mapping[str, Term]


@dataclass(frozen=True, eq=False)
class Joined:
    """A text that is put together from texts and whole numbers."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Result:
    """What a call gives, or a part of that."""

    call: int
    """Its number among the calls that were foreseen."""
    path: tuple[Key, ...] = ()


@dataclass(frozen=True, eq=False)
class Each:
    """Each item of a result in its turn, or a part of it."""

    path: tuple[Key, ...] = ()


Term: TypeAlias = Known | Listed | Mapped | Joined | Result | Each
Key: TypeAlias = str | int | slice


class Unknown(Exception):
    """The result of a call has no such part, or one that is no argument to be foreseen."""


def value_of(term: Term, results: Mapping[int, object], item: object = None) -> object:
    """The value of a term.

    Args:
        term: The term.
        results: What the calls gave, by number.
        item: What `Each` stands for.

    Raises:
        Unknown: A result does not have the part.
    """
    match term:
        case Known(value):
            return value
        case Listed(items):
            return [value_of(inner, results, item) for inner in items]
        case Mapped(entries):
            return {key: value_of(inner, results, item) for key, inner in entries.items()}
        case Joined(parts):
            return ''.join(_shown(value_of(part, results, item)) for part in parts)
        case Result(call, path):
            return _part(results[call], path)
        case Each(path):
            return _part(item, path)


def part_of(term: Term, key: Key) -> Term | None:
    """The part of a value behind a key, an index or a range of them; None where it cannot be told."""
    match term, key:
        case Result(call, path), _:
            return Result(call, (*path, key))
        case Each(path), _:
            return Each((*path, key))
        case Listed(items), int() if -len(items) <= key < len(items):
            return items[key]
        case Listed(items), slice():
            return Listed(items[key])
        case Mapped(entries), str():
            return entries.get(key)
        case _:
            return None


def calls_of(term: Term) -> frozenset[int]:
    """The calls on whose results a value stands."""
    match term:
        case Result(call):
            return frozenset([call])
        case Listed(terms) | Joined(terms):
            return frozenset[int]().union(*map(calls_of, terms))
        case Mapped(entries):
            return frozenset[int]().union(*map(calls_of, entries.values()))
        case _:
            return frozenset()


def objects_of(term: Term) -> frozenset[object]:
    """What names can share of a value, so that a change of one is a change of the other."""
    match term:
        case Known() | Joined():
            return frozenset()
        case Result(call):
            return frozenset[object]([call])
        case Each():
            return frozenset[object](['each'])
        case Listed(items):
            return frozenset[object]([term]).union(*map(objects_of, items))
        case Mapped(entries):
            return frozenset[object]([term]).union(*map(objects_of, entries.values()))


def _shown(value: object) -> str:
    if isinstance(value, str | int):
        return str(value)
    raise Unknown


def _part(value: object, path: tuple[Key, ...]) -> object:
    for key in path:
        value = _item(value, key)
    return value


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
