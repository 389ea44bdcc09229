"""A store in an SQLite file."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import AsyncGenerator, Callable, Collection, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from anyio import to_thread

from . import sqlite_versions
from .file_lock import file_lock

if TYPE_CHECKING:
    import sqlite3


T = TypeVar('T')

_TABLE = """
create table if not exists toolscript_snapshots (
    key text primary key, text text not null, saved real not null
) without rowid
"""
_SAVE = """
insert into toolscript_snapshots (key, text, saved) values (?, ?, ?)
on conflict (key) do update set text = excluded.text, saved = excluded.saved
"""


class _Opened:
    """A connection of one process, which only that process closes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.process = os.getpid()
        self.finish: Callable[[], object] = self.close

    def close(self) -> None:
        if self.process == os.getpid():
            self.connection.close()


@dataclass
class SqliteStore:
    """One row for each key, and for each version of a kept function.

    The processes of one machine may share the file; claims are files in a folder beside it.

    A text that was saved survives the death of the process; with `power_safe`, the machine's as well. The file is
    opened by the first use, and closed by `close`, at the end of an `async with`, or when nobody has the store any
    more.
    """

    path: Path | str
    power_safe: bool = False
    """Wait for the disk at every write, which takes some milliseconds."""
    ttl: timedelta = timedelta(days=30)
    """`forget_old` removes what was not written for so long."""
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _opened: _Opened | None = field(default=None, init=False, repr=False, compare=False)

    async def __aenter__(self) -> Self:
        """The store; the end of the `async with` closes the file."""
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Close the file."""
        await to_thread.run_sync(self.close)

    async def save(self, key: str, text: str, /) -> None:
        """Keep a text: it is in the file when this returns."""
        await to_thread.run_sync(self._save, key, text)

    async def load(self, key: str, /) -> str | None:
        """The text of a key."""
        return await to_thread.run_sync(self._load, key)

    @asynccontextmanager
    async def lock(self, key: str, /) -> AsyncGenerator[bool]:
        """Whether no other task or process of this machine has the key."""
        with file_lock(Path(f'{self.path}-claims', key)) as held:
            yield held

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Keep a text as that version, if it is free."""
        return await self._on_versions(lambda file: sqlite_versions.put(file, owner, name, version, text))

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """The newest version of each name."""
        return await self._on_versions(lambda file: sqlite_versions.newest(file, owner, names))

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """All versions of a name."""
        return await self._on_versions(lambda file: sqlite_versions.every(file, owner, name))

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove versions; how many there were."""
        return await self._on_versions(lambda file: sqlite_versions.remove(file, owner, name, up_to))

    def forget_old(self) -> int:
        """Remove old rows; how many there were. For a job that runs once a day or so."""
        with self._open() as connection:
            limit = time.time() - self.ttl.total_seconds()
            return connection.execute('delete from toolscript_snapshots where saved < ?', (limit,)).rowcount

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            opened, self._opened = self._opened, None
            if opened is not None:
                opened.finish()

    def _save(self, key: str, text: str) -> None:
        with self._open() as connection:
            connection.execute(_SAVE, (key, text, time.time()))

    def _load(self, key: str) -> str | None:
        with self._open() as connection:
            row = connection.execute('select text from toolscript_snapshots where key = ?', (key,)).fetchone()
        return None if row is None else row[0]

    async def _on_versions(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def working() -> T:
            with self._open() as connection:
                return work(connection)

        return await to_thread.run_sync(working)

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        with self._lock:
            if self._opened is None or self._opened.process != os.getpid():
                # A connection must not be used on both sides of a fork; the parent's stays as it is.
                self._opened = _Opened(self._connect())
                self._opened.finish = weakref.finalize(self, self._opened.close)
            yield self._opened.connection

    def _connect(self) -> sqlite3.Connection:
        import sqlite3

        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
        connection.execute('pragma journal_mode = wal')
        connection.execute(f'pragma synchronous = {"full" if self.power_safe else "normal"}')
        connection.execute(_TABLE)
        connection.execute(sqlite_versions.TABLE)
        return connection
