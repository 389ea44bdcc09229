"""HTTP connections that are closed unless a request arrives in time."""

import asyncio
import math
from typing import ClassVar, TypeGuard

from uvicorn.protocols.http.h11_impl import H11Protocol


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

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
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
        """Returns whether a complete request has arrived and is not answered yet."""
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
