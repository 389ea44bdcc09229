"""Resolves a script's path to an open folder of the host, component by component and without following links.

Each step opens one component below the folder that is already open (`dir_fd`), only if it is a folder, and never
through a link (`O_NOFOLLOW`). So there is no gap between check and use: a component that is swapped for a link is
refused when it is opened, and a folder that is moved away is still the folder that was opened. `..` returns to the
previous folder of the walk, which is still open, and never asks the host for one; above a mounted folder is the
scripts' own root, which is not a folder of the host. Names are passed on unchanged, so whichever names the host's file
system treats as equal (case, Unicode forms), each is still one component below the open folder.
"""

import errno
import os
import stat
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from .folders import Folder, os_error
from .tally import is_part


@dataclass(frozen=True)
class ResolvedPath:
    """The target of a path: a name in an open folder."""

    folder: Folder
    fd: int
    """The open folder that the name is in."""
    name: str
    """The name; empty for that folder itself."""
    is_mount: bool = False
    """Whether this is the mounted folder itself."""

    def stat(self) -> os.stat_result:
        """Return the status of the target, without following a link. Raises `OSError`."""
        return os.stat(self.name, dir_fd=self.fd, follow_symlinks=False) if self.name else os.fstat(self.fd)


@contextmanager
def walked(path: PurePosixPath, folders: Mapping[str, Folder]) -> Generator[ResolvedPath | None]:
    """Return the target of the path; `None` for the scripts' root. The opened folders are closed at the end.

    Raises:
        OSError: The path cannot be resolved.
    """
    with ExitStack() as opened:
        yield _walk(_parts(path), folders, opened)


def _walk(parts: list[str], folders: Mapping[str, Folder], opened: ExitStack) -> ResolvedPath | None:
    folder, held = None, list[int]()
    for place, part in enumerate(parts):
        is_last = place == len(parts) - 1
        if part == '..':
            if held:
                held.pop()
        elif folder is None or not held:
            folder = folders.get(f'/{part}')
            if folder is None:
                raise os_error(errno.ENOENT)
            # The developer chose the mounted folder's path, so it may contain links.
            held.append(_open(folder.path, opened))
        elif is_last:
            return ResolvedPath(folder, held[-1], part)
        else:
            held.append(_below(part, held[-1], opened))
    return ResolvedPath(folder, held[-1], '', len(held) == 1) if folder is not None and held else None


def _below(name: str, fd: int, opened: ExitStack) -> int:
    try:
        return _open(name, opened, fd)
    except NotADirectoryError:
        # Linux also raises this for a link that must not be followed.
        if stat.S_ISLNK(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode):
            raise os_error(errno.ELOOP) from None
        raise


def _open(name: str, opened: ExitStack, fd: int | None = None) -> int:
    assert sys.platform != 'win32'
    follow = 0 if fd is None else os.O_NOFOLLOW
    number = os.open(name, os.O_RDONLY | os.O_DIRECTORY | follow, dir_fd=fd)
    opened.callback(os.close, number)
    return number


def _parts(path: PurePosixPath) -> list[str]:
    text = str(path)
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise os_error(errno.EINVAL) from None
    if '\0' in text:
        raise os_error(errno.EINVAL)
    parts = [part for part in path.parts if part != '/' and part != '//']
    if size > _PATH_BYTES or len(parts) > _DEPTH:
        raise os_error(errno.ENAMETOOLONG)
    if any(map(is_part, parts)):
        raise os_error(errno.ENOENT)
    return parts


_PATH_BYTES = 4_096
_DEPTH = 100
"""The maximum number of folders open at a time for one path."""
