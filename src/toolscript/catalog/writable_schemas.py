"""Schemas that can be written down. One that contains itself as Python objects has no end as JSON."""

from collections.abc import Mapping
from typing import Any

from pydantic_ai import UserError
from pydantic_ai.tools import ToolDefinition

from toolscript.guards import is_array, is_object

_MOST_PARTS = 1_000_000
"""Objects and lists of one schema, each counted as often as it would be written."""
_MOST_KNOWN = 200_000
_known = dict[int, Mapping[str, Any]]()
"""Schemas that were looked at, by identity; being held here, none of them gives its identity to another."""


def check_schemas(tool_def: ToolDefinition) -> None:
    """Look at the schemas of a tool, unless that was done before.

    Raises:
        UserError: One contains itself, or is shared so often within itself that nobody can write it.
    """
    for schema in (tool_def.parameters_json_schema, tool_def.return_schema):
        if schema is not None and id(schema) not in _known:
            if _is_endless(schema):
                raise UserError(
                    f'A schema of the tool {tool_def.name!r} contains itself as a Python object, or shares its parts '
                    "so often that it has no end as JSON. Write a type that holds itself with '$defs' and '$ref'."
                )
            if len(_known) >= _MOST_KNOWN:
                _known.clear()
            _known[id(schema)] = schema


def _is_endless(schema: object) -> bool:
    counts = dict[int, int]()
    # Each part is met twice: on the way down, and when all that it holds is counted.
    waiting = [(schema, False)]
    while waiting:
        part, is_done = waiting.pop()
        if is_done:
            counts[id(part)] = 1 + sum(counts[id(inner)] for inner in _inside(part))
            if counts[id(part)] > _MOST_PARTS:
                return True
        elif counts.get(id(part)) == _OPEN:
            return True
        elif id(part) not in counts:
            counts[id(part)] = _OPEN
            waiting.append((part, True))
            waiting += [(inner, False) for inner in _inside(part)]
    return False


_OPEN = 0


def _inside(part: Any) -> list[Any]:
    values = part.values() if is_object(part) else part
    return [value for value in values if is_object(value) or is_array(value)]
