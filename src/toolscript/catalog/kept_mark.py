"""The mark of functions that stay: scripts bring their text along, and no call of one leaves the sandbox."""

from typing import Any

from pydantic_ai.tools import ToolDefinition

_KEY = 'toolscript_kept'


def kept_mark(version: int) -> dict[str, Any]:
    """The metadata of a kept function."""
    return {_KEY: version}


def is_kept(tool_def: ToolDefinition) -> bool:
    """Whether the definition is that of a kept function, and of no tool."""
    return bool(tool_def.metadata) and _KEY in tool_def.metadata
