"""Ports for servers that tests start."""

import socket
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def reserved_port() -> Generator[int]:
    """Yields a port on 127.0.0.1 that no other program gets by chance before a server listens on it, or between two.

    A socket that is bound and does not listen keeps the port. A server that names the port may listen beside it, since
    both reuse addresses, as servers do.
    """
    with socket.socket() as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(('127.0.0.1', 0))
        yield reserved.getsockname()[1]
