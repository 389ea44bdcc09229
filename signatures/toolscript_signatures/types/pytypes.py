"""Python types as values."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple

Value = str | int | None
"""What `typing.Literal` may hold of JSON: strings, integers, booleans and `None`."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A type that is one word: `str`, `int`, `Any`, `None`."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some constants, as `Literal[...]`."""

    values: tuple[tuple[type, Value], ...]
    """Each with its type: `1` and `True` are equal in Python, but not in JSON."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list."""

    item: 'PyType'


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A list whose first items have types of their own. JSON has no tuples, so it comes and goes as a list."""

    items: 'tuple[PyType, ...]'


@dataclass(frozen=True, slots=True)
class DictOf:
    """A dictionary with any string as key."""

    value: 'PyType'


@dataclass(frozen=True, slots=True)
class OneOf:
    """A union of at least two different types."""

    members: 'tuple[PyType, ...]'


@dataclass(frozen=True, slots=True)
class RecordRef:
    """A `TypedDict`, by the place in the schema where it is defined."""

    at: str


PyType = Plain | Choice | ListOf | TupleOf | DictOf | OneOf | RecordRef


class Field(NamedTuple):
    """A key of a `TypedDict`."""

    key: str
    type: PyType
    required: bool
    note: str = ''
    """What the type cannot say: description, ranges, formats, examples. One line."""


class Record(NamedTuple):
    """The body of a `TypedDict`."""

    hint: str
    """The name it has, or should have, if no other type has it."""
    path: tuple[str, ...]
    """The property names that lead to it, for names that say where a type is."""
    fields: tuple[Field, ...]
    extra: PyType | None = None
    """The type of keys that are not named, if the schema says that such keys may come."""
    note: str = ''


ANY: Final = Plain('Any')
NONE: Final = Plain('None')
NEVER: Final = Plain('Never')
STR: Final = Plain('str')
INT: Final = Plain('int')
FLOAT: Final = Plain('float')
BOOL: Final = Plain('bool')


def union(members: 'list[PyType]') -> PyType:
    """The smallest type that holds all members: each once, literals together, `None` last, `Any` over all."""
    flat = dict.fromkeys(one for member in members for one in _members(member))
    if ANY in flat:
        return ANY
    rest = _with_one_choice(flat)
    if NONE in flat or NEVER in flat:
        rest = [member for member in rest if member not in (NONE, NEVER)] + [NONE] * (NONE in flat)
    if not rest:
        return NEVER
    return rest[0] if len(rest) == 1 else OneOf(tuple(rest))


def _members(type_: PyType) -> 'tuple[PyType, ...]':
    return type_.members if isinstance(type_, OneOf) else (type_,)


def _with_one_choice(flat: 'Collection[PyType]') -> 'list[PyType]':
    """The members with one `Choice`, of the values that no plain member holds already, where the first one stood."""
    wide = {kind for kind in (str, int, bool) if Plain(kind.__name__) in flat}
    values = dict.fromkeys(value for member in flat if isinstance(member, Choice) for value in member.values)
    left = tuple(value for value in values if value[0] not in wide)
    rest: list[PyType] = []
    for member in flat:
        if not isinstance(member, Choice):
            rest.append(member)
        elif left:
            rest.append(Choice(left))
            left = ()
    return rest


def optional(type_: PyType) -> PyType:
    """The type or `None`."""
    return union([type_, NONE])


def admits_none(type_: PyType) -> bool:
    """Whether `None` is of this type."""
    return type_ == ANY or NONE in _members(type_)
