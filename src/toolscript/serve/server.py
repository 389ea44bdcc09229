"""The MCP server for code mode, with one session for each connection."""

import asyncio
import logging
import signal
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server.connection import Connection
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.runner import serve_connection
from mcp.server.stdio import stdio_server
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from pydantic import ValidationError
from pydantic_ai import UserError
from pydantic_ai.toolsets import AbstractToolset

from toolscript.guards import fields

from .approvals import asker
from .client import ServedClient
from .contents import failed
from .events import Reporter, Request

INSTRUCTIONS = (
    'Write Python for run_code: it calls tools as functions, and only its last expression comes back. Variables live '
    'as long as the connection. Tools that are not listed are found by searching for what they do.'
)
_INITIALIZED_SECONDS = 10.0
_END_SECONDS = 30.0
LIFETIME = 'toolscript.lifetime'
"""The key in the scope of an HTTP request for the `anyio.CancelScope` of its call."""
_NOT_INITIALIZED = 'This connection has not sent notifications/initialized; send it after initialize, then call again.'

_logger = logging.getLogger('toolscript.serve')


@dataclass
class Served:
    toolset: Callable[[], AbstractToolset[None]]
    """Creates the tools of one client, so that clients never share a server's process."""
    max_chars: int = 20_000
    """The maximum length of a returned result, in characters."""
    name: str = 'toolscript'
    clients: dict[str, ServedClient] = field(default_factory=dict[str, ServedClient])
    """By the id of the connection's session; '' on stdio."""
    _living: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def connected(self, request: Request, _: object = None) -> None:
        """Keep a client's session until its connection ends."""
        key, session = _key(request), request.session
        if key in self.clients:
            return
        client = ServedClient(self.toolset(), self.max_chars, changed=session.send_tool_list_changed)
        living = asyncio.create_task(client.live())
        self._living.add(living)
        living.add_done_callback(self._living.discard)
        living.add_done_callback(_log_failure)
        async with self._arrived:
            self.clients[key] = client
            self._arrived.notify_all()
        try:
            # It is cancelled when the connection ends.
            await asyncio.wait({living})
        finally:
            del self.clients[key]
            client.end()

    async def list_tools(self, request: Request, _: object) -> types.ListToolsResult:
        client = await self._client(request)
        try:
            return types.ListToolsResult(tools=await client.tools())
        except UserError as error:
            raise MCPError(code=types.INTERNAL_ERROR, message=error.message) from error

    async def call_tool(self, request: Request, params: types.CallToolRequestParams) -> types.CallToolResult:
        client = await self._client(request)
        reporter = Reporter(request, client.level)
        with _lifetime(request):
            try:
                return await client.call(params.name, params.arguments or {}, ask=asker(request), listener=reporter)
            except UserError as error:
                raise MCPError(code=types.INTERNAL_ERROR, message=error.message) from error
        return failed(f'{params.name} was stopped, because its client hung up.')

    async def list_resources(self, request: Request, _: object) -> types.ListResourcesResult:
        texts = (await self._client(request)).long_results.texts
        resources = [types.Resource(uri=uri, name=f'result of {len(text):,} characters') for uri, text in texts.items()]
        return types.ListResourcesResult(resources=resources)

    async def read_resource(
        self, request: Request, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        text = (await self._client(request)).long_results.texts.get(str(params.uri))
        if text is None:
            message = f'Result {params.uri} is no longer stored: only the newest 20 are. Run the script again.'
            raise MCPError(code=types.INVALID_PARAMS, message=message)
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=params.uri, text=text)])

    async def set_level(self, request: Request, params: types.SetLevelRequestParams) -> types.EmptyResult:
        (await self._client(request)).level = params.level
        return types.EmptyResult()

    async def unreadable(self, problem: object, key: str = '') -> None:
        """Handle a message of a client that cannot be read, which may be the answer to a question."""
        is_blank = isinstance(problem, ValidationError) and not str(problem.errors()[0]['input']).strip()
        if key in self.clients and not is_blank:
            self.clients[key].approvals.deny_unreadable()

    async def closed(self) -> None:
        """Wait until the sessions of all clients have ended."""
        if self._living:
            await asyncio.wait(self._living, timeout=_END_SECONDS)

    async def _client(self, request: Request) -> ServedClient:
        key = _key(request)
        try:
            async with asyncio.timeout(_INITIALIZED_SECONDS), self._arrived:
                await self._arrived.wait_for(lambda: key in self.clients)
        except TimeoutError as error:
            raise MCPError(code=types.INVALID_REQUEST, message=_NOT_INITIALIZED) from error
        return self.clients[key]


class ToolscriptServer(Server[Any]):
    """The MCP library's server, which announces that lists change."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)


def server_of(served: Served) -> ToolscriptServer:
    server = ToolscriptServer(
        served.name,
        version=version('toolscript'),
        instructions=INSTRUCTIONS,
        on_list_tools=served.list_tools,
        on_call_tool=served.call_tool,
        on_list_resources=served.list_resources,
        on_read_resource=served.read_resource,
    )
    with warnings.catch_warnings():
        # Newer versions of the protocol replace this method, but current clients still use it.
        warnings.simplefilter('ignore')
        server.add_request_handler('logging/setLevel', types.SetLevelRequestParams, served.set_level)
        server.add_notification_handler('notifications/initialized', types.NotificationParams, served.connected)
    return server


async def serve_stdio(served: Served) -> None:
    """Serve one client, which started the process, until it closes the input or stops the process.

    Standard output carries only the protocol; anything else that is written there goes to standard error.
    """
    main = asyncio.current_task()
    if main is not None and sys.platform != 'win32':
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, main.cancel)
    server = server_of(served)
    try:
        async with stdio_server() as (incoming, outgoing):
            # As `mcp.server.runner.serve_loop`, which ignores messages that cannot be read.
            dispatcher = JSONRPCDispatcher[TransportContext](
                incoming, outgoing, inline_methods=frozenset({'initialize'}), on_stream_exception=served.unreadable
            )
            connection = Connection.for_loop(dispatcher)
            await serve_connection(server, dispatcher, connection=connection, lifespan_state={})
    finally:
        await served.closed()


def _key(request: Request) -> str:
    headers = getattr(request.request, 'headers', None)
    return '' if headers is None else headers.get('mcp-session-id', '')


def _lifetime(request: Request) -> anyio.CancelScope:
    """Return the scope that cancels a call when its HTTP request is dropped; on stdio, only the connection ends."""
    found = fields(getattr(request.request, 'scope', None)).get(LIFETIME)
    return found if isinstance(found, anyio.CancelScope) else anyio.CancelScope()


def _log_failure(living: asyncio.Task[None]) -> None:
    if not living.cancelled() and (error := living.exception()) is not None:
        _logger.error('a session ended: %s', error)
