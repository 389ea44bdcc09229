"""Who may call a tool: the model directly, its code, or both."""

from typing import Any, Literal, TypeGuard, get_args

from pydantic_ai import UserError
from pydantic_ai.tools import ToolDefinition

AllowedCallers = Literal['direct', 'code', 'both']
"""`'direct'`: an ordinary tool call. `'code'`: a function inside `run_code`. `'both'`: one tool, called in both ways.

The name follows Anthropic's and OpenAI's `allowed_callers`.
"""

_KEY = 'allowed_callers'
DEFER_KEY = 'defer_loading'
"""Where the metadata of a tool says when it is loaded."""


def allowed_callers(value: AllowedCallers, /) -> dict[str, Any]:
    """The tool metadata that says who may call a tool.

    For registrations that take metadata: `@agent.tool(metadata=allowed_callers('code'))`. On a whole toolset:
    `toolset.with_metadata(allowed_callers='code')`.

    Raises:
        UserError: The value is none of the three.
    """
    return {_KEY: checked_callers(value)}


def with_callers(metadata: dict[str, Any] | None, value: AllowedCallers | None) -> dict[str, Any] | None:
    """The metadata with who may call the tool added, where that is said.

    Raises:
        UserError: The value is none of the three.
    """
    return metadata if value is None else {**(metadata or {}), **allowed_callers(value)}


def with_deferral(metadata: dict[str, Any] | None, defer_loading: bool | None) -> dict[str, Any] | None:
    """The metadata of a tool that says `defer_loading=False`, which upstream's definition cannot tell from silence."""
    return {**(metadata or {}), DEFER_KEY: False} if defer_loading is False else metadata


def callers_of(tool_def: ToolDefinition) -> AllowedCallers | None:
    """Who may call the tool, or `None` where the tool says nothing.

    Raises:
        UserError: The tool's metadata names a caller that does not exist.
    """
    value = tool_def.metadata.get(_KEY) if tool_def.metadata else None
    return None if value is None else checked_callers(value, tool_def.name)


def checked_callers(value: object, tool_name: str | None = None) -> AllowedCallers:
    """The value itself, if it is one of the three.

    Raises:
        UserError: It is not; the message names the tool and the three.
    """
    if _is_allowed(value):
        return value
    where = f' of tool {tool_name!r}' if tool_name else ''
    raise UserError(f"allowed_callers{where} is {value!r}; use 'direct', 'code' or 'both'.")


def _is_allowed(value: object) -> TypeGuard[AllowedCallers]:
    return isinstance(value, str) and value in get_args(AllowedCallers)
