"""An MCP server that refuses to start, hangs or dies on command from a file.

Usage: ``python mortal.py ORDERS``, where the file ORDERS holds ``live``, ``hang`` or ``refuse``.
"""

import os
import signal
import sys
import time
from pathlib import Path

_ORDERS = Path(sys.argv[1])
if _ORDERS.read_text() == 'refuse':
    sys.exit('no licence')
if _ORDERS.read_text() == 'hang':
    time.sleep(600)

import anyio  # noqa: E402
from mcp import types  # noqa: E402
from mcp.server.lowlevel import Server  # noqa: E402
from mcp.server.stdio import stdio_server  # noqa: E402

_TOOLS = ('pulse', 'die', 'fail', 'pid', 'fall_silent')


async def _list(*_: object) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name=name, input_schema={'type': 'object'}) for name in _TOOLS])


def _fall_silent() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # The server has a duplicate of its standard output.
    os.closerange(0, 256)
    time.sleep(600)


async def _call(_: object, request: types.CallToolRequestParams) -> types.CallToolResult:
    if request.name == 'die':
        died = _ORDERS.with_suffix('.died')
        died.write_text('twice' if died.exists() else 'once')
        os._exit(3)
    if request.name == 'fall_silent':
        _fall_silent()
    text = {'fail': 'not today', 'pid': str(os.getpid())}.get(request.name, 'beats')
    return types.CallToolResult(content=[types.TextContent(type='text', text=text)], is_error=request.name == 'fail')


async def _serve() -> None:
    server = Server('mortal', on_list_tools=_list, on_call_tool=_call)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


anyio.run(_serve)
