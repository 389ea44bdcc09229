"""Reading values out of JSON of unknown shape."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard


def fields(value: object) -> Mapping[str, object]:
    """The fields of an object; none where the value is no object."""
    return value if is_object(value) else {}


def items(value: object) -> Sequence[object]:
    """The items of an array; none where the value is no array."""
    return value if is_array(value) else ()


def strings(value: object) -> list[str]:
    """The strings of an array; none where the value is no array."""
    return [item for item in items(value) if isinstance(item, str)]


def is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    """Whether the value is an object."""
    # An abstract class takes ten times as long to ask.
    kind = type(value)
    return kind is dict or (kind not in _NO_OBJECTS and isinstance(value, Mapping))


def is_array(value: object) -> TypeGuard[Sequence[object]]:
    """Whether the value is an array."""
    return isinstance(value, (list, tuple))


def is_text(value: object) -> TypeGuard[str]:
    """Whether the value is a string that is not empty."""
    return isinstance(value, str) and bool(value)


_NO_OBJECTS = frozenset[type[Any]]([str, int, float, bool, type(None), list])
