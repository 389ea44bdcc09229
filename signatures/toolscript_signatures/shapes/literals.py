"""JSON values as Python source."""

import json
import math
from collections.abc import Mapping

from .json_values import is_array, is_object
from .visible import with_visible

_DEEPEST = 50


def literal(value: object) -> str | None:
    """Python source of a JSON value, or `None` if no literal can say it: `nan`, `inf`, what is no JSON, circles."""
    if is_object(value) or is_array(value):
        return _literal(value) if _is_tree(value) else None
    return _literal(value)


def _is_tree(value: object) -> bool:
    try:
        json.dumps(value, default=str)
    except (TypeError, ValueError, RecursionError):
        return False
    return _depth(value, 0) <= _DEEPEST


def _depth(value: object, depth: int) -> int:
    if depth > _DEEPEST:
        return depth
    inner = value.values() if is_object(value) else value if is_array(value) else ()
    return max((_depth(item, depth + 1) for item in inner), default=depth)


def _literal(value: object) -> str | None:
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return atom(value)
    if is_object(value):
        return _display(value)
    if is_array(value):
        items = [_literal(item) for item in value]
        return None if None in items else f'[{", ".join(filter(None, items))}]'
    return None


def atom(value: str | int | None) -> str:
    """Python source of a string, a whole number, a truth value or `None`."""
    try:
        return with_visible(repr(value))
    except ValueError:  # an integer with more digits than Python will print in base ten
        return hex(value) if isinstance(value, int) else repr(str(value))


def _display(value: Mapping[str, object]) -> str | None:
    pairs = [(_literal(str(key)), _literal(item)) for key, item in value.items()]
    if any(item is None for _, item in pairs):
        return None
    return '{' + ', '.join(f'{key}: {item}' for key, item in pairs) + '}'


def source_or_text(value: object) -> str:
    """Python source of a JSON value where there is one, otherwise what `repr` says of it; on one line."""
    source = literal(value)
    if source is None:
        source = repr(value) if isinstance(value, float) else '...'
    return ' '.join(source.split())
