"""A claim that the operating system takes back when its process dies, whatever that process forked.

The lock is one of `fcntl.lockf`, which belongs to a process: a forked child does not have it, and cannot give it
back. One of `flock` belongs to the open file, which a child shares: the workers of a process pool, started by a tool
while the script runs, would hold the claim of a parent that died long ago. What it costs: a process does not lock
itself out, so what it holds is written down here, and closing any descriptor of the file ends the claim, so nothing
else may open it.
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
"""The claims of this process; what a child inherits has its parent's number."""


@contextmanager
def file_lock(path: Path) -> Generator[bool]:
    """Whether the lock was free; it is held to the end of the `with`, and no longer than the process lives.

    Args:
        path: A file that exists while a process holds the lock. Nothing here waits, so nothing is left half done by
            a task that is cancelled.

    Raises:
        UserError: The system has no such locks.
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
            # A child that leaves its parent's stack gives nothing back.
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
    # Anyone who held the claim before may have removed the file after it was opened here.
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
