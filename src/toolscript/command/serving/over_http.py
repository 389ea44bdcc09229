"""Streamable HTTP, for those alone who may: on loopback, from known origins, with a token."""

import contextlib
import hmac
import json
import socket
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from .server import Served, server_of

PATH = '/mcp'
_IDLE_SECONDS = 1_800.0


@dataclass(frozen=True)
class Door:
    """Who may come in."""

    host: str = '127.0.0.1'
    port: int = 8_765
    token: str | None = None
    """`None`: everybody who reaches the port."""
    origins: tuple[str, ...] = ()
    """Web pages that may, beside those of this machine: `https://example.com`."""
    names: tuple[str, ...] = ()
    """Names that the server is reached by, beside its address: `tools.example.com`."""
    most_clients: int = 16

    @property
    def security(self) -> TransportSecuritySettings:
        """What the `Host` and `Origin` of a request may be."""
        address = f'[{self.host}]' if ':' in self.host else self.host
        local = ['127.0.0.1', 'localhost', '[::1]', *([address] if address not in ('0.0.0.0', '[::]') else [])]
        names = [*dict.fromkeys([*local, *self.names])]
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[*(f'{name}:*' for name in names), *self.names],
            allowed_origins=[*(f'http://{name}:*' for name in local), *self.origins],
        )


@dataclass
class Guarded:
    """An app behind the token, for versions of MCP that have sessions."""

    app: ASGIApp
    token: str | None = field(repr=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        headers = {name.decode('latin-1').lower(): value.decode('latin-1') for name, value in scope.get('headers', [])}
        if self.token is not None and not _same(headers.get('authorization', ''), f'Bearer {self.token}'):
            advice = 'send the header Authorization: Bearer TOKEN, with the token that toolscript serve printed'
            await _refuse(send, 401, advice, [(b'www-authenticate', b'Bearer')])
        elif (spoken := headers.get('mcp-protocol-version')) and spoken not in HANDSHAKE_PROTOCOL_VERSIONS:
            await _refuse(send, 400, f'begin with initialize; versions are {", ".join(HANDSHAKE_PROTOCOL_VERSIONS)}')
        else:
            await self.app(scope, receive, send)


def app_of(served: Served, door: Door) -> Starlette:
    """The app that serves MCP at `/mcp`."""
    manager = StreamableHTTPSessionManager(
        server_of(served),
        security_settings=door.security,
        session_idle_timeout=_IDLE_SECONDS,
        max_sessions=door.most_clients,
    )

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with manager.run():
            yield
        await served.closed()

    return Starlette(routes=[Route(PATH, endpoint=Guarded(manager.handle_request, door.token))], lifespan=lifespan)


def listening(door: Door) -> socket.socket:
    """The socket that clients connect to.

    Raises:
        OSError: The port is taken, or the address is none of this machine's.
    """
    family = socket.AF_INET6 if ':' in door.host else socket.AF_INET
    return socket.create_server((door.host, door.port), family=family)


async def serve_http(served: Served, door: Door, listener: socket.socket) -> None:
    """Serve until somebody stops it."""
    config = uvicorn.Config(
        app_of(served, door),
        log_level='warning',
        access_log=False,
        timeout_graceful_shutdown=5,
    )
    await uvicorn.Server(config).serve(sockets=[listener])


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


async def _refuse(send: Send, status: int, advice: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    body = json.dumps({'error': advice}).encode()
    start = [(b'content-type', b'application/json'), (b'content-length', str(len(body)).encode()), *headers]
    await send({'type': 'http.response.start', 'status': status, 'headers': start})
    await send({'type': 'http.response.body', 'body': body})
