"""All that is to be known about a target."""

from dataclasses import dataclass
from typing import Any

from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset

from toolscript.cli.calling import listed, one_of, real_tools
from toolscript.cli.connecting import Connected
from toolscript.cli.inspecting.played import Played, in_code_mode, played
from toolscript.cli.inspecting.tool_warnings import HEADINGS, Warned, clashes, warnings_of
from toolscript.cli.inspecting.weighed import WeighedTool, weighed
from toolscript.cli.target import Target
from toolscript.discovery.search_options import DEFAULT_SEARCH_TOOL_NAME
from toolscript.routing.placement import RUN_CODE


# An event loop writes down what its task gave when it ends, which takes a second where that is ten thousand tools.
@dataclass(frozen=True, repr=False)
class Inspection:
    """What a model is shown of a target, and what it takes."""

    target: str
    sources: tuple[str, ...]
    tools: tuple[WeighedTool, ...]
    warnings: tuple[Warned, ...]
    """Those that matter most first."""
    played: Played
    """What a model is shown."""
    all_deferred: Played | None
    """What it would be shown if all tools were deferred; `None` where they are, or others put them in code mode."""

    @property
    def discovering(self) -> Played:
        """The run with a discovery in it: that of the target, or of the target with all tools deferred."""
        return self.played if self.played.found is not None or self.all_deferred is None else self.all_deferred

    @property
    def json_tokens(self) -> int:
        """All tools as JSON tools."""
        return sum(tool.json_tokens for tool in self.tools)

    @property
    def signature_tokens(self) -> int:
        """All tools as signatures."""
        return sum(tool.signature_tokens for tool in self.tools)

    def pays_below(self, tool: WeighedTool) -> float | None:
        """Deferring the tool pays if it is needed in a smaller share of requests than this, from 0 to 1.

        Each request is shorter by its signature as long as nothing needs it; the request that does costs a discovery.
        `None` where no discovery was played.
        """
        costs = self.discovering.read_anew
        return tool.signature_tokens / (tool.signature_tokens + costs) if costs else None


async def inspected(target: Target, live: Connected, prompt: str) -> Inspection:
    """Look at a target whose servers are connected.

    Args:
        target: The target.
        live: Its servers.
        prompt: What a user says in the first request; its words show tools that they ask for.
    """
    named: list[tuple[str, ToolDefinition]] = []
    offered: dict[str, None] = {}
    distinct: list[AbstractToolset[Any]] = []
    for source in live.sources:
        own = await listed(source.toolset)
        distinct.append(_without(source.toolset, frozenset(offered)))
        offered |= dict.fromkeys(own)
        named += [(source.name, tool.tool_def) for tool in real_tools(own).values()]
    known = dict[str, tuple[str, ToolDefinition]]()
    for source, tool in named:
        known.setdefault(tool.name, (source, tool))
    warnings = [
        *(Warned('down', name, text) for name, text in live.down.items()),
        *clashes(named),
        *(warned for _, tool in known.values() for warned in warnings_of(tool)),
    ]
    order = [*HEADINGS]
    tools = one_of(distinct)
    is_plain = RUN_CODE not in offered and DEFAULT_SEARCH_TOOL_NAME not in offered
    names = [*known]
    shown = await played(target.agent or (in_code_mode(tools) if is_plain else tools), names, prompt)
    has_all_seen = not is_plain or shown.found is not None
    return Inspection(
        target=target.text,
        sources=tuple(source.name for source in live.sources),
        tools=tuple(weighed([*known.values()])),
        warnings=tuple(sorted(warnings, key=lambda warned: order.index(warned.kind))),
        played=shown,
        all_deferred=None if has_all_seen else await played(in_code_mode(tools.defer_loading()), names, prompt),
    )


def _without(toolset: AbstractToolset[Any], taken: frozenset[str]) -> AbstractToolset[Any]:
    """The toolset without the tools whose names others have."""
    return toolset.filtered(lambda _, tool: tool.name not in taken) if taken else toolset
