"""An MCP server, started over stdio, with deferred tools."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic_ai.toolsets import AbstractToolset


def MCPServer(
    command: str,
    *,
    args: Sequence[str] = (),
    env: dict[str, str] | None = None,
    cwd: str | Path | None = None,
    defer_loading: bool | Sequence[str] = False,
    id: str | None = None,
    **options: Any,
) -> AbstractToolset[Any]:
    """A program that speaks MCP on its standard input and output, as a toolset.

    A short way to write `MCPToolset(StdioTransport(command, args), ...).defer_loading(...)`; for servers over HTTP and
    all other options use pydantic-ai's `MCPToolset` and its `.defer_loading()`.

    Args:
        command: The program.
        args: Its arguments.
        env: Its environment, where it needs another than the default.
        cwd: Where it runs.
        defer_loading: Hide all of its tools until they are found, or only those named.
        id: What to call the server; also the name that a search knows it by.
        options: Every other keyword of pydantic-ai's `MCPToolset`.
    """
    # Few programs need the MCP client, and it takes long to import.
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.mcp import MCPToolset

    transport = StdioTransport(command, [*args], env=env, cwd=str(cwd) if cwd else None)
    server: AbstractToolset[Any] = MCPToolset(transport, id=id, **options)
    return _deferred(server.with_metadata(server=id) if id else server, defer_loading)


def _deferred(toolset: AbstractToolset[Any], defer_loading: bool | Sequence[str]) -> AbstractToolset[Any]:
    if isinstance(defer_loading, bool):
        return toolset.defer_loading() if defer_loading else toolset
    return toolset.defer_loading([*defer_loading])
