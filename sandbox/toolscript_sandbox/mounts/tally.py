"""Counts the contents of folders that have a quota, across all sessions of the process that write there.

Incomplete files ("parts") have names that scripts can neither see nor use. A process that is killed during a write
leaves its part behind. Parts do not count towards a quota, and old ones are deleted.
"""

import errno
import os
import secrets
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from .folders import Folder, os_error


def part_name() -> str:
    return f'{_MARK}{secrets.token_hex(8)}'


def is_part(name: str) -> bool:
    # Some file systems ignore case in names.
    return name.lower().startswith(_MARK)


def drop_if_old(name: str, fd: int) -> None:
    """Delete the part of that name in an open folder if it is so old that no script can still be writing it."""
    with suppress(OSError):
        if os.stat(name, dir_fd=fd, follow_symlinks=False).st_mtime < time.time() - _PART_SECONDS:
            os.unlink(name, dir_fd=fd)


_MARK = '.toolscript-part-'
_PART_SECONDS = 3_600


@dataclass
class FolderUsage:
    """The bytes and files in one folder."""

    used_bytes: int = 0
    files: int = 0
    counted_at: float = float('-inf')
    """When the folder was counted, on the monotonic clock."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fits(self, folder: Folder, more_bytes: int, more_files: int) -> bool:
        bytes_fit = folder.max_bytes is None or more_bytes <= 0 or self.used_bytes + more_bytes <= folder.max_bytes
        files_fit = folder.max_files is None or more_files <= 0 or self.files + more_files <= folder.max_files
        return bytes_fit and files_fit

    def count(self, folder: Folder) -> None:
        """Count the folder again, which includes the writes of other processes and deletions."""
        assert sys.platform != 'win32'
        self.used_bytes = self.files = 0
        most = (folder.max_files or 0) + _MARGIN
        for _, folders, files, fd in os.fwalk(folder.path, follow_symlinks=False):
            for part in filter(is_part, files):
                drop_if_old(part, fd)
            whole = [name for name in files if not is_part(name)]
            self.files += len(folders) + len(whole)
            self.used_bytes += sum(_size(name, fd) for name in whole)
            if folder.max_files is not None and self.files > most:
                break
        self.counted_at = time.monotonic()


@contextmanager
def room_for(folder: Folder, more_bytes: int, more_files: int) -> Generator[None]:
    """Reserve room during a write, so that two writes never use the same room.

    Raises:
        OSError: The folder's quota would be exceeded.
    """
    if folder.max_bytes is None and folder.max_files is None:
        yield
        return
    tally = _tally_of(folder.path)
    with tally.lock:
        is_old = time.monotonic() - tally.counted_at > _SECONDS
        if is_old or not tally.fits(folder, more_bytes, more_files):
            tally.count(folder)
        if not tally.fits(folder, more_bytes, more_files):
            raise os_error(errno.EDQUOT)
        try:
            yield
        except BaseException:
            # It is unknown how much was written.
            tally.counted_at = float('-inf')
            raise
        tally.used_bytes += more_bytes
        tally.files += more_files


def _size(name: str, fd: int) -> int:
    try:
        return os.stat(name, dir_fd=fd, follow_symlinks=False).st_size
    except OSError:
        return 0


def _tally_of(path: str) -> FolderUsage:
    with _LOCK:
        if path not in _TALLIES and len(_TALLIES) >= _MAX_TALLIES:
            _TALLIES.pop(next(iter(_TALLIES)))
        return _TALLIES.setdefault(path, FolderUsage())


_LOCK = threading.Lock()
_TALLIES = dict[str, FolderUsage]()
_MAX_TALLIES = 10_000
_MARGIN = 1_000
_SECONDS = 1.0
"""How long a count is trusted, because other processes may write there too."""
