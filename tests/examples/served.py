"""The server of the example on a local port: in a thread, or in its own process, which can be killed."""

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

_ROOT = Path(__file__).parents[2]
_LONGEST = 120.0
"""The seconds that a server may take to start on a busy machine."""
_ServedT = TypeVar('_ServedT', bound='Served')


@dataclass
class Served(ABC):
    """The server on a folder, always on the same port."""

    folder: Path
    port: int = field(default_factory=lambda: _free_port())

    @property
    def address(self) -> str:
        return f'http://127.0.0.1:{self.port}'

    @abstractmethod
    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the server if it is running."""

    def _wait(self) -> None:
        patience = time.monotonic() + _LONGEST
        while True:
            try:
                socket.create_connection(('127.0.0.1', self.port), timeout=5).close()
                return
            except OSError:
                assert time.monotonic() < patience, 'the server does not start'
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


@contextmanager
def started(served: _ServedT) -> Generator[_ServedT]:
    """Yields the started server and stops it at the end."""
    try:
        served.start()
        yield served
    finally:
        served.stop()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        return free.getsockname()[1]
