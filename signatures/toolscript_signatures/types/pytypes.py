"""Python types as values."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple

Value = str | int | None
"""The JSON values that `typing.Literal` accepts."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A type of one word: `str`, `int`, `Any`, `None`."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some constants, as `Literal[...]`."""

    values: tuple[tuple[type, Value], ...]
    """Each with its type, because `1` and `True` are equal in Python, but not in JSON."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list."""

    item: 'PyType'


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A list of fixed length, with a type for each item. JSON has no tuples, so values are lists."""

    items: 'tuple[PyType, ...]'


@dataclass(frozen=True, slots=True)
class DictOf:
    """A dictionary with strings as keys."""

    value: 'PyType'


@dataclass(frozen=True, slots=True)
class OneOf:
    """A union of at least two types."""

    members: 'tuple[PyType, ...]'


@dataclass(frozen=True, slots=True)
class RecordRef:
    """A `TypedDict`, identified by the place in the schema that defines it."""

    at: str


PyType = Plain | Choice | ListOf | TupleOf | DictOf | OneOf | RecordRef


class Field(NamedTuple):
    """A key of a `TypedDict`."""

    key: str
    type: PyType
    required: bool
    note: str = ''
    """What the type does not express: description, ranges, formats, examples. One line."""


class Record(NamedTuple):
    """The body of a `TypedDict`."""

    hint: str
    """The name that it gets unless another type has it."""
    path: tuple[str, ...]
    """The names of the properties that lead to it."""
    fields: tuple[Field, ...]
    extra: PyType | None = None
    """The type of the values of other keys, if the schema allows such keys explicitly."""
    note: str = ''


ANY: Final = Plain('Any')
NONE: Final = Plain('None')
NEVER: Final = Plain('Never')
STR: Final = Plain('str')
INT: Final = Plain('int')
FLOAT: Final = Plain('float')
BOOL: Final = Plain('bool')


def union(members: 'list[PyType]') -> PyType:
    """The union of the types: without duplicates, with one `Literal`, `None` last; `Any` absorbs everything."""
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
    """The members with one `Choice`, in the position of the first, of the values that no plain member includes."""
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
    """The union of the type and `None`."""
    return union([type_, NONE])


def admits_none(type_: PyType) -> bool:
    """Whether the type includes `None`."""
    return type_ == ANY or NONE in _members(type_)
