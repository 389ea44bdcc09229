"""What is done to the toolsets that code mode is given, before anything else."""

from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset

from .discovery.deferred_server import is_server
from .offering.ruled_toolset import under_rules
from .routing.tool_rules import RuleBook
from .steady_server import steadied


def prepared(toolset: AbstractToolset[AgentDepsT], book: RuleBook) -> AbstractToolset[AgentDepsT]:
    """The toolset with its MCP servers steady, and all in it under the rules; itself if that is nothing."""
    leaves: list[AbstractToolset[AgentDepsT]] = []
    toolset.apply(leaves.append)
    if any(map(is_server, leaves)):
        toolset = steadied(toolset)
    return under_rules(toolset, book) if book.rules else toolset
