"""Standard input and output: one client, which started the process."""

import asyncio
import signal

from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server

from toolscript.serve.server import Served, server_of


async def serve_stdio(served: Served) -> None:
    """Serve until the client closes the input, or somebody stops the process.

    Nothing but the protocol comes to standard output: whatever else is written there goes to standard error.
    """
    main = asyncio.current_task()
    if main is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, main.cancel)
    server = server_of(served)
    try:
        async with stdio_server() as (incoming, outgoing):
            await serve_loop(server, incoming, outgoing, lifespan_state={})
    finally:
        await served.closed()
