"""Notes what a value is of which nothing is known."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard


def is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    """Whether it is an object of JSON."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[Sequence[object]]:
    """Whether it is an array of JSON."""
    return isinstance(value, list | tuple)


def fields(value: object) -> Mapping[str, object]:
    """The object, or an empty one where the value is none."""
    return value if is_object(value) else {}


def items(value: object) -> Sequence[object]:
    """The array, or an empty one where the value is none."""
    return value if is_array(value) else []
