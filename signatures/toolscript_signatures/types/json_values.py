"""JSON values, and their source in Python."""

import math
from collections.abc import Mapping
from typing import Any, TypeGuard

from toolscript_signatures.types.visible import with_visible

Schema = Mapping[str, Any]
"""A JSON Schema that is an object, unlike `true`, `false` and malformed schemas."""


def is_object(value: object) -> TypeGuard[Schema]:
    """Whether a value is a JSON object."""
    kind = type(value)
    return kind is dict or (
        kind not in _NO_OBJECTS and isinstance(value, Mapping)
    )  # isinstance with Mapping is ten times slower


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


_DEEPEST = 50


def literal(value: object) -> str | None:
    """Python source of a JSON value; `None` if there is no literal: `nan`, `inf`, other objects, cycles."""
    try:
        return _literal(value, 0)
    except ValueError:
        return None


def _literal(value: object, depth: int) -> str:
    if depth > _DEEPEST:
        raise ValueError('too deep')
    if is_object(value):
        items = [f'{atom(str(key))}: {_literal(item, depth + 1)}' for key, item in value.items()]
        return '{' + ', '.join(items) + '}'
    if is_array(value):
        return f'[{", ".join([_literal(item, depth + 1) for item in value])}]'
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    if value is None or isinstance(value, bool | int | str):
        return atom(value)
    raise ValueError('no literal')


def atom(value: str | int | None) -> str:
    """Python source of a string, an integer, a boolean or `None`."""
    try:
        return with_visible(repr(value))
    except ValueError:  # an integer with more digits than Python prints in base ten
        return hex(value) if isinstance(value, int) else repr(str(value))


def source_or_text(value: object) -> str:
    """Python source of a JSON value on one line; `...` if there is none."""
    source = literal(value)
    if source is None:
        source = repr(value) if isinstance(value, float) else '...'
    return ' '.join(source.split())
