"""What may stand in a JSON document, and how to ask for it without trusting the author."""

from collections.abc import Mapping
from typing import Any, TypeGuard

Schema = Mapping[str, Any]
"""A JSON Schema that is an object. `true`, `false` and malformed schemas are whatever else they are."""


def is_object(value: object) -> TypeGuard[Schema]:
    """Whether a value is a JSON object."""
    kind = type(value)
    return kind is dict or (kind not in _NO_OBJECTS and isinstance(value, Mapping))  # the last is ten times slower


_NO_OBJECTS = frozenset({str, int, float, bool, list, tuple, type(None)})


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a JSON array."""
    return isinstance(value, (list, tuple))


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a JSON number; `True` and `False` are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def object_at(schema: Schema, key: str) -> Schema:
    """The object under a keyword, or an empty one."""
    value = schema.get(key)
    return value if is_object(value) else {}


def array_at(schema: Schema, key: str) -> list[Any]:
    """The array under a keyword, or an empty one."""
    value = schema.get(key)
    return list(value) if value is not None and is_array(value) else []


def text_at(schema: Schema, key: str) -> str:
    """The string under a keyword without surrounding space, or an empty one."""
    value = schema.get(key)
    return value.strip() if isinstance(value, str) else ''


def names_at(schema: Schema, key: str) -> list[str]:
    """The strings of the array under a keyword, each once, in order."""
    return list(dict.fromkeys(name for name in array_at(schema, key) if isinstance(name, str)))
