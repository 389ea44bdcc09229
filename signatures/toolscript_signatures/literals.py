"""JSON values as Python source."""

import math
from collections.abc import Mapping

from .json_values import is_array, is_object


def literal(value: object) -> str | None:
    """Python source of a JSON value, or `None` if no literal can say it (`nan`, `inf`, what is no JSON)."""
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return _atom(value)
    if is_object(value):
        return _display(value)
    if is_array(value):
        items = [literal(item) for item in value]
        return None if None in items else f'[{", ".join(filter(None, items))}]'
    return None


def _atom(value: str | int | None) -> str:
    try:
        return repr(value)
    except ValueError:  # an integer with more digits than Python will print in base ten
        return hex(value) if isinstance(value, int) else repr(str(value))


def _display(value: Mapping[str, object]) -> str | None:
    pairs = [(literal(str(key)), literal(item)) for key, item in value.items()]
    if any(item is None for _, item in pairs):
        return None
    return '{' + ', '.join(f'{key}: {item}' for key, item in pairs) + '}'


def source_or_text(value: object) -> str:
    """Python source of a JSON value where there is one, otherwise its `repr`, on one line."""
    source = literal(value)
    return ' '.join((repr(value) if source is None else source).split())
