"""Schemas of tools: checked, copied, and as results arrive."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from pydantic_ai import UserError
from pydantic_ai.tools import ToolDefinition

from toolscript.guards import fields, is_array, is_object, items

MCP_METADATA = {'meta', 'annotations', 'task'}
_MOST_PARTS = 1_000_000
"""Objects and lists of one schema, each counted as often as it would be written."""


class _LookedAt:
    """Schemas by identity; being held here, none of them gives its identity to another."""

    def __init__(self) -> None:
        self.schemas = dict[int, Mapping[str, Any]]()
        self._room = _LEAST_ROOM

    def add(self, schema: Mapping[str, Any]) -> None:
        """Hold one more. Those that nobody else holds go whenever there are twice as many as were held by others."""
        if len(self.schemas) >= self._room:
            held = self.schemas.copy()
            # The two dicts, and the argument itself.
            self.schemas = {number: held[number] for number in held if sys.getrefcount(held[number]) > _OWN_HOLDERS}
            self._room = max(_LEAST_ROOM, 2 * len(self.schemas))
        self.schemas[id(schema)] = schema


_LEAST_ROOM = 1_000
_OWN_HOLDERS = 3
_looked_at = _LookedAt()


def check_schemas(tool_defs: Sequence[ToolDefinition]) -> None:
    """Look at the schemas of tools, but for those that were looked at before.

    Raises:
        UserError: One contains itself, or repeats a part so often that it is too large to be written.
    """
    schemas = [one.parameters_json_schema for one in tool_defs] + [one.return_schema for one in tool_defs]
    numbers = {*map(id, schemas)} - {id(None)}
    # To take one from the other would go through all schemas that the process knows.
    if _looked_at.schemas.keys() >= numbers:
        return
    for tool_def in tool_defs:
        for schema in (tool_def.parameters_json_schema, tool_def.return_schema):
            if schema is not None and id(schema) not in _looked_at.schemas:
                _check(schema, tool_def.name)


def _check(schema: Mapping[str, Any], tool_name: str) -> None:
    if _is_endless(schema):
        raise UserError(
            f'A schema of tool {tool_name!r} contains itself as a Python object, or repeats its parts too often to '
            "be written as JSON. Use '$defs' and '$ref' for recursive types."
        )
    _looked_at.add(schema)


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
    values = part.values() if is_object(part) else items(part)
    return [value for value in values if is_object(value) or is_array(value)]


_DEEPEST = 200
"""How many objects and lists of a schema may be nested: a hundred levels of what it describes."""
_BY_NAME = ('properties', '$defs', 'definitions')


def copied_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A copy, since `prepare` functions change schemas in place.

    Parts that are nested too deep are left out: they accept any value, and the tool validates it.
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
        # What is in several places, or in itself, is looked at once a level.
        level = list({id(inner): inner for outer in level for inner in _members(outer)}.values())
        if not level:
            return False
    return True


def _members(value: Any) -> Iterable[Any]:
    if is_object(value):
        return value.values()
    return value if is_array(value) else ()


def delivered_schema(tool_def: ToolDefinition) -> Mapping[str, Any] | None:
    """The schema of the value that a call gives, or `None` where nothing is promised.

    An MCP server wraps what is no object as `{'result': ...}`; pydantic-ai's `MCPToolset` takes that wrapping off any
    object with this one key, no matter who put it on, so the schema has to lose it too.
    """
    schema = fields(tool_def.return_schema)
    if not schema:
        return None
    if not _is_from_mcp(tool_def):
        return schema
    properties = fields(schema.get('properties'))
    if list(properties) != ['result']:
        return schema
    definitions = {key: schema[key] for key in ('$defs', 'definitions') if key in schema}
    return {**definitions, **fields(properties['result'])} or None


def _is_from_mcp(tool_def: ToolDefinition) -> bool:
    return tool_def.metadata is not None and tool_def.metadata.keys() >= MCP_METADATA
