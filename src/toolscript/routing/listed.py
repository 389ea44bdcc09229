"""Finding our own tools again among those that other toolsets list."""

from typing import Any, TypeVar

from pydantic_ai.toolsets import ToolsetTool

OwnTool = TypeVar('OwnTool', bound=ToolsetTool[Any])


def listed_as(tool: ToolsetTool[Any], kind: type[OwnTool]) -> OwnTool | None:
    """The tool of ours behind a listed one, or `None`.

    A toolset that combines others lists a tool of its own for each of theirs and keeps theirs as `source_tool`.
    """
    seen: object = tool
    while seen is not None and not isinstance(seen, kind):
        seen = getattr(seen, 'source_tool', None)
    return seen
