"""The server of the example on a local port: in a thread, or in a process that can be killed."""

import os
import socket
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import uvicorn
from pydantic_ai.models import Model

from examples.approvals.app import create_app
from examples.approvals.offline import offline_model
from tests.ports import reserved_port

_ROOT = Path(__file__).parents[2]
_LONGEST = 120.0
"""The seconds that a server may take to start on a busy machine."""
_ServedT = TypeVar('_ServedT', bound='Served')


@dataclass
class Served(ABC):
    """The server of a folder, always on the same port, which `started` reserves."""

    folder: Path
    port: int = field(default=0, init=False)

    @property
    def address(self) -> str:
        return f'http://127.0.0.1:{self.port}'

    @abstractmethod
    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the server if it is running."""

    @property
    @abstractmethod
    def _has_ended(self) -> bool:
        """Return whether the server ended by itself."""

    def _wait(self) -> None:
        patience = time.monotonic() + _LONGEST
        while True:
            try:
                socket.create_connection(('127.0.0.1', self.port), timeout=5).close()
                return
            except OSError:
                assert not self._has_ended, 'the server has ended before it accepted a connection'
                assert time.monotonic() < patience, f'no server accepts connections at {self.address}'
                time.sleep(0.05)


@dataclass
class ServedHere(Served):
    """A server in a thread, which starts immediately."""

    model: Model = field(default_factory=offline_model)
    _server: uvicorn.Server | None = field(default=None, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def start(self) -> None:
        app = create_app(self.model, self.folder)
        config = uvicorn.Config(app, host='127.0.0.1', port=self.port, log_level='error', timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        self._wait()

    def stop(self) -> None:
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join()
            self._server = None

    @property
    def _has_ended(self) -> bool:
        return self._thread is None or not self._thread.is_alive()


@dataclass
class ServedApart(Served):
    """A server in a process, which is killed in the middle of its work."""

    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        arguments = ['--port', str(self.port), '--folder', str(self.folder), '--pace', '0']
        environment = {name: value for name, value in os.environ.items() if name != 'MODEL'}
        self._process = subprocess.Popen(
            [sys.executable, '-m', 'examples.approvals', *arguments],
            cwd=_ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        self._wait()

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @property
    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None


@contextmanager
def started(served: _ServedT) -> Generator[_ServedT]:
    """Yields the started server and stops it at the end."""
    with reserved_port() as served.port:
        try:
            served.start()
            yield served
        finally:
            served.stop()
