"""Streamable HTTP, for those alone who may: on loopback, from known origins, with a token."""

import contextlib
import hmac
import json
import socket
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .connections import Connection
from .server import LIFETIME, Served, server_of

PATH = '/mcp'
_IDLE_SECONDS = 1_800.0
_MOST_REQUESTS = 1_000


@dataclass(frozen=True)
class Door:
    """Who may come in."""

    host: str = '127.0.0.1'
    port: int = 8_765
    tokens: tuple[str, ...] = ()
    """What clients have to show; without any, everybody who reaches the port may come in."""
    origins: tuple[str, ...] = ()
    """Web pages that may, beside those of this machine: `https://example.com`."""
    names: tuple[str, ...] = ()
    """Names that the server is reached by, beside its address: `tools.example.com`."""
    most_clients: int = 16
    """How many sessions there may be; each token has an equal share."""
    grace_seconds: float = 2.0
    """How long a call may still run after its request was dropped."""

    @property
    def share(self) -> int:
        """How many sessions a token may have."""
        return max(1, self.most_clients // max(1, len(self.tokens)))

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


@dataclass(eq=False)
class Session:
    """What is known of a session of MCP."""

    token: str | None
    id: str | None = None
    """`None` until the server has answered the request that opens it."""
    requests: int = 1
    """Under way now; an open stream is one."""


@dataclass
class Guarded:
    """An app behind the tokens, for versions of MCP that have sessions.

    It makes room for new clients, and ends what clients started that have hung up. The SDK's session manager bounds
    sessions too, but refuses every new one until an old one was idle for half an hour.
    """

    app: ASGIApp
    door: Door = field(repr=False)
    sessions: list[Session] = field(default_factory=list[Session])
    """The one that was used last comes last."""

    def __post_init__(self) -> None:
        """Read the settings."""
        self._security = TransportSecurityMiddleware(self.door.security)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        headers = {name.decode('latin-1').lower(): value.decode('latin-1') for name, value in scope.get('headers', [])}
        said = headers.get('authorization', '')
        token = next((token for token in self.door.tokens if _same(said, f'Bearer {token}')), None)
        if self.door.tokens and token is None:
            advice = 'send the header Authorization: Bearer TOKEN, with the token that toolscript serve printed'
            await _refuse(send, 401, advice, [(b'www-authenticate', b'Bearer')])
        elif (spoken := headers.get('mcp-protocol-version')) and spoken not in HANDSHAKE_PROTOCOL_VERSIONS:
            await _refuse(send, 400, f'begin with initialize; versions are {", ".join(HANDSHAKE_PROTOCOL_VERSIONS)}')
        elif refusal := await self._security.validate_request(Request(scope), is_post=scope['method'] == 'POST'):
            await refusal(scope, receive, send)
        elif (session_id := headers.get('mcp-session-id')) is None:
            await self._open(token, scope, receive, send)
        elif session := next((one for one in self.sessions if (one.id, one.token) == (session_id, token)), None):
            session.requests += 1
            await self._serve(session, scope, receive, send)
        else:
            await _refuse(send, 404, 'there is no such session; begin with initialize')

    async def _open(self, token: str | None, scope: Scope, receive: Receive, send: Send) -> None:
        own = [session for session in self.sessions if session.token == token]
        idle = next((session for session in own if not session.requests), None)
        if len(own) >= self.door.share and idle is None:
            await _refuse(send, 503, f'all {len(own)} sessions of this token are in use; close one, or try again')
            return
        session = Session(token)
        self.sessions.append(session)
        if len(own) < self.door.share or idle is None:
            await self._serve(session, scope, receive, send)
            return
        self.sessions.remove(idle)
        await self._serve(session, scope, receive, send, instead_of=idle)

    async def _serve(
        self, session: Session, scope: Scope, receive: Receive, send: Send, *, instead_of: Session | None = None
    ) -> None:
        """Serve a request; where it ends before its call, the call ends soon after."""
        lifetime = scope[LIFETIME] = anyio.CancelScope()
        ended = False

        async def watch(message: Message) -> None:
            nonlocal ended
            if message['type'] == 'http.response.start':
                opened = dict(message['headers']).get(b'mcp-session-id', b'').decode('latin-1')
                session.id = session.id or (message['status'] < 400 and opened) or None
                ended = message['status'] == 404 or scope['method'] == 'DELETE'
            await send(message)

        try:
            if instead_of is not None:
                await self._end(instead_of, scope)
            await self.app(scope, receive, watch)
        finally:
            session.requests -= 1
            lifetime.deadline = anyio.current_time() + self.door.grace_seconds
            if session in self.sessions:
                self.sessions.remove(session)
                if session.id is not None and not ended:
                    self.sessions.append(session)

    async def _end(self, session: Session, scope: Scope) -> None:
        """End a session, as its client would."""
        headers = [(b'mcp-session-id', (session.id or '').encode('latin-1'))]

        async def receive() -> Message:
            return {'type': 'http.request', 'body': b'', 'more_body': False}

        async def send(message: Message) -> None:
            pass

        await self.app({**scope, 'method': 'DELETE', 'headers': headers}, receive, send)


def app_of(served: Served, door: Door) -> Starlette:
    """The app that serves MCP at `/mcp`."""
    manager = StreamableHTTPSessionManager(
        server_of(served),
        session_idle_timeout=_IDLE_SECONDS,
    )

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with manager.run():
            yield
        await served.closed()

    return Starlette(routes=[Route(PATH, endpoint=Guarded(manager.handle_request, door))], lifespan=lifespan)


def listening(door: Door) -> socket.socket:
    """The socket that clients connect to.

    Raises:
        OSError: The port is taken, or the address is none of this machine's.
    """
    family = socket.AF_INET6 if ':' in door.host else socket.AF_INET
    return socket.create_server((door.host, door.port), family=family)


async def serve_http(served: Served, door: Door, listener: socket.socket) -> None:
    """Serve until somebody stops it."""
    await http_server(served, door).serve(sockets=[listener])


def http_server(served: Served, door: Door, connection: type[Connection] = Connection) -> uvicorn.Server:
    """The server that has the app, and bounds on connections."""
    config = uvicorn.Config(
        app_of(served, door),
        http=connection,
        ws='none',
        log_level='warning',
        access_log=False,
        timeout_graceful_shutdown=5,
        # A burst is accepted in pieces, so that those that are silent can be closed in between.
        backlog=connection.max_waiting,
        limit_concurrency=_MOST_REQUESTS,
    )
    return uvicorn.Server(config)


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


async def _refuse(send: Send, status: int, advice: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    body = json.dumps({'error': advice}).encode()
    start = [(b'content-type', b'application/json'), (b'content-length', str(len(body)).encode()), *headers]
    await send({'type': 'http.response.start', 'status': status, 'headers': start})
    await send({'type': 'http.response.body', 'body': body})
