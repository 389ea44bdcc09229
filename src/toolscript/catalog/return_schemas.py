"""What a tool's result looks like when it arrives, as far as its definition says."""

from collections.abc import Mapping
from typing import Any

from pydantic_ai.tools import ToolDefinition

from toolscript.guards import fields

MCP_METADATA = {'meta', 'annotations', 'task'}


def delivered_schema(tool_def: ToolDefinition) -> Mapping[str, Any] | None:
    """The schema of the value that a call gives, or `None` where nothing is promised.

    An MCP server wraps what is no object as `{'result': ...}`; pydantic-ai's `MCPToolset` takes that wrapping off any
    object with this one key, whoever put it on, so the schema has to lose it too.
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
