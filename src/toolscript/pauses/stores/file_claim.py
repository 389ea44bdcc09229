"""A claim that the operating system takes back when its process dies."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def file_claim(path: Path) -> Generator[bool]:
    """Whether the claim could be had; it is held to the end of the `with`, and no longer than the process lives.

    Args:
        path: A file that is there while somebody holds the claim. Nothing here waits, so nothing is left half done by
            a task that is cancelled.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        held = _locked(descriptor) and _is_still(path, descriptor)
        try:
            yield held
        finally:
            if held:
                path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(path: Path, descriptor: int) -> bool:
    # Whoever held the claim before may have removed the file after it was opened here.
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
