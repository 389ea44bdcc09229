"""Which parameter of a function tool is its `*args`.

In the JSON schema it is an array like any other, and nothing of a tool's definition tells. The tool that pydantic-ai's
`FunctionToolset` lists holds the call of the function, and what belongs to it knows the parameter's name; wrappers
that rename or prefix a tool keep that, and what was learned travels on in the definition's metadata.
"""

from collections.abc import Mapping
from dataclasses import replace

from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import ToolsetTool
from pydantic_ai.toolsets.function import FunctionToolsetTool

_KEY = 'toolscript_variadic'


def with_variadic(tools: Mapping[str, ToolsetTool[AgentDepsT]]) -> dict[str, ToolsetTool[AgentDepsT]]:
    """The tools, those with `*args` saying so."""
    return {name: _told(tool) for name, tool in tools.items()}


def variadic_of(tool_def: ToolDefinition) -> str | None:
    """The array property that the tool's function takes as `*args`, if it said so."""
    name = tool_def.metadata.get(_KEY) if tool_def.metadata else None
    return name if isinstance(name, str) else None


def _told(tool: ToolsetTool[AgentDepsT]) -> ToolsetTool[AgentDepsT]:
    name = _variadic(tool)
    if name is None:
        return tool
    metadata = {**(tool.tool_def.metadata or {}), _KEY: name}
    return replace(tool, tool_def=replace(tool.tool_def, metadata=metadata))


def _variadic(tool: ToolsetTool[AgentDepsT]) -> str | None:
    if not isinstance(tool, FunctionToolsetTool):
        return None
    name: object = getattr(getattr(tool.call_func, '__self__', None), 'var_positional_field', None)
    return name if isinstance(name, str) else None
