"""What ends a statement that nobody answers.

Where something between this process and PostgreSQL is stuck (a proxy that takes bytes and hands on none, on a machine
that answers each keepalive), no answer comes and no error either, and whoever waits would wait for ever. So a thread
cuts off connections whose answer is overdue.
"""

import math
import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import Connection


class Watch:
    """Cuts off connections that do not answer. Its thread starts with the first use, and mostly sleeps."""

    def __init__(self) -> None:
        self._due = dict[object, tuple[float, Connection[Any]]]()
        self._wakes_at = math.inf
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    @contextmanager
    def answering(self, connection: Connection[Any], seconds: float) -> Generator[None]:
        """Where answers of the connection are waited for, so many seconds at most.

        Raises:
            OperationalError: It was cut off.
        """
        use, due = object(), time.monotonic() + seconds
        with self._changed:
            self._due[use] = due, connection
            if self._thread is None:
                self._thread = threading.Thread(target=self._stay, name='toolscript watch', daemon=True)
                self._thread.start()
            if due < self._wakes_at:
                self._changed.notify()
        try:
            yield
        except psycopg.Error as error:
            if use in self._due:
                raise
            raise psycopg.OperationalError(f'PostgreSQL did not answer within {seconds:.0f} s') from error
        finally:
            with self._changed:
                self._due.pop(use, None)

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _stay(self) -> None:
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                for use, (due, connection) in list(self._due.items()):
                    if due <= now:
                        del self._due[use]
                        _cut_off(connection)
                self._wakes_at = min((due for due, _ in self._due.values()), default=math.inf)
                self._changed.wait(None if self._wakes_at == math.inf else self._wakes_at - now)


def _cut_off(connection: Connection[Any]) -> None:
    """End what can be read of the connection: whoever reads it finds that the other side has closed it."""
    with suppress(OSError, psycopg.Error):
        end = socket.socket(fileno=connection.fileno())
        try:
            end.shutdown(socket.SHUT_RDWR)
        finally:
            end.detach()
