"""Preparation of the toolsets that code mode wraps."""

from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset

from .discovery.deferral import is_server
from .mcp.supervised_server import SupervisedServer
from .routing.ruled_toolset import RuledToolset
from .routing.rules import RuleBook


def prepared(
    toolset: AbstractToolset[AgentDepsT], book: RuleBook, wait_seconds: float, *, notes_names: bool = False
) -> AbstractToolset[AgentDepsT]:
    """Returns the toolset with its MCP servers supervised and the rules applied; itself if there are neither.

    A step waits `wait_seconds` for a server to start. With `notes_names`, tools record the names that servers use.
    """

    is_ruled = bool(book.rules) or notes_names

    # Below all prefixes, where patterns see the server's own names.
    def visit(leaf: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        steady = SupervisedServer(leaf, wait_seconds) if is_server(leaf) else leaf
        return RuledToolset(steady, book, leaf.id or '', notes_names) if is_ruled else steady

    leaves: list[AbstractToolset[AgentDepsT]] = []
    toolset.apply(leaves.append)
    return toolset.visit_and_replace(visit) if is_ruled or any(map(is_server, leaves)) else toolset
