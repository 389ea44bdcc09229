"""A configured MCP server as a toolset."""

from pathlib import Path
from typing import Any

from pydantic_ai.toolsets import AbstractToolset

from toolscript.mcp.server import ServerLog

from .client_config import ServerConfig

CONNECT_SECONDS = 60.0
"""How long a server may take to start; the first start of some downloads them."""


def server_toolset(config: ServerConfig, *, log_file: Path | None = None, **options: Any) -> AbstractToolset[Any]:
    """A toolset of the server's tools, under the names that it gives them. It connects when it is entered.

    Args:
        config: The server.
        log_file: Where a started program writes what it would write on the terminal; by default it does.
        options: Every other keyword of pydantic-ai's `MCPToolset`.

    Raises:
        ImportError: The MCP client is not installed.
    """
    try:
        from fastmcp.client.transports import SSETransport, StdioTransport, StreamableHttpTransport
        from pydantic_ai.mcp import MCPToolset
    except ImportError as error:
        raise ImportError("MCP servers need the MCP client: pip install 'toolscript[cli]'.") from error

    headers = dict(config.headers)
    transport: StdioTransport | SSETransport | StreamableHttpTransport
    match config.transport:
        case 'stdio':
            transport = StdioTransport(
                config.command,
                [*config.args],
                env=dict(config.env) or None,
                cwd=config.cwd,
                keep_alive=False,
                log_file=log_file,
            )
        case 'sse':
            transport = SSETransport(config.url, headers=headers)
        case 'http':
            transport = StreamableHttpTransport(config.url, headers=headers)
    options.setdefault('init_timeout', CONNECT_SECONDS)
    options.setdefault('log_handler', ServerLog(config.name))
    return MCPToolset(transport, id=config.name, **options)
