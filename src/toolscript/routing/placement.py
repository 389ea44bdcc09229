"""Who may call a tool (the model directly, its code, or both), and where each tool is offered."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeGuard, TypeVar, get_args

from pydantic_ai import RunContext, UserError
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import ToolsetTool

from toolscript.guards import fields

AllowedCallers = Literal['direct', 'code', 'both']
"""`'direct'`: an ordinary tool call. `'code'`: a function inside `run_code`. `'both'`: one tool, called either way.

The name follows Anthropic's and OpenAI's `allowed_callers`.
"""

_KEY = 'allowed_callers'
DEFER_KEY = 'defer_loading'
"""The metadata key that says when a tool is loaded."""


def allowed_callers(value: AllowedCallers, /) -> dict[str, Any]:
    """Return the tool metadata that says who may call a tool.

    For registrations that take metadata: `@agent.tool(metadata=allowed_callers('code'))`. On a whole toolset:
    `toolset.with_metadata(allowed_callers='code')`.

    Raises:
        UserError: The value is not one of the three.
    """
    return {_KEY: checked_callers(value)}


def with_callers(metadata: dict[str, Any] | None, value: AllowedCallers | None) -> dict[str, Any] | None:
    """Return the metadata, with `value` added as who may call the tool, unless it is `None`."""
    return metadata if value is None else {**(metadata or {}), **allowed_callers(value)}


def with_deferral(metadata: dict[str, Any] | None, defer_loading: bool | None) -> dict[str, Any] | None:
    """Return the metadata, with `defer_loading=False` if it was set: pydantic-ai's definition treats it like unset."""
    return {**(metadata or {}), DEFER_KEY: False} if defer_loading is False else metadata


def callers_of(tool_def: ToolDefinition) -> AllowedCallers | None:
    """Return who may call the tool, or `None` if the tool does not say. Raises `UserError` for an unknown caller."""
    value = tool_def.metadata.get(_KEY) if tool_def.metadata else None
    return None if value is None else checked_callers(value, tool_def.name)


def checked_callers(value: object, tool_name: str | None = None) -> AllowedCallers:
    """Return the value itself, if it is one of the three. Otherwise raises `UserError`, which names the tool."""
    if _is_allowed(value):
        return value
    where = f' of tool {tool_name!r}' if tool_name else ''
    raise UserError(f"allowed_callers{where} is {value!r}; use 'direct', 'code' or 'both'.")


def _is_allowed(value: object) -> TypeGuard[AllowedCallers]:
    return isinstance(value, str) and value in get_args(AllowedCallers)


RUN_CODE = 'run_code'
SEARCH_IN_CODE = 'search_tools'
SAVE_FUNCTION = 'save_function'

_default_callers: ContextVar[AllowedCallers] = ContextVar('toolscript_default_callers', default='direct')
_CONTROL_KINDS = {'tool-search', 'capability-load'}


@dataclass(frozen=True)
class Placement(Generic[AgentDepsT]):
    """The tools of one step, sorted by caller. A tool for both callers is in both mappings."""

    direct: Mapping[str, ToolsetTool[AgentDepsT]]
    code: Mapping[str, ToolsetTool[AgentDepsT]]


def place(
    tools: Mapping[str, ToolsetTool[AgentDepsT]],
    default_callers: AllowedCallers,
    *,
    searches: frozenset[str] = frozenset(),
) -> Placement[AgentDepsT]:
    """Sort tools by who may call them; our own `searches` stay direct. Refuses a tool called `run_code`."""
    if RUN_CODE in tools:
        raise UserError(
            f'Tool name {RUN_CODE!r} is reserved for code mode; rename your tool, or use one code mode only.'
        )
    callers = {
        name: 'direct'
        if name in searches or stays_direct(tool.tool_def)
        else callers_of(tool.tool_def) or default_callers
        for name, tool in tools.items()
    }
    return Placement(
        direct={name: tool for name, tool in tools.items() if callers[name] != 'code'},
        code={name: tool for name, tool in tools.items() if callers[name] != 'direct'},
    )


def listed_tools(ctx: RunContext[AgentDepsT]) -> Mapping[str, ToolsetTool[AgentDepsT]]:
    return {} if ctx.tool_manager is None else ctx.tool_manager.tools or {}


@contextmanager
def inside_code_mode(default_callers: AllowedCallers) -> Generator[None]:
    """Within this context, code mode places the tools that are listed, unmarked ones by `default_callers`."""
    token = _default_callers.set(default_callers)
    try:
        yield
    finally:
        _default_callers.reset(token)


def may_be_called_directly(tool_def: ToolDefinition) -> bool:
    """Return whether a tool is called directly, as seen by a toolset that lists it."""
    return stays_direct(tool_def) or (callers_of(tool_def) or _default_callers.get()) != 'code'


def stays_direct(tool_def: ToolDefinition) -> bool:
    """Return whether a tool is called directly whatever its `allowed_callers` are.

    These are the framework's control tools, local stand-ins for a provider's native tool, tools that run code
    themselves, and output tools: none of them could do its work inside a script.
    """
    return (
        tool_def.tool_kind in _CONTROL_KINDS
        or tool_def.unless_native is not None
        or tool_def.kind == 'output'
        or 'code_arg_name' in (tool_def.metadata or {})
    )


OwnTool = TypeVar('OwnTool', bound=ToolsetTool[Any])


def listed_as(tool: ToolsetTool[Any], kind: type[OwnTool]) -> OwnTool | None:
    """Return our tool behind a listed one, or `None`.

    A toolset that combines others lists its own tool for each of theirs, and keeps theirs as `source_tool`.
    """
    seen: object = tool
    while seen is not None and not isinstance(seen, kind):
        seen = getattr(seen, 'source_tool', None)
    return seen


def listed_among(tools: Mapping[str, ToolsetTool[Any]], kind: type[OwnTool]) -> dict[str, OwnTool]:
    """Return our tools behind listed ones, as `listed_as` finds one, by the names under which they are listed."""
    found = dict[str, OwnTool]()
    for name, tool in tools.items():
        # Inlined, because a step has thousands of tools and needs this several times.
        seen: object = tool
        while seen is not None and not isinstance(seen, kind):
            seen = getattr(seen, 'source_tool', None)
        if seen is not None:
            found[name] = seen
    return found


def first_listed(tools: Mapping[str, ToolsetTool[Any]], kind: type[OwnTool]) -> OwnTool | None:
    return next(iter(listed_among(tools, kind).values()), None)


def with_definition(tool: ToolsetTool[AgentDepsT], **changes: Any) -> ToolsetTool[AgentDepsT]:
    """Return the tool, with these changes in its definition."""
    return replace(tool, tool_def=replace(tool.tool_def, **changes))


def renamed(tool: ToolsetTool[AgentDepsT], name: str, key: str, **metadata: Any) -> ToolsetTool[AgentDepsT]:
    """Return the tool under another name; its own name is in its metadata, under the key and the new name."""
    own = tool.tool_def
    # A toolset of the same kind, further inside, may have renamed the tool before.
    names = {**fields((own.metadata or {}).get(key)), name: own.name}
    return with_definition(tool, name=name, metadata={**(own.metadata or {}), **metadata, key: names})


def by_own_name(
    tool: ToolsetTool[AgentDepsT], ctx: RunContext[AgentDepsT], key: str
) -> tuple[ToolsetTool[AgentDepsT], RunContext[AgentDepsT]]:
    """Return the tool under the name that `renamed` noted under the key, and the context of its call."""
    own = fields((tool.tool_def.metadata or {}).get(key)).get(tool.tool_def.name, tool.tool_def.name)
    return with_definition(tool, name=own), replace(ctx, tool_name=own)
