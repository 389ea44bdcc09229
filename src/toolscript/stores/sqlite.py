"""A store in an SQLite file."""

from __future__ import annotations

import json
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
_LOAD = 'select text from toolscript_snapshots where key = ?'


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
    """A store with one row for each key, and for each version of a saved function.

    The processes of one machine may share the file; locks are files in a folder next to it.

    A saved text survives the death of the process; with `power_safe`, also that of the machine. The file is opened on
    first use. It is closed by `close`, at the end of an `async with`, or when the store is garbage-collected.
    """

    path: Path | str
    power_safe: bool = False
    """Whether every write waits for the disk, which takes a few milliseconds."""
    ttl: timedelta = timedelta(days=30)
    """`forget_old` removes rows that have not been written for this long."""
    _locks: dict[int, threading.Lock] = field(
        default_factory=dict[int, threading.Lock], init=False, repr=False, compare=False
    )
    """By process: a fork inherits a lock that a thread holds, without the thread that would release it."""
    _opened: _Opened | None = field(default=None, init=False, repr=False, compare=False)

    async def __aenter__(self) -> Self:
        """Return the store; the end of the `async with` closes the file."""
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Close the file."""
        await to_thread.run_sync(self.close)

    async def save(self, key: str, text: str, /) -> None:
        """Save a text. When this returns, it is in the file."""
        await self._on_file(lambda file: file.execute(_SAVE, (key, text, time.time())))

    async def load(self, key: str, /) -> str | None:
        """Return the text of a key."""
        row = await self._on_file(lambda file: file.execute(_LOAD, (key,)).fetchone())
        return None if row is None else row[0]

    @asynccontextmanager
    async def lock(self, key: str, /) -> AsyncGenerator[bool]:
        """Lock a key. The context's value is whether no other task or process on this machine has locked it."""
        with file_lock(Path(f'{self.path}-claims', key)) as held:
            yield held

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Save a text as that version, if the version does not exist."""
        return await self._on_file(lambda file: file.execute(_PUT, (owner, name, version, text)).rowcount == 1)

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """Return the newest version of each name."""
        values = {'owner': owner, 'names': None if names is None else json.dumps(sorted(names))}
        # With a single `max`, SQLite takes the other columns from the row with the maximum.
        rows = await self._on_file(lambda file: file.execute(_NEWEST, values).fetchall())
        return {name: (version, text) for name, version, text in rows}

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """Return all versions of a name."""
        return await self._on_file(lambda file: dict(file.execute(_ALL, (owner, name)).fetchall()))

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove versions and return their number."""
        values = {'owner': owner, 'name': name, 'up_to': up_to}
        return await self._on_file(lambda file: file.execute(_REMOVED, values).rowcount)

    def forget_old(self) -> int:
        """Remove old rows and return their number; for a daily job."""
        with self._open() as connection:
            limit = time.time() - self.ttl.total_seconds()
            return connection.execute('delete from toolscript_snapshots where saved < ?', (limit,)).rowcount

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            opened, self._opened = self._opened, None
            if opened is not None:
                opened.finish()

    @property
    def _lock(self) -> threading.Lock:
        return self._locks.setdefault(os.getpid(), threading.Lock())

    async def _on_file(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def working() -> T:
            with self._open() as connection:
                return work(connection)

        return await to_thread.run_sync(working)

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        with self._lock:
            if self._opened is None or self._opened.process != os.getpid():
                # A connection must not be used on both sides of a fork; the parent's connection remains untouched.
                self._opened = _Opened(self._connect())
                self._opened.finish = weakref.finalize(self, self._opened.close)
            yield self._opened.connection

    def _connect(self) -> sqlite3.Connection:
        import sqlite3

        # As for locks, whose folder is next to the file.
        Path(self.path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
        connection.execute('pragma journal_mode = wal')
        connection.execute(f'pragma synchronous = {"full" if self.power_safe else "normal"}')
        connection.execute(_TABLE)
        connection.execute(_FUNCTIONS)
        return connection


_FUNCTIONS = """
create table if not exists toolscript_functions (
    owner text not null, name text not null, version integer not null, text text not null,
    primary key (owner, name, version)
) without rowid
"""
_PUT = 'insert into toolscript_functions values (?, ?, ?, ?) on conflict do nothing'
_ALL = 'select version, text from toolscript_functions where owner = ? and name = ? order by version'
_NEWEST = """
select name, max(version), text from toolscript_functions
where owner = :owner and (:names is null or name in (select value from json_each(:names))) group by name
"""
_REMOVED = """
delete from toolscript_functions where owner = :owner and name = :name and (:up_to is null or version <= :up_to)
"""
