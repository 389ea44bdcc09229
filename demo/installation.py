"""Separate environments for MCP servers, installed from locked requirements and kept until the lock changes."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_REPOSITORY = Path(__file__).parent.parent
_LOCKS = Path(__file__).parent / 'locks'
_ENVIRONMENTS = _REPOSITORY / '.servers'
_PATIENCE = ('--fetch-retries', '1', '--fetch-retry-mintimeout', '1000', '--fetch-timeout', '30000')
"""By default, npm waits minutes for a registry that does not answer."""


@dataclass
class CannotInstall(Exception):
    reason: str
    needs_node: bool = False
    """Whether the cause is a missing node, which is optional."""


def python_environment(name: str) -> Path:
    """Return the interpreter of the environment that ``locks/<name>.lock`` describes.

    Raises:
        CannotInstall: There is no uv, or it failed.
    """
    lock = _LOCKS / f'{name}.lock'
    return _installed(name, lock, lambda folder: _install_python(folder, lock)) / 'bin' / 'python'


def install_packages(lock: Path, folder: Path) -> None:
    """Install locked packages, without their dependencies, for this version of Python.

    Raises:
        CannotInstall: There is no uv, or it failed.
    """
    into = ('--python', sys.executable, '--target', str(folder))
    _run(_uv(), 'pip', 'install', '--quiet', *into, '--no-deps', '--require-hashes', '-r', str(lock))


def node_modules() -> Path:
    """Return the ``node_modules`` that ``locks/package-lock.json`` describes.

    Raises:
        CannotInstall: There is no node or npm, or npm failed.
    """
    return _installed('node', _LOCKS / 'package-lock.json', _install_node) / 'node_modules'


def _installed(name: str, lock: Path, install: Callable[[Path], None]) -> Path:
    folder = _ENVIRONMENTS / name
    stamp = folder / 'installed-from'
    wanted = lock.read_bytes()
    with _alone(name):
        if not stamp.is_file() or stamp.read_bytes() != wanted:
            if (folder, wanted) in _failures:
                raise _failures[folder, wanted]
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                install(folder)
            except CannotInstall as error:
                _failures[folder, wanted] = error
                raise
            stamp.write_bytes(wanted)
    return folder


_failures: dict[tuple[Path, bytes], CannotInstall] = {}
"""Failed installations of this process. Several servers share an environment, and one attempt is enough."""


@contextmanager
def _alone(name: str) -> Generator[None]:
    """Keep other processes from installing the same environment at the same time."""
    _ENVIRONMENTS.mkdir(exist_ok=True)
    with (_ENVIRONMENTS / f'{name}.busy').open('w') as busy:
        if sys.platform != 'win32':
            import fcntl

            fcntl.flock(busy, fcntl.LOCK_EX)
        yield


def _install_python(folder: Path, lock: Path) -> None:
    uv = _uv()
    _run(uv, 'venv', '--quiet', '--allow-existing', '--python', sys.executable, str(folder))
    _run(uv, 'pip', 'install', '--quiet', '--python', str(folder), '--require-hashes', '-r', str(lock))


def _install_node(folder: Path) -> None:
    _program('node')
    npm = _program('npm')
    for name in ('package.json', 'package-lock.json'):
        shutil.copyfile(_LOCKS / name, folder / name)
    quiet = ('--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error')
    _run(npm, 'ci', '--prefix', str(folder), *quiet, *_PATIENCE)


def _uv() -> str:
    return _program('uv', Path(sys.executable).parent, _REPOSITORY / '.venv' / 'bin')


def _program(name: str, *places: Path) -> str:
    for place in places:
        if (place / name).is_file():
            return str(place / name)
    found = shutil.which(name)
    if found is None:
        raise CannotInstall(f'{name} is not on the PATH', needs_node=name in {'node', 'npm'})
    return found


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        message = '\n'.join(done.stderr.strip().splitlines()[:3])
        raise CannotInstall(f'{Path(command[0]).name} {command[1]} failed: {message}')
