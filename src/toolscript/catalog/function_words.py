"""What the functions of tools say of themselves, and no definition tells."""

from collections.abc import Mapping
from dataclasses import replace

from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool
from pydantic_ai.toolsets.function import FunctionToolsetTool

from .descriptions import docs_mark
from .variadic import variadic_mark


def with_function_words(tools: Mapping[str, ToolsetTool[AgentDepsT]]) -> dict[str, ToolsetTool[AgentDepsT]]:
    """The tools, those of functions saying in their metadata which parameter is `*args`, and what a docstring tells."""
    return {name: tool if (schema := _schema_of(tool)) is None else _told(tool, schema) for name, tool in tools.items()}


def _schema_of(tool: object) -> object | None:
    """What pydantic-ai knows of a tool's function, also where a toolset lists the tool of another as its own."""
    while tool is not None:
        schema = getattr(getattr(tool, 'call_func', None), '__self__', None)
        if schema is not None:
            return schema
        tool = getattr(tool, 'source_tool', None)
    return None


def _told(tool: ToolsetTool[AgentDepsT], schema: object) -> ToolsetTool[AgentDepsT]:
    marks = docs_mark(schema, tool.tool_def)
    if isinstance(tool, FunctionToolsetTool):
        marks |= variadic_mark(schema)
    if not marks:
        return tool
    return replace(tool, tool_def=replace(tool.tool_def, metadata={**(tool.tool_def.metadata or {}), **marks}))
