"""Who may call a tool: the model directly, its code, or both."""

from typing import Any, Literal, TypeGuard, get_args

from pydantic_ai import UserError
from pydantic_ai.tools import ToolDefinition

AllowedCallers = Literal['direct', 'code', 'both']
"""`'direct'`: an ordinary tool call. `'code'`: a function inside `run_code`. `'both'`: one tool, called either way.

The name follows Anthropic's and OpenAI's `allowed_callers`.
"""

_KEY = 'allowed_callers'
DEFER_KEY = 'defer_loading'
"""The metadata key that says when a tool is loaded."""


def allowed_callers(value: AllowedCallers, /) -> dict[str, Any]:
    """Returns the tool metadata that says who may call a tool.

    For registrations that take metadata: `@agent.tool(metadata=allowed_callers('code'))`. On a whole toolset:
    `toolset.with_metadata(allowed_callers='code')`.

    Raises:
        UserError: The value is not one of the three.
    """
    return {_KEY: checked_callers(value)}


def with_callers(metadata: dict[str, Any] | None, value: AllowedCallers | None) -> dict[str, Any] | None:
    """Returns the metadata, with `value` added as who may call the tool, unless it is `None`."""
    return metadata if value is None else {**(metadata or {}), **allowed_callers(value)}


def with_deferral(metadata: dict[str, Any] | None, defer_loading: bool | None) -> dict[str, Any] | None:
    """Returns the metadata, with `defer_loading=False` if it was set: upstream's definition treats it like unset."""
    return {**(metadata or {}), DEFER_KEY: False} if defer_loading is False else metadata


def callers_of(tool_def: ToolDefinition) -> AllowedCallers | None:
    """Returns who may call the tool, or `None` if the tool does not say.

    Raises:
        UserError: The tool's metadata names a caller that does not exist.
    """
    value = tool_def.metadata.get(_KEY) if tool_def.metadata else None
    return None if value is None else checked_callers(value, tool_def.name)


def checked_callers(value: object, tool_name: str | None = None) -> AllowedCallers:
    """Returns the value itself, if it is one of the three.

    Raises:
        UserError: It is not; the message names the tool and the three.
    """
    if _is_allowed(value):
        return value
    where = f' of tool {tool_name!r}' if tool_name else ''
    raise UserError(f"allowed_callers{where} is {value!r}; use 'direct', 'code' or 'both'.")


def _is_allowed(value: object) -> TypeGuard[AllowedCallers]:
    return isinstance(value, str) and value in get_args(AllowedCallers)
