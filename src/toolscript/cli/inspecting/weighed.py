"""What each tool takes of a request."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue
from pydantic_ai.tools import ToolDefinition

from toolscript.catalog.tool_specs import catalog_of
from toolscript.routing.effects import read_only_of
from toolscript.testing.prefixes import as_line
from toolscript_signatures import estimate_tokens


@dataclass(frozen=True)
class WeighedTool:
    """A tool, and what it takes."""

    name: str
    source: str
    signature: str
    """What code is shown of it, types and docstring included."""
    json_tokens: int
    """As a JSON tool."""
    signature_tokens: int
    """As a signature in `run_code`."""
    only_reads: bool | None
    """`None` where it does not say."""
    needs_approval: bool


def weighed(tools: Sequence[tuple[str, ToolDefinition]]) -> list[WeighedTool]:
    """Each tool with its tokens, estimated.

    Args:
        tools: Each with its source; no two of the same name.
    """
    catalog = catalog_of([tool for _, tool in tools])
    return [_weighed(source, tool, catalog.of(tool.name).render()) for source, tool in tools]


def _weighed(source: str, tool: ToolDefinition, signature: str) -> WeighedTool:
    return WeighedTool(
        name=tool.name,
        source=source,
        signature=signature,
        json_tokens=estimate_tokens(as_json_tool(tool)),
        signature_tokens=estimate_tokens(signature),
        only_reads=read_only_of(tool),
        needs_approval=tool.kind == 'unapproved',
    )


def as_json_tool(tool: ToolDefinition) -> str:
    """The tool as JSON, on one line, as providers read it."""
    schema: JsonValue = tool.parameters_json_schema
    return as_line({'name': tool.name, 'description': tool.description, 'parameters': schema})
