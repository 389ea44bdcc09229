"""A file lock that the operating system releases when the process dies, even if it has forked.

It uses `fcntl.lockf`, whose locks belong to a process: a forked child neither has the lock nor can release it. Locks of
`flock` belong to the open file, which children share: workers of a process pool that a tool started while the script
runs would hold the lock of a parent that died long ago. The costs: a process does not lock itself out, so its locks are
recorded here, and closing any descriptor of the file releases the lock, so nothing else may open it.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from pydantic_ai import UserError

try:
    import fcntl
except ImportError:  # not on this system
    fcntl: ModuleType | None = None

_Holder: TypeAlias = tuple[int, object]
_held = dict[str, _Holder]()
"""The locks of this process; entries that a forked child inherits have its parent's number."""


@contextmanager
def file_lock(path: Path) -> Generator[bool]:
    """Take the lock until the end of the `with` or of the process. The context's value is whether it was free.

    Args:
        path: A file that exists while a process holds the lock. Nothing here waits, so cancelling a task leaves nothing
            half done.

    Raises:
        UserError: The system does not support such locks.
    """
    if fcntl is None:
        raise UserError(
            'Locks on files need fcntl, which only POSIX systems have. Elsewhere, use MemoryStore in one process, '
            'or a store of your own with lock(key).'
        )
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = os.path.realpath(path)
    mine: _Holder = (os.getpid(), object())
    holder = _held.setdefault(name, mine)
    if holder is not mine and holder[0] == mine[0]:
        yield False
        return
    _held[name] = mine
    try:
        with _locked(path, mine[0]) as held:
            yield held
    finally:
        if os.getpid() == mine[0]:
            del _held[name]


@contextmanager
def _locked(path: Path, mine: int) -> Generator[bool]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        held = _lock(descriptor) and _is_still(path, descriptor)
        try:
            yield held
        finally:
            # A child that leaves its parent's stack releases nothing.
            if held and os.getpid() == mine:
                path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    assert fcntl is not None
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _is_still(path: Path, descriptor: int) -> bool:
    # A previous holder of the lock may have removed the file after it was opened here.
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
