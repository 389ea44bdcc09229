"""How files appear in signatures, if scripts have a folder for them: as paths, not as bytes."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import ToolsetTool

from toolscript.guards import fields

FILES_KEY = 'toolscript_files'
_TYPE = 'BinaryContent'
_FILE: dict[str, Any] = {
    'title': 'File',
    'description': 'A file of a folder here.',
    'type': 'object',
    'properties': {'path': {'type': 'string'}, 'media_type': {'type': 'string'}, 'file_id': {'type': 'string'}},
    'required': ['path'],
}


def with_file_types(tools: Mapping[str, ToolsetTool[AgentDepsT]]) -> dict[str, ToolsetTool[AgentDepsT]]:
    """Returns the tools, with a mark on those that take or return files."""
    return {name: _marked(tool) for name, tool in tools.items()}


def takes_files(tool_def: ToolDefinition) -> bool:
    """Returns whether the tool takes or returns files, and scripts have paths for them."""
    return bool(tool_def.metadata and tool_def.metadata.get(FILES_KEY))


def by_path(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the schema, with a path in place of each file."""
    if schema.get('title') == _TYPE:
        return _FILE
    definitions = fields(schema.get('$defs'))
    if _TYPE not in definitions:
        return schema
    name = _TYPE if 'File' in definitions else 'File'
    changed = {**schema, '$defs': {**{key: one for key, one in definitions.items() if key != _TYPE}, name: _FILE}}
    return json.loads(json.dumps(changed).replace(f'"#/$defs/{_TYPE}"', f'"#/$defs/{name}"'))


def _marked(tool: ToolsetTool[AgentDepsT]) -> ToolsetTool[AgentDepsT]:
    tool_def = tool.tool_def
    schemas = (fields(tool_def.parameters_json_schema), fields(tool_def.return_schema))
    if not any(schema.get('title') == _TYPE or _TYPE in fields(schema.get('$defs')) for schema in schemas):
        return tool
    return replace(tool, tool_def=replace(tool_def, metadata={**(tool_def.metadata or {}), FILES_KEY: True}))
