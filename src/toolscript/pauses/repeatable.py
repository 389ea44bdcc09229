"""Which tools may run twice."""

from pydantic_ai.tools import ToolDefinition

from toolscript.catalog.tool_specs import annotations_of

_KEY = 'repeatable'


def is_repeatable(tool_def: ToolDefinition) -> bool:
    """Whether a second identical call does no harm, so that nothing need keep it from running.

    A tool says so with `metadata={'repeatable': True}`, a whole toolset with `.with_metadata(repeatable=True)`. An MCP
    server says it of tools that are `readOnlyHint` or `idempotentHint`; `repeatable=False` overrules it.
    """
    said = (tool_def.metadata or {}).get(_KEY)
    if isinstance(said, bool):
        return said
    hints = annotations_of(tool_def)
    return hints.get('readOnlyHint') is True or hints.get('idempotentHint') is True
