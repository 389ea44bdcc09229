"""The file operations of scripts, carried out on the host. Errors contain only the script's path."""

import errno
import os
import stat
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

from .folders import FileLimits, Folder, os_error
from .tally import is_part, part_name, room_for
from .walking import ResolvedPath, walked

Mode: TypeAlias = Literal['r', 'w', 'a', 'x']
Kind: TypeAlias = Literal['file', 'folder', 'link', 'other']


@dataclass(frozen=True)
class HostFiles:
    """The folders of one session. Each method raises `OSError` as Python's own functions do, with the script's path.

    Links are never followed: `exists` is false for them, and opening one is `ELOOP`. Devices, pipes, sockets, and files
    that have a second name on the host are visible but cannot be opened.
    """

    folders: Mapping[str, Folder]
    limits: FileLimits = field(default_factory=FileLimits)
    cwd: str = '/'
    """The folder that relative paths start from."""

    def read(self, path: PurePosixPath) -> bytes:
        """Return the contents of a file."""
        with _errors_with_script_paths(path), self._spot(path) as spot, _opened(spot, os.O_RDONLY) as fd:
            return _all_of(fd, self.limits.file_bytes)

    def open(self, path: PurePosixPath, mode: Mode) -> None:
        """Do what opening a file does: check that it exists, create it or truncate it."""
        with _errors_with_script_paths(path), self._spot(path) as spot:
            if mode == 'r':
                with _opened(spot, os.O_RDONLY):
                    return
            spot = _writable(spot)
            if mode == 'x' or not _is_there(spot):
                try:
                    with room_for(spot.folder, 0, 1), _opened(spot, os.O_WRONLY | os.O_CREAT | os.O_EXCL):
                        return
                except FileExistsError:
                    # Another process created it at this moment.
                    if mode == 'x':
                        raise
            with _opened(spot, os.O_WRONLY) as fd:
                if mode == 'w':
                    # The room that this frees is found when the folder is counted again.
                    os.ftruncate(fd, 0)

    def write(self, path: PurePosixPath, data: str | bytes) -> int:
        """Replace the contents of the file, or create it. Returns the length of the data."""
        self.open(path, 'w')
        return self.append(path, data)

    def put(self, path: PurePosixPath, data: bytes) -> None:
        """Write a file of the host atomically: it is complete or absent, even if this process dies."""
        with _errors_with_script_paths(path), self._spot(path) as spot:
            spot = _writable(spot)
            if len(data) > self.limits.file_bytes:
                raise os_error(errno.EFBIG)
            before = _size(spot)
            with room_for(spot.folder, len(data) - (before or 0), 1 if before is None else 0):
                _put(replace(spot, name=part_name()), spot.name, data)

    def append(self, path: PurePosixPath, data: str | bytes) -> int:
        """Append to the file. Returns the length of the data."""
        content = data.encode() if isinstance(data, str) else data
        with _errors_with_script_paths(path), self._spot(path) as spot:
            spot = _writable(spot)
            with _opened(spot, os.O_WRONLY | os.O_APPEND) as fd:
                if os.fstat(fd).st_size + len(content) > self.limits.file_bytes:
                    raise os_error(errno.EFBIG)
                with room_for(spot.folder, len(content), 0):
                    _write_all(fd, content)
        return len(data)

    def touch(self, path: PurePosixPath, exist_ok: bool) -> None:
        """Create an empty file, or update the time of an existing one."""
        with _errors_with_script_paths(path), self._spot(path) as spot:
            spot = _writable(spot)
            if exist_ok and _is_there(spot):
                with _opened(spot, os.O_WRONLY) as fd:
                    os.utime(fd)
                return
        self.open(path, 'x')

    def stat(self, path: PurePosixPath) -> os.stat_result | None:
        """Return the `os.stat_result` of a file or folder; `None` for the scripts' root."""
        with _errors_with_script_paths(path), self._spot(path) as spot:
            if spot is None:
                return None
            found = spot.stat()
            if stat.S_ISLNK(found.st_mode):
                raise os_error(errno.ELOOP)
            return found

    def kind(self, path: PurePosixPath) -> Kind | Literal['nothing']:
        """Return what exists at the path."""
        try:
            with _errors_with_script_paths(path), self._spot(path) as spot:
                return 'folder' if spot is None else _kind(spot.stat().st_mode)
        except OSError as error:
            if error.errno in _NOT_THERE:
                return 'nothing'
            raise

    def names(self, path: PurePosixPath) -> list[str]:
        """Return the sorted names of a folder's entries."""
        with _errors_with_script_paths(path), self._spot(path) as spot:
            return sorted(name for name, _ in self._listed(spot))

    def tree(self, path: PurePosixPath, depth: int | None) -> list[tuple[str, Kind]]:
        """Return the relative paths in a folder, down to this many levels, with their kinds. The folder itself is ''.

        Never follows links.
        """
        with _errors_with_script_paths(path), self._spot(path) as spot:
            kind: Kind = 'folder' if spot is None else _kind(spot.stat().st_mode)
        found = list[tuple[str, Kind]]([('', kind)])
        waiting = [('', 0)] if kind == 'folder' else []
        while waiting:
            relative, level = waiting.pop()
            if level == depth:
                continue
            if level == _DEEPEST:
                raise OSError(errno.E2BIG, f'Folders more than {_DEEPEST} deep', str(path))
            for entry in self._entries(path, relative):
                found.append(entry)
                if len(found) > self.limits.entries:
                    raise OSError(errno.E2BIG, f'More than {self.limits.entries:,} entries', str(path))
                if entry[1] == 'folder':
                    waiting.append((entry[0], level + 1))
        return found

    def mkdir(self, path: PurePosixPath, _mode: int = 0o777, *, parents: bool = False, exist_ok: bool = False) -> None:
        """Create a folder."""
        try:
            self._mkdir(path)
        except FileNotFoundError:
            if not parents or path.parent == path:
                raise
            self.mkdir(path.parent, parents=True, exist_ok=True)
            self.mkdir(path, exist_ok=exist_ok)
        except OSError:
            if not exist_ok or self.kind(path) != 'folder':
                raise

    def unlink(self, path: PurePosixPath) -> None:
        """Remove a file."""
        with _errors_with_script_paths(path), self._spot(path) as spot:
            spot = _writable(spot)
            found = spot.stat()
            if stat.S_ISDIR(found.st_mode):
                raise os_error(errno.EISDIR)
            with room_for(spot.folder, -found.st_size, -1):
                os.unlink(spot.name, dir_fd=spot.fd)

    def rmdir(self, path: PurePosixPath) -> None:
        """Remove an empty folder."""
        with _errors_with_script_paths(path), self._spot(path) as spot:
            spot = _writable(spot)
            with room_for(spot.folder, 0, -1):
                os.rmdir(spot.name or '.', dir_fd=spot.fd)

    def rename(self, path: PurePosixPath, target: str | PurePosixPath) -> None:
        """Rename a file or folder, which replaces an existing file of that name."""
        with _errors_with_script_paths(path, target), self._spot(path) as spot, self._spot(target) as to:
            spot, to = _writable(spot), _writable(to)
            if spot.folder != to.folder:
                raise os_error(errno.EXDEV)
            with room_for(to.folder, 0, 0):
                os.rename(spot.name, to.name, src_dir_fd=spot.fd, dst_dir_fd=to.fd)

    @contextmanager
    def _spot(self, path: str | PurePosixPath) -> Generator[ResolvedPath | None]:
        with walked(PurePosixPath(self.cwd) / path, self.folders) as spot:
            yield spot

    def _mkdir(self, path: PurePosixPath) -> None:
        with _errors_with_script_paths(path), self._spot(path) as spot:
            if spot is None or not spot.name:
                raise os_error(errno.EEXIST)
            if spot.folder.writable or not _is_there(spot):
                spot = _writable(spot)
            with room_for(spot.folder, 0, 1):
                os.mkdir(spot.name, dir_fd=spot.fd)

    def _entries(self, start: PurePosixPath, relative: str) -> Iterator[tuple[str, Kind]]:
        path = start / relative
        try:
            with _errors_with_script_paths(path), self._spot(path) as spot:
                listed = sorted(self._listed(spot))
        except OSError as error:
            # Others were removed since they were listed, or are not readable.
            if not relative or error.errno == errno.E2BIG:
                raise
            return
        for name, mode in listed:
            yield f'{relative}/{name}' if relative else name, _kind(mode)

    def _listed(self, spot: ResolvedPath | None) -> list[tuple[str, int]]:
        if spot is None:
            return [(name.removeprefix('/'), stat.S_IFDIR) for name in self.folders]
        fd = _folder(spot)
        try:
            with os.scandir(fd) as entries:
                found = list[tuple[str, int]]()
                for entry in entries:
                    if len(found) >= self.limits.entries:
                        raise OSError(errno.E2BIG, f'More than {self.limits.entries:,} entries')
                    if _is_text(entry.name) and not is_part(entry.name):
                        found.append((entry.name, _mode_of(entry)))
                return found
        finally:
            os.close(fd)


@contextmanager
def _errors_with_script_paths(*paths: str | PurePosixPath) -> Generator[None]:
    """Translate errors about the host's paths to errors about the script's paths."""
    try:
        yield
    except OSError as error:
        number = error.errno or errno.EIO
        words = error.strerror if number == errno.E2BIG and error.strerror else os.strerror(number)
        first, *rest = map(str, paths)
        raise OSError(number, words, first, None, *rest) from None


@contextmanager
def _opened(spot: ResolvedPath | None, flags: int) -> Generator[int]:
    """Open a regular file that has only this name."""
    if spot is None or not spot.name:
        raise os_error(errno.EISDIR)
    if not flags & os.O_EXCL:
        # Merely opening a device may have an effect.
        _check_plain(spot.stat())
    fd = os.open(spot.name, flags | _SAFELY, 0o644, dir_fd=spot.fd)
    try:
        _check_plain(os.fstat(fd))
        yield fd
    finally:
        os.close(fd)


def _check_plain(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise os_error(errno.EISDIR)
    if stat.S_ISLNK(found.st_mode):
        raise os_error(errno.ELOOP)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        raise os_error(errno.EACCES)


def _writable(spot: ResolvedPath | None) -> ResolvedPath:
    """Return the spot. Raises `OSError` for a mounted folder itself, and outside of writable folders."""
    if spot is None or not spot.folder.writable:
        raise os_error(errno.EROFS)
    if spot.is_mount:
        raise os_error(errno.EBUSY)
    return spot


def _folder(spot: ResolvedPath) -> int:
    assert sys.platform != 'win32'
    if not spot.name:
        return os.dup(spot.fd)
    if stat.S_ISLNK(spot.stat().st_mode):
        raise os_error(errno.ELOOP)
    return os.open(spot.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=spot.fd)


def _all_of(fd: int, max_bytes: int) -> bytes:
    if os.fstat(fd).st_size > max_bytes:
        raise os_error(errno.EFBIG)
    parts, size = list[bytes](), 0
    while part := os.read(fd, _PART):
        size += len(part)
        if size > max_bytes:
            # It grew while it was read.
            raise os_error(errno.EFBIG)
        parts.append(part)
    return b''.join(parts)


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest[:_PART]) :]


def _put(part: ResolvedPath, name: str, data: bytes) -> None:
    """Write a temporary file, and rename it when it is complete."""
    try:
        with _opened(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as fd:
            _write_all(fd, data)
        os.rename(part.name, name, src_dir_fd=part.fd, dst_dir_fd=part.fd)
    except OSError:
        with suppress(OSError):
            os.unlink(part.name, dir_fd=part.fd)
        raise


def _size(spot: ResolvedPath) -> int | None:
    """Return the size in bytes; `None` if nothing exists."""
    try:
        return spot.stat().st_size
    except FileNotFoundError:
        return None


def _is_there(spot: ResolvedPath | None) -> bool:
    return spot is None or _size(spot) is not None


def _kind(mode: int) -> Kind:
    if stat.S_ISLNK(mode):
        return 'link'
    return 'folder' if stat.S_ISDIR(mode) else 'file' if stat.S_ISREG(mode) else 'other'


def _mode_of(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_mode
    except OSError:
        return 0


def _is_text(name: str) -> bool:
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


_SAFELY = getattr(os, 'O_NOFOLLOW', 0) | getattr(os, 'O_NONBLOCK', 0) | getattr(os, 'O_NOCTTY', 0)
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
_PART = 1 << 20
_DEEPEST = 64
