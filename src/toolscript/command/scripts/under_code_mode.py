"""The tools of a target in code mode, as people at a terminal use them."""

from collections.abc import Callable, Collection
from dataclasses import replace
from secrets import token_hex
from typing import Any, TypeAlias

from pydantic_ai.toolsets import AbstractToolset

from toolscript.code_mode_toolset import CodeModeToolset
from toolscript.discovery.searchable_toolset import SearchableToolset
from toolscript.durability.snapshots import Snapshots
from toolscript.routing.placement import RUN_CODE
from toolscript.sessions.sessions import Sessions

MOST_CHARS = 100_000_000
"""A terminal and a pipe take whole results."""

Wrap: TypeAlias = Callable[[AbstractToolset[Any]], AbstractToolset[Any]]


def for_scripts(
    toolset: AbstractToolset[Any],
    offered: Collection[str],
    *,
    sessions: Sessions | None = None,
    wrap: Wrap | None = None,
) -> AbstractToolset[Any]:
    """The tools behind `run_code`, whose results come back whole; code mode that is there already stays as it is set.

    Args:
        toolset: The tools.
        offered: The names that it lists.
        sessions: Where variables live on for the next script.
        wrap: Is put around the tools beneath code mode.
    """
    tools = beneath(toolset, wrap) if wrap else toolset
    if RUN_CODE not in offered:
        # What waits goes on in this process, or nowhere: nobody else needs the key.
        snapshots = Snapshots(key=token_hex())
        searchable = SearchableToolset(tools, defer='auto')
        tools = CodeModeToolset(searchable, snapshots=snapshots, tool_errors='message')
    if isinstance(tools, CodeModeToolset):
        lasting = tools.sessions if sessions is None else sessions
        return replace(tools, sessions=lasting, max_result_chars=MOST_CHARS, show_result_shapes=False)
    return tools


def beneath(toolset: AbstractToolset[Any], wrap: Wrap) -> AbstractToolset[Any]:
    """The toolset with `wrap` around its tools, beneath code mode and search where it has them."""
    if isinstance(toolset, CodeModeToolset | SearchableToolset):
        return replace(toolset, wrapped=beneath(toolset.wrapped, wrap))
    return wrap(toolset)
