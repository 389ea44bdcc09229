"""The Python names and texts of tool definitions."""

from collections.abc import Iterable, Mapping

from pydantic_ai.tools import ToolDefinition

from toolscript_signatures import Catalog, ToolSpec

from .guards import fields
from .placement import RUN_CODE, SEARCH_IN_CODE


def catalog_of(tool_defs: Iterable[ToolDefinition]) -> Catalog:
    """The tools as Python functions; the names of code mode's own functions stay free."""
    return Catalog((spec_of(tool_def) for tool_def in tool_defs), reserved={RUN_CODE, SEARCH_IN_CODE})


def spec_of(tool_def: ToolDefinition) -> ToolSpec:
    """What is known of a tool, in the terms of the signatures package."""
    hints = annotations_of(tool_def)
    return ToolSpec(
        name=tool_def.name,
        description=tool_def.description,
        parameters=tool_def.parameters_json_schema,
        returns=tool_def.return_schema,
        sequential=tool_def.sequential,
        server=server_of(tool_def),
        read_only=_flag(hints, 'readOnlyHint'),
        destructive=_flag(hints, 'destructiveHint'),
        pinned=bool((tool_def.metadata or {}).get('pinned')),
    )


def server_of(tool_def: ToolDefinition) -> str | None:
    """The server a tool came from: `metadata['server']`, else the id of its toolset."""
    server = (tool_def.metadata or {}).get('server')
    return server if isinstance(server, str) else tool_def.toolset_id


def annotations_of(tool_def: ToolDefinition) -> Mapping[str, object]:
    """The MCP annotations of a tool (`readOnlyHint` and so on), empty where there are none."""
    return fields((tool_def.metadata or {}).get('annotations'))


def _flag(hints: Mapping[str, object], name: str) -> bool | None:
    value = hints.get(name)
    return value if isinstance(value, bool) else None
