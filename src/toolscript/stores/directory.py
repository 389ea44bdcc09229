"""A store in files."""

import itertools
import os
import platform
import re
import time
from collections.abc import AsyncGenerator, Collection, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from anyio import to_thread

from .file_lock import file_lock


@dataclass(frozen=True)
class DirectoryStore:
    """A store with one file for each key. Several processes may share the directory, even on a network file system."""

    folder: Path
    """The folder; created if it does not exist. Unencrypted files reveal the data of scripts."""
    ttl: timedelta = timedelta(days=30)
    """`forget_old` removes files that have not been written for this long."""
    _swept: list[bool] = field(default_factory=list[bool], init=False, repr=False, compare=False)

    async def save(self, key: str, text: str, /) -> None:
        """Save a text. When this returns, the complete text is on disk."""
        await to_thread.run_sync(self._write, key, text)

    async def load(self, key: str, /) -> str | None:
        """Return the text of a key."""
        return await to_thread.run_sync(_read, self._path(key))

    @asynccontextmanager
    async def lock(self, key: str, /) -> AsyncGenerator[bool]:
        """Lock a key. The context's value is whether it was free. Network file systems must support such locks."""
        with file_lock(self.folder / f'{key}.claim') as held:
            yield held

    def forget_old(self) -> int:
        """Remove old files and return their number; for a daily job."""
        limit = time.time() - self.ttl.total_seconds()
        old = [path for path in self.folder.glob('*.snapshot') if _written(path) < limit]
        for path in old:
            path.unlink(missing_ok=True)
        for folder in (self.folder, *self.folder.glob('functions/*')):
            remove_drafts(folder, older_than=self.ttl.total_seconds())
        return len(old)

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Save a text as that version, in its own file, if the version does not exist."""
        return await to_thread.run_sync(_put_version, self._functions(owner), name, version, text)

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """Return the newest version of each name."""
        return await to_thread.run_sync(_newest_versions, self._functions(owner), names)

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """Return all versions of a name."""
        return await to_thread.run_sync(_every_versions, self._functions(owner), name)

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove versions and return their number."""
        return await to_thread.run_sync(_remove_version, self._functions(owner), name, up_to)

    def _functions(self, owner: str) -> Path:
        return self.folder / 'functions' / owner

    def _write(self, key: str, text: str) -> None:
        if not self.folder.is_dir():
            make_folder(self.folder)
        if not self._swept:
            self._swept.append(True)
            remove_drafts(self.folder)
        write_whole(self._path(key), text.encode('ascii'))

    def _path(self, key: str) -> Path:
        return self.folder / f'{key}.snapshot'


_FILE = re.compile(r'(?P<name>\w+)\.(?P<version>\d+)\.function', re.ASCII)


def _put_version(folder: Path, name: str, version: int, text: str) -> bool:
    if not folder.is_dir():
        make_folder(folder)
    path = _path(folder, name, version)
    with draft_of(path, text.encode('ascii')) as draft:
        try:
            # Unlike renaming, linking never replaces an existing file.
            os.link(draft, path)
        except FileExistsError:
            return False
    flush_folder(folder)
    return True


def _newest_versions(folder: Path, names: Collection[str] | None) -> Mapping[str, tuple[int, str]]:
    latest = dict[str, int]()
    for name, version in _versions(folder):
        if names is None or name in names:
            latest[name] = max(version, latest.get(name, 0))
    found = {name: (version, _read(_path(folder, name, version))) for name, version in sorted(latest.items())}
    return {name: (version, text) for name, (version, text) in found.items() if text is not None}


def _every_versions(folder: Path, name: str) -> Mapping[int, str]:
    versions = sorted(version for known, version in _versions(folder) if known == name)
    return {version: text for version in versions if (text := _read(_path(folder, name, version))) is not None}


def _remove_version(folder: Path, name: str, up_to: int | None) -> int:
    # The newest is removed last, so that concurrent readers never mistake an older version for it.
    wanted = sorted(version for known, version in _versions(folder) if known == name)
    old = [version for version in wanted if up_to is None or version <= up_to]
    for version in old:
        _path(folder, name, version).unlink(missing_ok=True)
    return len(old)


def _versions(folder: Path) -> list[tuple[str, int]]:
    try:
        files = [_FILE.fullmatch(entry.name) for entry in os.scandir(folder)]
    except FileNotFoundError:
        return []
    return [(found['name'], int(found['version'])) for found in files if found is not None]


def _read(path: Path) -> str | None:
    try:
        # A damaged text is invalid, not an error: it would hide the other functions of its folder.
        return path.read_bytes().decode(errors='replace')
    except FileNotFoundError:
        return None


def _path(folder: Path, name: str, version: int) -> Path:
    return folder / f'{name}.{version}.function'


_NUMBERS = itertools.count()
_DRAFT = re.compile(r'\.(?P<host>[^.]*)-(?P<process>\d+)-\d+\.draft')


def write_whole(path: Path, content: bytes) -> None:
    """Replace the content of a file: it is on disk when this returns, even after a power failure.

    The text is written to a draft next to the file, which then replaces the file. The draft is flushed before that and
    the folder afterwards, because a folder that is not flushed may lose the renaming of a flushed file. Names of drafts
    identify their process, so that those of dead processes can be removed.
    """
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
        owner, old = _DRAFT.search(path.name), _written(path) < time.time() - older_than
        if old or (owner is not None and owner['host'] == _host() and not _is_alive(int(owner['process']))):
            path.unlink(missing_ok=True)


def _written(path: Path) -> float:
    """Return when a file was written; infinity if another process has just removed it."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return float('inf')


def _host() -> str:
    return re.sub(r'[^A-Za-z0-9]', '_', platform.node())


def _is_alive(process: int) -> bool:
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
