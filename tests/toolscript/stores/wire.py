"""A relay between a process and PostgreSQL that counts requests, breaks connections, or behaves like a pooler."""

import selectors
import socket
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self


class Wire:
    """A socket that forwards to another one."""

    def __init__(self, server: Path, *, pooler: bool = False) -> None:
        """Relay a socket in a new folder to that of the server. As a `pooler`, replace the keys of sessions."""
        self.folder = Path(tempfile.mkdtemp(prefix='wire-'))
        self.round_trips = 0
        """The number of requests sent after an answer."""
        self.open = True
        """Whether new connections are accepted."""
        self._server, self._pooler = server, pooler
        self._flows = threading.Event()
        self._flows.set()
        self._pairs = list[tuple[socket.socket, socket.socket]]()
        self._halves = set[socket.socket]()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.folder / server.name))
        self._listening.listen(100)
        self._thread = threading.Thread(target=self._accept, daemon=True)

    @property
    def url(self) -> str:
        return f'postgresql://postgres@/postgres?host={self.folder}&port={self._server.suffix[1:]}'

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()
        self._flows.set()
        self.cut()
        (self.folder / self._server.name).unlink()
        self.folder.rmdir()

    def cut(self) -> None:
        """Close all current connections."""
        for pair in self._pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        self._pairs.clear()

    def half_cut(self) -> None:
        """Close the client side of all current connections; the server still considers them open."""
        for near, _ in self._pairs:
            self._halves.add(near)
            with suppress(OSError):
                near.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def gone(self) -> Generator[None]:
        """Close all connections and accept no new ones."""
        self.open = False
        self.cut()
        yield
        self.open = True

    @contextmanager
    def stalled(self) -> Generator[None]:
        """Forward nothing without an error on either side: writes seem to succeed."""
        self._flows.clear()
        yield
        self._flows.set()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if not self.open:
                near.close()
                continue
            far = socket.socket(socket.AF_UNIX)
            far.connect(str(self._server))
            self._pairs.append((near, far))
            threading.Thread(target=self._lead, args=(near, far), daemon=True).start()

    def _lead(self, near: socket.socket, far: socket.socket) -> None:
        answered, begun = False, not self._pooler
        with selectors.DefaultSelector() as ready, near, far, suppress(OSError):
            for end in (near, far):
                ready.register(end, selectors.EVENT_READ, end)
            while True:
                for key, _ in ready.select():
                    end: socket.socket = key.data
                    data = end.recv(65_536)
                    self._flows.wait()
                    if not data and end in self._halves:
                        ready.unregister(near)
                        continue
                    if not data:
                        return
                    if end is near:
                        self.round_trips += answered
                        answered = False
                        far.sendall(data)
                        continue
                    if not begun and (place := data.find(_KEY_OF_SESSION)) >= 0:
                        data, begun = data[: place + 5] + b'\x7f\xff\xff\xff' + data[place + 9 :], True
                    answered = True
                    near.sendall(data)


_KEY_OF_SESSION = b'K\0\0\0\x0c'
"""The prefix of the message that contains the process id of the server."""
