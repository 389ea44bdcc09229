"""A PostgreSQL server in its own folder, for tests and benchmarks.

Its programs are those of the wheel `pgserver`; if there is none for this Python or machine, those on the path or in
Debian's folder.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

SETTINGS = {
    'listen_addresses': '',
    'fsync': 'off',  # Tests kill servers, not machines.
    'synchronous_commit': 'off',
    'full_page_writes': 'off',
    'shared_buffers': '16MB',
    'max_connections': '200',
    'log_min_messages': 'fatal',
}


def programs() -> Path | None:
    """Return the folder with `initdb` and `postgres`, or None."""
    wheel = find_spec('pgserver')
    found = [Path(folder, 'pginstall', 'bin') for folder in (wheel.submodule_search_locations or [])] if wheel else []
    on_path = shutil.which('initdb')
    if on_path is not None:
        found.append(Path(on_path).resolve().parent)
    found.extend(sorted(Path('/usr/lib/postgresql').glob('*/bin'), reverse=True))
    return next((folder for folder in found if (folder / 'initdb').exists() and (folder / 'postgres').exists()), None)


@dataclass
class Server:
    """A server that can be stopped and started."""

    folder: Path
    programs: Path
    port: int | None = None
    """The port on 127.0.0.1, in addition to the socket."""
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """The address of the server."""
        return f'postgresql://postgres@/postgres?host={self.folder}&port={self.port or 5432}'

    def create(self) -> None:
        """Create the files of the server."""
        command = ['initdb', '-D', str(self._data), '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C']
        self._run([str(self.programs / command[0]), *command[1:], '--no-sync', '--no-instructions'])

    def copy(self, folder: Path) -> Server:
        """Start a hot standby of the server and return it."""
        folder.chmod(0o755)
        if _USER is not None:
            os.chown(folder, _USER, _USER)
        replica = Server(folder, self.programs)
        self._run(
            [str(self.programs / 'pg_basebackup'), '-d', self.url, '-D', str(replica._data), '-R', '-c', 'fast', '-N']
        )
        replica.start()
        return replica

    def start(self) -> None:
        """Start the server; it accepts connections when this returns."""
        settings = {**SETTINGS, 'unix_socket_directories': str(self.folder)}
        if self.port is not None:
            settings |= {'listen_addresses': '127.0.0.1', 'port': str(self.port)}
        options = [word for name, value in settings.items() for word in ('-c', f'{name}={value}')]
        with (self.folder / 'log').open('ab') as log:
            self.process = subprocess.Popen(
                [str(self.programs / 'postgres'), '-D', str(self._data), *options],
                stdout=log,
                stderr=log,
                user=_USER,
                group=_USER,
                extra_groups=_GROUPS,
            )
        self._wait()

    def stop(self, *, hard: bool = False) -> None:
        """End all sessions and the server; `hard` as in a crash."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT if hard else signal.SIGINT)
            self.process.wait(60)
            self.process = None

    @property
    def _data(self) -> Path:
        return self.folder / 'data'

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=120,
            cwd=self.folder,
            user=_USER,
            group=_USER,
            extra_groups=_GROUPS,
        )
        if done.returncode:
            raise RuntimeError(f'{command[0]}: {done.stderr}')

    def _wait(self) -> None:
        import psycopg

        for _ in range(600):
            assert self.process is not None
            assert self.process.poll() is None, (self.folder / 'log').read_text()
            try:
                psycopg.connect(self.url, autocommit=True).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise TimeoutError((self.folder / 'log').read_text())


_USER = 65534 if os.name == 'posix' and os.geteuid() == 0 else None
"""The user that runs it instead of root, because PostgreSQL refuses to run as root."""
_GROUPS = None if _USER is None else list[int]()


@contextmanager
def postgres_server(found: Path, *, port: int | None = None) -> Generator[Server]:
    """Yields a server that runs until the `with` block ends."""
    folder = Path(tempfile.mkdtemp(prefix='pg-'))
    folder.chmod(0o755)
    server = Server(folder, _within_reach(found, folder), port)
    try:
        if _USER is not None:
            os.chown(folder, _USER, _USER)
        server.create()
        server.start()
        yield server
    finally:
        server.stop(hard=True)
        shutil.rmtree(folder, ignore_errors=True)


def _within_reach(found: Path, folder: Path) -> Path:
    """Return the programs, copied to a place where the user may run them if needed."""
    if _USER is None or all(parent.stat().st_mode & 0o001 for parent in found.resolve().parents):
        return found
    # The programs of the wheel look for its libraries in a folder next to the package.
    package, copy = found.parents[1], folder / 'programs'
    for part in (package, package.with_name(f'{package.name}.libs')):
        if part.is_dir():
            shutil.copytree(part, copy / part.name, symlinks=True)
    return copy / found.relative_to(package.parent)
