"""Schemas as they are kept: copies, without what is nested so deep that reading it would end everybody's run."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from toolscript.guards import is_array, is_object

_DEEPEST = 200
"""How many objects and lists of a schema may stand in each other: a hundred levels of what it describes."""
_BY_NAME = ('properties', '$defs', 'definitions')


def kept_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A copy: `prepare` functions change schemas in place.

    What is nested too deep is left out: any value is taken there, and the tool itself says what it thinks of it.
    """
    if not _is_deep(schema):
        return deepcopy(dict(schema))
    return {
        keyword: _cut(keyword, value) for keyword, value in schema.items() if keyword in _BY_NAME or not _is_deep(value)
    }


def _cut(keyword: str, value: Any) -> Any:
    if keyword in _BY_NAME and is_object(value):
        return {name: dict[str, Any]() if _is_deep(inner) else deepcopy(inner) for name, inner in value.items()}
    return deepcopy(value)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        # What stands in several places, or in itself, is looked at once a level.
        level = list({id(inner): inner for outer in level for inner in _inside(outer)}.values())
        if not level:
            return False
    return True


def _inside(value: Any) -> Iterable[Any]:
    if is_object(value):
        return value.values()
    return value if is_array(value) else ()
