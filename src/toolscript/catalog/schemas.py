"""Schemas of tools: checked, copied, and in the form in which results arrive."""

import logging
import sys
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, cast

from pydantic_ai import UserError
from pydantic_ai.tools import ToolDefinition

from toolscript.guards import fields, is_array, is_object, items

MCP_METADATA = {'meta', 'annotations', 'task'}
_MAX_PARTS = 1_000_000
"""Objects and lists of one schema, each counted as often as it would be serialized."""
_MAX_OBJECTS = 10_000
_MAX_VALUES = 20_000
"""The most values of one object or list."""
_MAX_CHARS = 1_000_000
TOO_LARGE = -1


class _SchemaSizes:
    """Schemas by identity, and their sizes. It refers to them, so that no other object gets the same identity."""

    def __init__(self) -> None:
        self.schemas = dict[int, Mapping[str, Any]]()
        self.sizes = dict[int, int]()
        self._room = _MIN_ROOM

    def add(self, schema: Mapping[str, Any], size: int) -> None:
        """Add one. Those that nothing else refers to are removed whenever there are twice as many as remained."""
        if len(self.schemas) >= self._room:
            held = self.schemas.copy()
            # The two dicts, and the argument itself.
            self.schemas = {number: held[number] for number in held if sys.getrefcount(held[number]) > _OWN_HOLDERS}
            self.sizes = {number: self.sizes[number] for number in self.schemas}
            self._room = max(_MIN_ROOM, 2 * len(self.schemas))
        self.schemas[id(schema)], self.sizes[id(schema)] = schema, size


_MIN_ROOM = 1_000
_OWN_HOLDERS = 3
_schema_sizes = _SchemaSizes()


def size_of(tool_def: ToolDefinition) -> int:
    """Return how many characters and values the readable schemas of a tool have.

    Raises:
        UserError: A schema contains itself, or repeats a part so often that it is too large to be serialized.
    """
    return sum(
        max(_size(schema, tool_def.name), 0)
        for schema in (tool_def.parameters_json_schema, tool_def.return_schema)
        if schema is not None
    )


def sizes_of(tool_defs: Sequence[ToolDefinition]) -> int:
    """Return the sum of `size_of` of all tools; fast if they were measured before."""
    numbers = _numbers(tool_defs)
    if not _schema_sizes.sizes.keys() >= {*numbers}:
        return sum(map(size_of, tool_defs))
    return sum(map(_schema_sizes.sizes.__getitem__, numbers))


def all_readable(tool_defs: Sequence[ToolDefinition]) -> bool:
    """Return whether none of the measured schemas of these tools is too large."""
    return TOO_LARGE not in map(_schema_sizes.sizes.get, _numbers(tool_defs))


def _numbers(tool_defs: Sequence[ToolDefinition]) -> list[int]:
    both = [schema for one in tool_defs for schema in (one.parameters_json_schema, one.return_schema)]
    return [*map(id, [schema for schema in both if schema is not None])]


def readable(schema: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return a schema that `size_of` has measured; `None` in place of one that is too large."""
    return None if _schema_sizes.sizes.get(id(schema)) == TOO_LARGE else schema


def _size(schema: Mapping[str, Any], tool_name: str) -> int:
    size = _schema_sizes.sizes.get(id(schema))
    if size is None:
        size = _size_if_small(schema) or _measured(schema)
        if size is None:
            raise UserError(
                f'A schema of tool {tool_name!r} contains itself as a Python object, or repeats its parts too often to '
                "be written as JSON. Use '$defs' and '$ref' for recursive types."
            )
        if size == TOO_LARGE:
            text = (
                'A schema of tool %.200r is too large to be read: scripts may pass anything, and the tool validates it.'
            )
            _logger.warning(text, tool_name)
        _schema_sizes.add(schema, size)
    return size


_logger = logging.getLogger('toolscript')


def _size_if_small(schema: Mapping[str, Any]) -> int | None:
    """Return what `_measured` returns for an ordinary schema, without recording its parts; `None` for any other."""
    # Types are compared, because `isinstance` is slow in workflows of Temporal.
    if type(schema) is not dict:
        return None
    size, parts = 0, list[Any]([schema])
    for part in parts:
        if len(parts) + len(part) > _SMALL:
            return None
        values: list[Any] = [*part, *part.values()] if type(part) is dict else part
        for value in values:
            kind = cast('type[Any]', type(value))
            if kind is dict or kind is list:
                parts.append(value)
            elif kind not in _PLAIN:
                return None
            size += len(value) if kind is str else 1
    return size if size <= _MAX_CHARS else None


_SMALL = 500
"""The most objects and lists of an ordinary schema, and values of each."""
_PLAIN = frozenset({str, int, float, bool, type(None)})


def _measured(schema: object) -> int | None:
    """Return the number of characters and values, or `TOO_LARGE`; `None` if the schema is endless."""
    if not is_object(schema) and not is_array(schema):
        return 1
    counts, sizes = dict[int, int](), dict[int, int]()
    # Each part is visited twice: on the way down, and when everything in it is counted.
    waiting: list[tuple[Any, bool]] = [(schema, False)]
    while waiting:
        part, is_done = waiting.pop()
        if is_done:
            inside = _inside(part)
            counts[id(part)] = 1 + sum(counts[id(inner)] for inner in inside)
            sizes[id(part)] = _own_size(part) + sum(sizes[id(inner)] for inner in inside)
            if counts[id(part)] > _MAX_PARTS:
                return None
        elif counts.get(id(part)) == _OPEN:
            return None
        elif id(part) not in counts:
            if len(part) > _MAX_VALUES or len(counts) + len(inside := _inside(part)) > _MAX_OBJECTS:
                return TOO_LARGE
            counts[id(part)] = _OPEN
            waiting += [(part, True), *((inner, False) for inner in inside)]
    return sizes[id(schema)] if sizes[id(schema)] <= _MAX_CHARS else TOO_LARGE


_OPEN = 0


def _own_size(part: Any) -> int:
    values = [*part, *part.values()] if is_object(part) else items(part)
    return sum(len(value) if isinstance(value, str) else 1 for value in values)


def _inside(part: Any) -> list[Any]:
    values = part.values() if is_object(part) else items(part)
    return [value for value in values if is_object(value) or is_array(value)]


_DEEPEST = 200
"""How many objects and lists of a schema may be nested: a hundred levels of what it describes."""
_BY_NAME = ('properties', '$defs', 'definitions')


def copied_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy, because `prepare` functions change schemas in place.

    Parts that are nested too deeply are left out: they accept any value, and the tool validates it.
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
    for _ in range(_DEEPEST - 1):
        # A part in several places, or in itself, is visited once per level.
        level = list({id(inner): inner for outer in level for inner in _inside(outer)}.values())
        if not level:
            return False
    return True


def delivered_schema(tool_def: ToolDefinition) -> Mapping[str, Any] | None:
    """Return the schema of the value that a call returns, or `None` if nothing is promised.

    An MCP server wraps a value that is not an object as `{'result': ...}`; pydantic-ai's `MCPToolset` unwraps any
    object with this one key, no matter who wrapped it, so the schema must be unwrapped too.
    """
    schema = fields(readable(tool_def.return_schema))
    if not schema:
        return None
    if tool_def.metadata is None or not tool_def.metadata.keys() >= MCP_METADATA:
        return schema
    properties = fields(schema.get('properties'))
    if list(properties) != ['result']:
        return schema
    definitions = {key: schema[key] for key in ('$defs', 'definitions') if key in schema}
    return {**definitions, **fields(properties['result'])} or None
