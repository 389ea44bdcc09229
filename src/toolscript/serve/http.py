"""Streamable HTTP for authorized clients: on loopback, from known origins, with a token."""

import asyncio
import contextlib
import hmac
import json
import math
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar, TypeGuard
from urllib.parse import urlsplit

import anyio
import uvicorn
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, AuthorizationContext
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from .server import LIFETIME, Served, server_of

PATH = '/mcp'
_IDLE_SECONDS = 1_800.0
_LOCAL = ('127.0.0.1', 'localhost', '::1')
_ANY = ('0.0.0.0', '::')
_HEADERS = ('authorization', 'host', 'mcp-protocol-version', 'origin')


class Connection(H11Protocol):
    """A connection that is closed unless a complete request arrives in time.

    uvicorn has a timeout between requests, but none for the first one, nor for a request that arrives slowly. It can
    limit the number of connections, but then rejects new ones, so silent connections would shut everyone out. Here, the
    connection that has been silent for longest is closed instead.
    """

    request_seconds: ClassVar[float] = 20.0
    """The time limit for the arrival of a request."""
    max_waiting: ClassVar[int] = 64
    """The maximum number of concurrent connections without a request."""
    expires: float = math.inf
    """When it is closed, by its event loop's clock; infinity while a request is being answered."""
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        super().handle_events()
        if self._is_at_work():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._waiting is None and not self._is_at_work() and not self.transport.is_closing():
            self._expect()

    def _is_at_work(self) -> bool:
        """Return whether a complete request has arrived and is not answered yet."""
        return bool(self.cycle) and not self.cycle.more_body and not self.cycle.response_complete

    def _expect(self) -> None:
        self._waiting = self.loop.call_later(self.request_seconds, self.transport.abort)
        self.expires = self._waiting.when()
        waiting = [one for one in self.connections if _is_waiting(one)]
        if len(waiting) > self.max_waiting:
            silent = min(waiting, key=lambda one: one.expires)
            silent._stop_waiting()
            silent.transport.abort()

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting, self.expires = None, math.inf


def _is_waiting(connection: object) -> TypeGuard[Connection]:
    return isinstance(connection, Connection) and connection.expires < math.inf


@dataclass(frozen=True)
class Access:
    host: str = '127.0.0.1'
    port: int = 8_765
    tokens: tuple[str, ...] = field(default=(), repr=False)
    """Each request must contain one of them; if empty, anyone who reaches the port may connect."""
    origins: tuple[str, ...] = ()
    """Origins of web pages that may connect, besides those on this machine: `https://example.com`."""
    names: tuple[str, ...] = ()
    """Names under which the server is reached, besides its address: `tools.example.com`."""
    most_clients: int = 16
    """The maximum number of sessions; each token has an equal share."""
    grace_seconds: float = 2.0
    """How long a call may continue after its request was dropped."""

    def allows_host(self, host: str) -> bool:
        """Return whether a request may name this host, with any port. This prevents DNS rebinding, where a page
        reaches the server by a name of its own that resolves to this machine."""
        own = () if self.host in _ANY else (self.host,)
        return _host_in(f'//{host}') in {name.lower() for name in (*_LOCAL, *own, *self.names)}

    def allows_origin(self, origin: str) -> bool:
        """Return whether a page with this origin may send requests."""
        return not origin or origin in self.origins or (origin.startswith('http://') and _host_in(origin) in _LOCAL)


def _host_in(url: str) -> str | None:
    """Return the host of a URL that consists of a host and a port only; `None` for other URLs."""
    try:
        parts = urlsplit(url)
        name, port = parts.hostname or '', parts.port
    except ValueError:
        return None
    host = f'[{name}]' if ':' in name else name
    return name if url.lower().partition('//')[2] in (host, f'{host}:{port}') else None


class SessionManager(StreamableHTTPSessionManager):
    """The sessions of the MCP library, except that a new session replaces an idle one when there is no room.

    The library itself rejects new sessions when there is no room, until an old one has been idle for half an hour.
    """

    share = 16
    """The maximum number of sessions of a token."""

    def _admit_session(self, requestor: AuthorizationContext | None) -> StreamableHTTPServerTransport | None:
        own = [(id_, one) for id_, one in self._server_instances.items() if self._session_owners.get(id_) == requestor]
        if len(own) >= self.share:
            # The deadline of a session is infinite while it has a request or an open stream.
            ends = {id_: one.idle_scope for id_, one in own if one.idle_scope and one.idle_scope.deadline < math.inf}
            if not ends:
                return None
            idle = min(ends, key=lambda id_: ends[id_].deadline)
            del self._server_instances[idle]
            ends[idle].cancel()
        return super()._admit_session(requestor)


@dataclass
class TokenMiddleware:
    """An app that requires a token, for versions of MCP that have sessions."""

    app: ASGIApp
    access: Access
    unreadable: Callable[[object, str], Awaitable[None]]
    """Is called with the id of a session that sent what cannot be read."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or reject it with the reason."""
        # Duplicate headers are rejected.
        headers = {name: ', '.join(Headers(scope=scope).getlist(name)) for name in _HEADERS}
        authorization, protocol = headers['authorization'], headers['mcp-protocol-version']
        users = [str(user) for user, token in enumerate(self.access.tokens) if _same(authorization, f'Bearer {token}')]
        if self.access.tokens and not users:
            advice = 'send the header Authorization: Bearer TOKEN, with the token that toolscript serve printed'
            await _refuse(send, 401, advice, [(b'www-authenticate', b'Bearer')])
        elif protocol and protocol not in HANDSHAKE_PROTOCOL_VERSIONS:
            await _refuse(send, 400, f'begin with initialize; versions are {", ".join(HANDSHAKE_PROTOCOL_VERSIONS)}')
        elif not self.access.allows_host(headers['host']):
            await _refuse(send, 421, 'this server is not known by that name; --allow-host NAME allows it')
        elif not self.access.allows_origin(headers['origin']):
            await _refuse(send, 403, 'pages of that origin may not connect; --allow-origin ORIGIN allows it')
        else:
            if users:
                scope['user'] = AuthenticatedUser(AccessToken(token='', client_id=users[0], scopes=[]))
            lifetime = scope[LIFETIME] = anyio.CancelScope()

            async def answer(message: Message) -> None:
                if message.get('status') == 400:
                    await self.unreadable(message, Headers(scope=scope).get('mcp-session-id', ''))
                await send(message)

            try:
                await self.app(scope, receive, answer)
            finally:
                # If the call is still running, its request was dropped.
                lifetime.deadline = anyio.current_time() + self.access.grace_seconds


def app_of(served: Served, access: Access) -> Starlette:
    manager = SessionManager(server_of(served), session_idle_timeout=_IDLE_SECONDS, max_sessions=access.most_clients)
    manager.share = max(1, access.most_clients // max(1, len(access.tokens)))

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with manager.run():
            yield
        await served.closed()

    return Starlette(
        routes=[Route(PATH, endpoint=TokenMiddleware(manager.handle_request, access, served.unreadable))],
        lifespan=lifespan,
    )


def listening(access: Access) -> socket.socket:
    """Open the socket for client connections. Raises `OSError` if the port is taken."""
    family = socket.AF_INET6 if ':' in access.host else socket.AF_INET
    return socket.create_server((access.host, access.port), family=family)


def http_server(served: Served, access: Access, connection: type[Connection] = Connection) -> uvicorn.Server:
    """Return the server that runs the app and limits connections."""
    config = uvicorn.Config(
        app_of(served, access),
        http=connection,
        ws='none',
        log_level='warning',
        access_log=False,
        timeout_graceful_shutdown=5,
        # A burst is accepted in portions, so that silent connections can be closed in between.
        backlog=connection.max_waiting,
    )
    return uvicorn.Server(config)


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


async def _refuse(send: Send, status: int, advice: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    body = json.dumps({'error': advice}).encode()
    start = [(b'content-type', b'application/json'), (b'content-length', str(len(body)).encode()), *headers]
    await send({'type': 'http.response.start', 'status': status, 'headers': start})
    await send({'type': 'http.response.body', 'body': body})
