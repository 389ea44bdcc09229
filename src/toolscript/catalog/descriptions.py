"""What the function of a tool says of itself, as its author wrote it.

pydantic-ai makes a tool's description from the function's docstring. Where that says what comes back, the description
is XML (`<summary>`, `<returns>`, `<type>`), and what the function raises is lost. Code is called by its signature, so
here the docstring is read anew where there is a function. What was read travels on in the definition's metadata, with
the description that it stands for: where somebody has given the tool another one, that one counts. Where there is only
a definition, of a history or another process, the markup is read back.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import ToolsetTool

from toolscript.guards import fields
from toolscript_signatures import docstring_summary

_KEY = 'toolscript_docs'
_MARKED = re.compile(
    r'(?:<summary>(?P<summary>.*)</summary>\n)?'
    r'<returns>\n(?:<type>(?P<type>[^\n]*)</type>\n)?<description>(?P<told>.*)</description>\n</returns>',
    re.DOTALL,
)


def with_docs(tools: Mapping[str, ToolsetTool[AgentDepsT]]) -> dict[str, ToolsetTool[AgentDepsT]]:
    """The tools, those of functions that say what they return or raise knowing it."""
    return {name: _documented(tool) for name, tool in tools.items()}


def description_of(tool_def: ToolDefinition) -> str | None:
    """The description, without markup."""
    docs: Mapping[str, object] = fields(tool_def.metadata.get(_KEY)) if tool_def.metadata else {}
    text, of = docs.get('text'), docs.get('of')
    if isinstance(text, str) and of == tool_def.description:
        return text
    return tool_def.description and unmarked(tool_def.description)


def unmarked(description: str) -> str:
    """A description that pydantic-ai made of a docstring, as text; any other as it is."""
    found = _MARKED.fullmatch(description.strip()) if '</returns>' in description else None
    if found is None:
        return description
    told = found['told'].strip()
    returns = f'Returns: {told}' if told and told != (found['type'] or '').strip() else ''
    return '\n\n'.join(filter(None, [(found['summary'] or '').strip(), returns]))


def _documented(tool: ToolsetTool[AgentDepsT]) -> ToolsetTool[AgentDepsT]:
    own = tool.tool_def.description
    schema = _function_schema(tool)
    if schema is None or not own or own != getattr(schema, 'description', None):
        return tool
    text = docstring_summary(getattr(schema, 'function', None))
    if text is None or text == own:
        return tool
    metadata = {**(tool.tool_def.metadata or {}), _KEY: {'of': own, 'text': text}}
    return replace(tool, tool_def=replace(tool.tool_def, metadata=metadata))


def _function_schema(tool: object) -> object | None:
    """What pydantic-ai knows of a tool's function, also where a toolset lists the tool of another as its own."""
    while tool is not None:
        schema = getattr(getattr(tool, 'call_func', None), '__self__', None)
        if schema is not None:
            return schema
        tool = getattr(tool, 'source_tool', None)
    return None
