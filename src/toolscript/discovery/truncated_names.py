"""Tool names that every provider accepts."""

import hashlib
import warnings
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from toolscript.guards import strings
from toolscript.routing.placement import by_own_name, renamed

LONGEST_NAME = 64
"""The length that all providers accept; some accept more."""
_WHOLE_NAME = 'toolscript_whole_name'


class ToolNameWarning(UserWarning):
    """A tool's name was shortened."""


@dataclass
class TruncatedNames(WrapperToolset[AgentDepsT]):
    """The wrapped toolset, with shorter names for tools whose names have over `longest` characters.

    A shortened name is the beginning of the tool's own and a suffix computed from all of it: the same in every run, and
    different for tools that begin alike.
    """

    longest: int = LONGEST_NAME

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        tools = await super().get_tools(ctx)
        shortened = truncated_names(tools, longest=self.longest)
        if shortened and ctx.run_step <= 1:
            _warn(shortened, self.longest)
        return {
            shortened.get(name, name): _truncated(tool, shortened[name]) if name in shortened else tool
            for name, tool in tools.items()
        }

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        tool, ctx = by_own_name(tool, ctx, _WHOLE_NAME)
        return await super().call_tool(tool.tool_def.name, tool_args, ctx, tool)


def truncated_names(names: Collection[str], *, longest: int = LONGEST_NAME) -> dict[str, str]:
    """Returns, for each name that is too long, a shorter one that no other tool has."""
    taken = {name for name in names if len(name) <= longest}
    shortened: dict[str, str] = {}
    for name in sorted(name for name in names if len(name) > longest):
        shortened[name] = next(short for short in _candidates(name, longest) if short not in taken)
        taken.add(shortened[name])
    return shortened


def _candidates(name: str, longest: int) -> Iterable[str]:
    """Yield shorter names; the first one is free except by an accident of 1 in 4 billion."""
    digest = hashlib.sha256(name.encode()).hexdigest()
    for length in range(8, len(digest)):
        yield f'{name[: longest - length - 1]}_{digest[:length]}'


def _truncated(tool: ToolsetTool[AgentDepsT], name: str) -> ToolsetTool[AgentDepsT]:
    # The part that is cut off often distinguishes a tool from others; a search still reads it among the tags.
    tags = [*strings((tool.tool_def.metadata or {}).get('tags')), tool.tool_def.name]
    return renamed(tool, name, _WHOLE_NAME, tags=tags)


def _warn(shortened: Mapping[str, str], longest: int) -> None:
    names = ', '.join(f'{name!r} to {short!r}' for name, short in shortened.items())
    text = f'Tool names over {longest} characters are shortened: {names}. Rename the tools, or shorten their prefix.'
    warnings.warn(text, ToolNameWarning, stacklevel=2)
