"""Reading values out of JSON of unknown shape, and parts out of message histories."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

PartT = TypeVar('PartT')


def fields(value: object) -> Mapping[str, object]:
    """Return the fields of an object; none if the value is not an object."""
    return value if is_object(value) else {}


def items(value: object) -> Sequence[object]:
    """Return the items of an array; none if the value is not an array."""
    return value if is_array(value) else ()


def strings(value: object) -> list[str]:
    """Return the strings of an array; none if the value is not an array."""
    return [item for item in items(value) if isinstance(item, str)]


def is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    # `isinstance` with an abstract class takes ten times as long.
    kind = type(value)
    return kind is dict or (kind not in _NO_OBJECTS and isinstance(value, Mapping))


def is_array(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, (list, tuple))


def is_text(value: object) -> TypeGuard[str]:
    """Return whether the value is a string that is not empty."""
    return isinstance(value, str) and bool(value)


def parts_of(messages: 'Iterable[ModelMessage]', kind: type[PartT]) -> Iterator[PartT]:
    """Yield the parts of a kind in messages, in order."""
    return (part for message in messages for part in message.parts if isinstance(part, kind))


_NO_OBJECTS = frozenset[type[Any]]([str, int, float, bool, type(None), list])
