"""Atomic file writes that also survive a power failure.

A new text is written to a draft next to the file, which then replaces the file. The draft is flushed before that and
the folder afterwards, because a folder that is not flushed may lose the renaming of a flushed file. Names of drafts
identify their process, so that those of dead processes can be removed.
"""

import itertools
import os
import platform
import re
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_NUMBERS = itertools.count()
_DRAFT = re.compile(r'\.(?P<host>[^.]*)-(?P<process>\d+)-\d+\.draft')


def write_whole(path: Path, content: bytes) -> None:
    """Replace the content of a file: it is on disk when this returns."""
    with draft_of(path, content) as draft:
        draft.replace(path)
    flush_folder(path.parent)


@contextmanager
def draft_of(path: Path, content: bytes) -> Generator[Path]:
    """Yield a file next to `path` that has the content, on disk; it is removed at the end, unless it was moved."""
    draft = path.with_name(f'{path.name}.{_host()}-{os.getpid()}-{next(_NUMBERS)}.draft')
    try:
        with draft.open('xb') as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Create the folder and its parents, accessible only to this user."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path in missing:
        flush_folder(path.parent)


def remove_drafts(folder: Path, *, older_than: float = float('inf')) -> None:
    """Remove drafts of dead processes on this machine, and any drafts that are older than this many seconds."""
    for path in folder.glob('*.draft'):
        owner = _DRAFT.search(path.name)
        try:
            old = path.stat().st_mtime < time.time() - older_than
        except FileNotFoundError:
            continue
        if old or (owner is not None and owner['host'] == _host() and not _lives(int(owner['process']))):
            path.unlink(missing_ok=True)


def _host() -> str:
    return re.sub(r'[^A-Za-z0-9]', '_', platform.node())


def _lives(process: int) -> bool:
    if os.name != 'posix':
        # On other systems, checking a process with a signal would end it.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def flush_folder(folder: Path) -> None:
    if os.name != 'posix':
        # Folders cannot be opened there.
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
