"""Finding our own tools again among those that other toolsets list."""

from collections.abc import Iterable
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


def listed_among(tools: Iterable[ToolsetTool[Any]], kind: type[OwnTool]) -> list[OwnTool]:
    """The tools of ours behind listed ones, in their order, as `listed_as` finds one."""
    found = list[OwnTool]()
    for tool in tools:
        # A step has thousands of tools, and asks several times.
        seen: object = tool
        while seen is not None and not isinstance(seen, kind):
            seen = getattr(seen, 'source_tool', None)
        if seen is not None:
            found.append(seen)
    return found
