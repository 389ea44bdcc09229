"""Files that are there whole or as they were, also when the power fails.

A new text goes into a draft beside the file, and from there into its place. The draft is flushed before it takes the
place, and the folder after it did: a folder that is not flushed may forget the renaming of a file that is. Drafts say
whose they are, so that those of dead processes can be removed.
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
    """Put the content in place of what the file had: it is on disk when this returns."""
    with draft_of(path, content) as draft:
        draft.replace(path)
    flush_folder(path.parent)


@contextmanager
def draft_of(path: Path, content: bytes) -> Generator[Path]:
    """A file beside that one which has the content, on disk; gone at the end, unless it was moved."""
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
    """Make the folder and those above it, for this user alone."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path in missing:
        flush_folder(path.parent)


def remove_drafts(folder: Path, *, older_than: float = float('inf')) -> None:
    """Remove the drafts of processes of this machine that died, and those of any that are so many seconds old."""
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
        # There, asking for a process by a signal would end it.
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
