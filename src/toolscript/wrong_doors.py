"""Calls that knock at the wrong door: each gets an answer that the model can act on at once."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator

from .code_functions import CodeFunctions
from .search_tool import SearchTool

_FOREIGN_SEARCH_TOOLS = ('search_tools', 'tool_search', 'pai_tool_search_tool')
_any_arguments = SchemaValidator(TypeAdapter(dict[str, Any]).core_schema)


class DoorTable(dict[str, ToolsetTool[Any]]):
    """A step's tools as they are listed, and behind them doors that only a call by name finds.

    What the model is shown comes from iterating; what a call reaches comes from `get`. So a tool that must not be on
    the wire can still answer the model that calls it all the same.
    """

    def __init__(self, listed: Mapping[str, ToolsetTool[Any]], doors: Mapping[str, ToolsetTool[Any]]) -> None:
        super().__init__(listed)
        self._doors = doors

    def get(self, key: str, default: Any = None, /) -> Any:
        """The listed tool, else the door of that name."""
        tool = super().get(key)
        return tool if tool is not None else self._doors.get(key, default)


def open_doors(ctx: RunContext[AgentDepsT], doors: Mapping[str, ToolsetTool[AgentDepsT]]) -> None:
    """Let calls of names that are on no list in this step reach `doors`."""
    manager = ctx.tool_manager
    if manager is not None and manager.tools is not None and doors:
        manager.tools = DoorTable(manager.tools, doors)


def wrong_doors(
    toolset: AbstractToolset[AgentDepsT],
    functions: CodeFunctions[AgentDepsT] | None,
    search: SearchTool[AgentDepsT] | None,
    *,
    max_retries: int,
) -> dict[str, ToolsetTool[AgentDepsT]]:
    """The doors of one step: tools that are only in code, not found yet, or called by another framework's name."""
    doors: dict[str, ToolsetTool[AgentDepsT]] = {}
    if search is not None:
        own = search.tool_def.name
        for name in _FOREIGN_SEARCH_TOOLS:
            doors[name] = _door(toolset, name, partial(_use_search, own), max_retries)
        for name in search.hidden:
            doors[name] = _door(toolset, name, partial(_find_first, own, name), max_retries)
    if functions is not None:
        for name in functions.code_only:
            doors[name] = _door(toolset, name, partial(_use_code, functions, name), max_retries)
    return doors


def _door(
    toolset: AbstractToolset[AgentDepsT], name: str, answer: Callable[[Mapping[str, Any]], str], max_retries: int
) -> ToolsetTool[AgentDepsT]:
    def refuse(ctx: RunContext[AgentDepsT], /, **arguments: Any) -> None:
        raise ModelRetry(answer(arguments))

    # The refusal is a validation: executing would go through toolsets that do not know this tool.
    return ToolsetTool(
        toolset=toolset,
        tool_def=ToolDefinition(name=name),
        max_retries=max_retries,
        args_validator=_any_arguments,
        args_validator_func=refuse,
    )


def _use_search(search: str, arguments: Mapping[str, Any]) -> str:
    return f'To find tools, call {search} with a query.'


def _find_first(search: str, name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name} is not loaded yet. Call {search} with query 'select:{name}', then call {name}."


def _use_code(functions: CodeFunctions[Any], name: str, arguments: Mapping[str, Any]) -> str:
    function = functions.catalog.of(name)
    names = {parameter.key: parameter.name for parameter in function.parameters}
    given = ', '.join(f'{names.get(key, key)}={value!r}' for key, value in arguments.items())
    wait = '' if function.spec.sequential else 'await '
    return (
        f'{name} is called from code. Call run_code with this code, or use it in a longer script:\n\n'
        f'{wait}{function.name}({given})'
    )
