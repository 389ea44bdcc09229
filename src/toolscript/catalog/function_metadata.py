"""What a tool's definition lacks about its function: the docstring as written, and which parameter is `*args`.

pydantic-ai makes a tool's description from the function's docstring. If that says what the function returns, the
description is XML (`<summary>`, `<returns>`, `<type>`), and what the function raises is lost. Code calls the function
by its signature, so the docstring is read again if there is a function. The text is in the definition's metadata,
together with the description that it replaces: a description that the tool gets later takes precedence. A definition
without a function, from a history or another process, has the markup removed.

In the JSON schema `*args` is an array like any other. The tool that pydantic-ai's `FunctionToolset` lists has the
call of the function, which knows the parameter's name. Wrappers that rename or prefix a tool preserve it, and the
name is in the definition's metadata too.

If scripts have a folder for files, a mark in the metadata makes them appear in signatures as paths, not as bytes.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import ToolsetTool
from pydantic_ai.toolsets.function import FunctionToolsetTool

from toolscript.guards import fields
from toolscript.routing.placement import with_definition
from toolscript_signatures import docstring_summary

DOCS_KEY = 'toolscript_docs'
VARIADIC_KEY = 'toolscript_variadic'
_MARKED = re.compile(
    r'(?:<summary>(?P<summary>.*)</summary>\n)?'
    r'<returns>\n(?:<type>(?P<type>[^\n]*)</type>\n)?<description>(?P<described>.*)</description>\n</returns>',
    re.DOTALL,
)


def with_function_metadata(tools: Mapping[str, ToolsetTool[AgentDepsT]]) -> dict[str, ToolsetTool[AgentDepsT]]:
    """Return the tools, with the docstring and the `*args` parameter of their functions in the metadata."""
    return {
        name: tool if (schema := _schema_of(tool)) is None else _with_metadata(tool, schema)
        for name, tool in tools.items()
    }


def description_of(tool_def: ToolDefinition) -> str | None:
    """Return the description, without markup."""
    docs: Mapping[str, object] = fields(tool_def.metadata.get(DOCS_KEY)) if tool_def.metadata else {}
    text, of = docs.get('text'), docs.get('of')
    if isinstance(text, str) and of == tool_def.description:
        return text
    return tool_def.description and unmarked(tool_def.description)


_LONGEST = 100_000
"""The most characters of a docstring."""


def unmarked(description: str) -> str:
    """Return the plain text of a description that pydantic-ai made from a docstring; any other unchanged."""
    found = _MARKED.fullmatch(description.strip()) if '</returns>' in description[:_LONGEST] else None
    if found is None:
        return description
    described = found['described'].strip()
    returns = f'Returns: {described}' if described and described != (found['type'] or '').strip() else ''
    return '\n\n'.join(filter(None, [(found['summary'] or '').strip(), returns]))


def variadic_of(tool_def: ToolDefinition) -> str | None:
    """Return the array property that the tool's function takes as `*args`, if it has one."""
    name = tool_def.metadata.get(VARIADIC_KEY) if tool_def.metadata else None
    return name if isinstance(name, str) else None


def _schema_of(tool: object) -> object | None:
    """Return what pydantic-ai knows about a tool's function, even if a toolset lists another one's tool as its own."""
    while tool is not None:
        schema = getattr(getattr(tool, 'call_func', None), '__self__', None)
        if schema is not None:
            return schema
        tool = getattr(tool, 'source_tool', None)
    return None


def _with_metadata(tool: ToolsetTool[AgentDepsT], schema: object) -> ToolsetTool[AgentDepsT]:
    marks = _docs_mark(schema, tool.tool_def)
    variadic = getattr(schema, 'var_positional_field', None)
    if isinstance(tool, FunctionToolsetTool) and isinstance(variadic, str):
        marks[VARIADIC_KEY] = variadic
    return _marked(tool, marks) if marks else tool


def _marked(tool: ToolsetTool[AgentDepsT], marks: dict[str, Any]) -> ToolsetTool[AgentDepsT]:
    return with_definition(tool, metadata={**(tool.tool_def.metadata or {}), **marks})


def _docs_mark(function_schema: object, tool_def: ToolDefinition) -> dict[str, Any]:
    """Return the metadata of a tool whose function says what it returns or raises, from pydantic-ai's schema."""
    own = tool_def.description
    if not own or own != getattr(function_schema, 'description', None):
        return {}
    text = docstring_summary(getattr(function_schema, 'function', None))
    return {} if text is None or text == own else {DOCS_KEY: {'of': own, 'text': text}}


SAVED_KEY = 'toolscript_kept'


def is_saved_function(tool_def: ToolDefinition) -> bool:
    """Return whether the definition is that of a saved function, not of a tool."""
    return bool(tool_def.metadata) and SAVED_KEY in tool_def.metadata


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
    """Return the tools, with a mark on those that take or return files."""
    return {
        name: _marked(tool, {FILES_KEY: True}) if _has_files(tool.tool_def) else tool for name, tool in tools.items()
    }


def takes_files(tool_def: ToolDefinition) -> bool:
    """Return whether the tool takes or returns files, and scripts have paths for them."""
    return bool(tool_def.metadata and tool_def.metadata.get(FILES_KEY))


def by_path(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema, with a path in place of each file."""
    if schema.get('title') == _TYPE:
        return _FILE
    definitions = fields(schema.get('$defs'))
    if _TYPE not in definitions:
        return schema
    name = _TYPE if 'File' in definitions else 'File'
    changed = {**schema, '$defs': {**{key: one for key, one in definitions.items() if key != _TYPE}, name: _FILE}}
    return json.loads(json.dumps(changed).replace(f'"#/$defs/{_TYPE}"', f'"#/$defs/{name}"'))


def _has_files(tool_def: ToolDefinition) -> bool:
    schemas = (fields(tool_def.parameters_json_schema), fields(tool_def.return_schema))
    return any(schema.get('title') == _TYPE or _TYPE in fields(schema.get('$defs')) for schema in schemas)
