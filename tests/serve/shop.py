"""Tools that record what happens to them, served in the process of the tests."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic_ai.toolsets import AbstractToolset

from toolscript import FunctionToolset
from toolscript.serve.http import Access, Connection, http_server, listening
from toolscript.serve.server import Served

ACCEPT = {'Accept': 'application/json, text/event-stream'}


def initialize(**capabilities: object) -> dict[str, Any]:
    """Return the first request of a client."""
    info = {'name': 'x', 'version': '1'}
    params = {'protocolVersion': '2025-06-18', 'capabilities': capabilities, 'clientInfo': info}
    return {'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': params}


@dataclass
class Watch:
    """The progress of calls of `hold`."""

    began: asyncio.Event = field(default_factory=asyncio.Event)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    holding: asyncio.Queue[None] = field(default_factory=asyncio.Queue[None])
    """An item for each call that started."""
    abandon: asyncio.Queue[None] = field(default_factory=asyncio.Queue[None])
    """An item for each call that was stopped."""
    refunded: list[int] = field(default_factory=list[int])


def shop(watch: Watch) -> FunctionToolset[object]:
    """Return one direct tool, some for code, one to be searched for, and one that needs approval."""
    tools = FunctionToolset[object](id='shop')

    @tools.tool_plain(allowed_callers='direct')
    async def hours(day: str = 'today') -> str:
        # The data may not match the expected type.
        return TypeAdapter(Literal['9 to 17']).validate_python('9 to 17' if day == 'today' else 'secret of the shop')

    @tools.tool_plain
    async def add(a: int, b: int) -> int:
        return a + b

    @tools.tool_plain
    async def hold() -> str:
        watch.began.set()
        watch.holding.put_nowait(None)
        try:
            await asyncio.Event().wait()
        finally:
            watch.stopped.set()
            watch.abandon.put_nowait(None)
        return 'never'

    @tools.tool_plain(requires_approval=True, allowed_callers='both')
    async def refund(order: int) -> str:
        watch.refunded.append(order)
        return f'{order} refunded'

    @tools.tool_plain(defer_loading=True, allowed_callers='both')
    async def pieces_in_stock(product: str) -> int:
        """How many there are."""
        return len(product)

    @tools.tool_plain
    async def broken() -> str:
        raise OSError('secret of the shop')

    assert all((hours, add, hold, refund, pieces_in_stock, broken))
    return tools


@dataclass
class Place:
    """A toolset served on a free port."""

    url: str
    watch: Watch
    served: Served


@asynccontextmanager
async def a_place(
    access: Access,
    offered: Callable[[Watch], AbstractToolset[None]],
    connection: type[Connection] = Connection,
    **settings: Any,
) -> AsyncGenerator[Place]:
    """Serve a toolset until the block ends."""
    watch = Watch()
    served = Served(lambda: offered(watch), **settings)
    listener = listening(access)
    server = http_server(served, access, connection)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield Place(f'http://127.0.0.1:{listener.getsockname()[1]}/mcp', watch, served)
    finally:
        server.should_exit = True
        await serving
