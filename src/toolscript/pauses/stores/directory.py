"""A store in files."""

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from anyio import to_thread

from .file_claim import file_claim
from .whole_files import make_folder, remove_drafts, write_whole


@dataclass(frozen=True)
class DirectoryStore:
    """One file for each key. Several processes may share the directory; a network file system will do."""

    folder: Path
    """Made if it is not there. Whoever can read it can read what scripts hold."""
    max_age: timedelta = timedelta(days=30)
    """`forget_old` removes what was not written for so long."""
    _swept: list[bool] = field(default_factory=list[bool], init=False, repr=False, compare=False)

    async def save(self, key: str, text: str, /) -> None:
        """Keep a text: it is on disk, whole, when this returns."""
        await to_thread.run_sync(self._write, key, text)

    async def load(self, key: str, /) -> str | None:
        """The text of a key."""
        return await to_thread.run_sync(self._read, key)

    @asynccontextmanager
    async def claim(self, key: str, /) -> AsyncGenerator[bool]:
        """Whether no other task or process has the key. Over a network, as far as its locks reach."""
        with file_claim(self.folder / f'{key}.claim') as held:
            yield held

    def forget_old(self) -> int:
        """Remove old files; how many there were. For a job that runs once a day or so."""
        limit = time.time() - self.max_age.total_seconds()
        old = [path for path in self.folder.glob('*.snapshot') if path.stat().st_mtime < limit]
        for path in old:
            path.unlink(missing_ok=True)
        remove_drafts(self.folder, older_than=self.max_age.total_seconds())
        return len(old)

    def _write(self, key: str, text: str) -> None:
        if not self.folder.is_dir():
            make_folder(self.folder)
        if not self._swept:
            self._swept.append(True)
            remove_drafts(self.folder)
        write_whole(self._path(key), text.encode('ascii'))

    def _read(self, key: str) -> str | None:
        try:
            return self._path(key).read_bytes().decode('ascii')
        except FileNotFoundError:
            return None

    def _path(self, key: str) -> Path:
        return self.folder / f'{key}.snapshot'
