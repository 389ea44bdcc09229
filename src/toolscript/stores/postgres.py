"""A store in PostgreSQL, for processes on several machines.

A lock is an advisory lock of PostgreSQL, held by one session of each process. What is saved under a lock is written by
that session too: PostgreSQL ends a session and its locks together, so nothing is written any more once another process
has the lock. A session that broke is replaced. The new one first ends what is left of the old one, takes its locks
again, and then reads their tokens: another process that had the lock meanwhile has left its own, and the lock is lost.
Leases that are renewed would need no session; but after a death, everything would wait until the lease has run out.
"""

import asyncio
import os
import re
import secrets
import socket
import sys
import threading
import time
import weakref
from collections.abc import AsyncGenerator, Callable, Collection, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Self, TypeVar

import anyio
import psycopg
from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from psycopg import Connection
from psycopg.conninfo import make_conninfo
from pydantic_ai import UserError

from .postgres_tables import migrate
from .store import LockLost

T = TypeVar('T')

# A statement with this row is on disk when its answer comes. A server that is set to answer sooner forgets in a crash
# what others have read by then. A pooler would forget a setting of the session.
_DURABLY = """
durably as materialized (select set_config('synchronous_commit', coalesce(
    nullif(current_setting('synchronous_commit'), 'off'), 'on'
), true))
"""
_SAVE = f"""
with {_DURABLY}
insert into {{schema}}.texts (key, text, saved)
select key, text, date_trunc('hour', now()) from durably, unnest(%s::text[], %s::text[]) as new (key, text)
on conflict (key) do update set text = excluded.text, saved = excluded.saved
"""
_LOAD = 'select key, text from {schema}.texts where key = any(%s::text[])'
# Said again after the first answer was lost, it finds its own text, which is no other's.
_PUT_VERSION = f"""
with {_DURABLY}
insert into {{schema}}.functions as saved (owner, name, version, text) select %s, %s, %s, %s from durably
on conflict (owner, name, version) do update set text = saved.text where saved.text = excluded.text
"""
_NEWEST_VERSIONS = """
select distinct on (name) name, version, text from {schema}.functions
where owner = %(owner)s and (%(names)s::text[] is null or name = any(%(names)s::text[]))
order by name, version desc
"""
_ALL_VERSIONS = 'select version, text from {schema}.functions where owner = %s and name = %s order by version'
_REMOVE_VERSIONS = f"""
with {_DURABLY}
delete from {{schema}}.functions using durably where owner = %s and name = %s and version <= coalesce(%s::int, version)
"""
_LOCK = f"""
with {_DURABLY}, tried as materialized (select pg_try_advisory_lock(hashtextextended('{{schema}} ' || %s, 0)) as held)
insert into {{schema}}.locks (key, token, saved) select %s, %s, date_trunc('hour', now()) from durably, tried where held
on conflict (key) do update set token = excluded.token, saved = excluded.saved
"""
_UNLOCK = "select pg_advisory_unlock(hashtextextended('{schema} ' || %s, 0))"
_END_OLD = (
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = %s and pid <> pg_backend_pid()'
)
_LOCK_AGAIN = (
    "select key from unnest(%s::text[]) key where pg_try_advisory_lock(hashtextextended('{schema} ' || key, 0))"
)
_KEEPALIVES = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'
_TOKENS = 'select key, token from {schema}.locks where key = any(%s::text[])'


@dataclass
class PostgresStore:
    """One row for each key, in PostgreSQL. Processes on any number of machines may share it.

    All times are those of the database. The tables are made, or brought to this version, by the first use. A process
    has two connections, made when they are needed, and closed by `close`, at the end of an `async with`, or with the
    store itself.
    """

    url: str = field(repr=False)
    """Where the database is: a URL, or `key=value` pairs. It may be that of a pooler, in transaction mode too."""
    schema: str = 'toolscript'
    """Where the tables are."""
    direct_url: str | None = field(default=None, repr=False)
    """Where PostgreSQL itself is, if `url` is that of a pooler: each process has one session there, for its locks and
    what is saved under them."""
    timeout: timedelta = timedelta(seconds=30)
    """How long a script waits for a database that is gone, before it is stopped."""
    ttl: timedelta = timedelta(days=30)
    """`forget_old` removes what was not written for so long."""
    _opening: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _opened: 'tuple[_Locks, _Session] | None' = field(default=None, init=False, repr=False, compare=False)
    _finish: Callable[[], object] | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what is no name of a schema."""
        if not re.fullmatch(r'[a-z_][a-z0-9_]{0,40}', self.schema):
            raise UserError(f'PostgresStore(schema={self.schema!r}): use lower-case letters, digits and underscores.')

    async def __aenter__(self) -> Self:
        """The store; the end of the `async with` closes its connections."""
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Close the connections."""
        await to_thread.run_sync(self.close)

    async def save(self, key: str, text: str, /) -> None:
        """Save a text: it is committed when this returns."""
        await self.save_all({key: text})

    async def save_all(self, texts: Mapping[str, str], /) -> None:
        """Save all texts or none, in one round trip: they are committed when this returns.

        Raises:
            LockLost: This process had a lock on them, and another one has had it since.
        """

        def save(attempt: '_Attempt') -> None:
            locks, others = self._open()
            keys = [key for text in texts for key in (text, text.rpartition('.')[0]) if key in locks.tokens]
            with (locks if keys else others).used(attempt) as connection:
                if any(locks.tokens.get(key) is None for key in keys):
                    raise LockLost(min(texts))
                connection.execute(_SAVE.format(schema=self.schema).encode(), [list(texts), list(texts.values())])

        await self._retried(save)

    async def load(self, key: str, /) -> str | None:
        """The text of a key."""
        return (await self.load_all([key])).get(key)

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """The texts of those keys that have one, in one round trip."""
        return dict((await self._execute(_LOAD, [list(keys)]))[1])

    @asynccontextmanager
    async def lock(self, key: str, /) -> AsyncGenerator[bool]:
        """Whether no other task or process has the key.

        The lock ends with the process. If its session breaks, others may take the lock until there is a new one; after
        that, nothing more is saved here under it.
        """
        locks, _ = self._open()
        if not locks.ask(key):
            yield False
            return
        try:
            yield await self._retried(lambda attempt: locks.lock(key, attempt))
        finally:
            with anyio.CancelScope(shield=True), suppress(psycopg.Error):
                await self._in_thread(lambda attempt: locks.unlock(key, attempt), seconds=_UNLOCKING)

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Save a text as that version, if it is free."""
        return (await self._execute(_PUT_VERSION, [owner, name, version, text]))[0] == 1

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """The newest version of each name."""
        values = {'owner': owner, 'names': None if names is None else sorted(names)}
        return {name: (version, text) for name, version, text in (await self._execute(_NEWEST_VERSIONS, values))[1]}

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """All versions of a name."""
        return dict((await self._execute(_ALL_VERSIONS, [owner, name]))[1])

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove versions; how many there were."""
        return (await self._execute(_REMOVE_VERSIONS, [owner, name, up_to]))[0]

    async def migrate(self) -> None:
        """Make the tables, or bring them to this version, as a role that may; others need only to read and write them.

        Raises:
            UserError: The tables are of a newer version.
        """
        await self._execute('select 1', [])

    def now(self) -> float:
        """Seconds since the epoch, by the clock of the database. Processes whose own clocks differ agree on it."""
        _, others = self._open()
        if others.ahead is None:
            with others.used(_Attempt()):
                pass
        return _steady() + (others.ahead or 0.0)

    def forget_old(self) -> int:
        """Remove old rows, by an index; how many texts there were. For a job that runs once a day or so."""
        with psycopg.connect(_noticing(self.url), autocommit=True, prepare_threshold=None) as connection:
            migrate(connection, self.schema)
            old = "saved < date_trunc('hour', now() - %s::interval)"
            connection.execute(f'delete from {self.schema}.locks where {old}'.encode(), [self.ttl])
            return connection.execute(f'delete from {self.schema}.texts where {old}'.encode(), [self.ttl]).rowcount

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        with self._opening:
            if self._finish is not None:
                self._finish()
            self._opened = self._finish = None

    async def _execute(self, statement: str, values: Sequence[Any] | Mapping[str, Any]) -> tuple[int, list[Any]]:
        """How many rows a statement was about, and those that it gave. If it is not certain that it was done, again."""

        def execute(attempt: '_Attempt') -> tuple[int, list[Any]]:
            with self._open()[1].used(attempt) as connection:
                done = connection.execute(statement.format(schema=self.schema).encode(), values)
                return done.rowcount, done.fetchall() if done.description else []

        return await self._retried(execute)

    async def _retried(self, work: Callable[['_Attempt'], T]) -> T:
        """What the work gives; tried again while the database is gone."""
        end, pause = time.monotonic() + self.timeout.total_seconds(), 0.0
        while True:
            try:
                return await self._in_thread(work, seconds=max(1.0, (end - time.monotonic()) / 2))
            except Exception as error:
                if not _passes(error) or time.monotonic() + pause > end:
                    raise
            await anyio.sleep(pause)
            pause = min(2 * pause + 0.05, 1.0)

    async def _in_thread(self, work: Callable[['_Attempt'], T], *, seconds: float = 30.0) -> T:
        """What the work gives, in a thread. After so many seconds, its connections are cut off."""
        attempt = _Attempt()
        timer = asyncio.get_running_loop().call_later(seconds, attempt.cut_off)
        try:
            return await to_thread.run_sync(work, attempt, limiter=_threads())
        finally:
            timer.cancel()

    def _open(self) -> 'tuple[_Locks, _Session]':
        with self._opening:
            # Connections must not be used on both sides of a fork; the parent's stay as they are.
            if self._opened is None or self._opened[0].process != os.getpid():
                locks, others = _Locks(self.direct_url or self.url, self.schema), _Session(self.url, self.schema)
                self._opened = locks, others
                self._finish = weakref.finalize(self, lambda: (locks.close(), others.close()))
            return self._opened


class _Attempt:
    """One attempt, which may be cut off: on a stuck network, neither an answer nor an error may ever come."""

    def __init__(self) -> None:
        self._connection: Connection[Any] | None = None
        self._is_over = False

    def uses(self, connection: Connection[Any] | None) -> None:
        """It waits for answers of this connection from now on. Raises an error once it is over."""
        self._connection = connection
        if self._is_over:
            raise psycopg.OperationalError('PostgreSQL did not answer in time')

    def cut_off(self) -> None:
        """End what can be read of its connection: what reads it finds that the other side has closed it."""
        self._is_over = True
        if self._connection is not None:
            with suppress(OSError, psycopg.Error):
                end = socket.socket(fileno=self._connection.fileno())
                try:
                    end.shutdown(socket.SHUT_RDWR)
                finally:
                    end.detach()


class _Session:
    """A connection, made anew where it broke. One thread at a time uses it."""

    def __init__(self, url: str, schema: str) -> None:
        self.process = os.getpid()
        self.ahead: float | None = None
        """How far the clock of the database is ahead of the steady one of this machine."""
        self._url, self._schema = _noticing(url), schema
        self._connection: Connection[Any] | None = None
        self._mutex = threading.Lock()
        _of_this_process.add(self)

    @contextmanager
    def used(self, attempt: _Attempt) -> Generator[Connection[Any]]:
        """The connection. What raises an error of PostgreSQL closes it."""
        with self._mutex:
            attempt.uses(None)
            try:
                if self._connection is None or self._connection.closed:
                    # A pooler may give each transaction another session, which knows no statements of the one before.
                    self._connection = psycopg.connect(self._url, autocommit=True, prepare_threshold=None)
                    attempt.uses(self._connection)
                    self._begin(self._connection)
                attempt.uses(self._connection)
                yield self._connection
            except (psycopg.Error, UserError):
                # It may be dead, or about to die: then it must not look as if it held anything.
                self.close()
                raise

    def _begin(self, connection: Connection[Any]) -> None:
        """Do what has to be done once for each connection."""
        if self.ahead is None:
            migrate(connection, self._schema)
        asked = _steady()
        row = connection.execute('select extract(epoch from clock_timestamp())::float8').fetchone()
        assert row is not None
        self.ahead = row[0] - (asked + _steady()) / 2

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None and self.process == os.getpid():
            self._connection.close()

    def leave_to_parent(self) -> None:
        """In a fork: leave the connection, so that it ends with the parent, without a word to the other side."""
        if self._connection is not None and not self._connection.closed:
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, self._connection.fileno(), inheritable=False)
            os.close(nothing)


class _Locks(_Session):
    """The session that holds the locks of a process, and writes what is saved under them."""

    def __init__(self, url: str, schema: str) -> None:
        self.tokens = dict[str, int | None]()
        """Of the locks of this process, by key; `None` for one that was lost."""
        self._name = f'toolscript {secrets.token_hex(16)}'
        self._asked = dict[str, object]()
        super().__init__(make_conninfo(url, application_name=self._name), schema)

    def ask(self, key: str) -> bool:
        """Whether no other task of this process has the key, or asks for it."""
        mine = object()
        return self._asked.setdefault(key, mine) is mine

    def lock(self, key: str, attempt: _Attempt) -> bool:
        """Whether the lock could be had. Raises `UserError` where the session is not one with PostgreSQL itself."""
        token = secrets.randbits(62)
        with self.used(attempt) as connection:
            held = connection.execute(self._of_schema(_LOCK), [key, key, token]).rowcount == 1
            if held:
                self.tokens[key] = token
            return held

    def unlock(self, key: str, attempt: _Attempt) -> None:
        """End the lock, as far as it could be had."""
        try:
            self.tokens.pop(key, None)
            if self._connection is not None and not self._connection.closed:
                with self.used(attempt) as connection:
                    connection.execute(self._of_schema(_UNLOCK), [key])
        finally:
            del self._asked[key]

    def _begin(self, connection: Connection[Any]) -> None:
        """Take the locks again that no other process has had."""
        if connection.execute('select pg_backend_pid()').fetchone() != (connection.info.backend_pid,):
            raise UserError(_POOLER)
        super()._begin(connection)
        connection.execute(_KEEPALIVES)
        if connection.execute(_END_OLD, [self._name]).rowcount:
            raise psycopg.OperationalError('the session before this one is ending')
        if self.tokens:
            held = {key for (key,) in connection.execute(self._of_schema(_LOCK_AGAIN), [list(self.tokens)])}
            now = dict(connection.execute(self._of_schema(_TOKENS), [list(held)]).fetchall())
            self.tokens.update({key: None for key, token in self.tokens.items() if now.get(key) != token})

    def _of_schema(self, statement: str) -> bytes:
        return statement.format(schema=self._schema).encode()


def _noticing(url: str) -> str:
    """The address, with settings by which a connection to it notices within half a minute that the network is gone."""
    settings: dict[str, Any] = {'connect_timeout': 10, 'tcp_user_timeout': 25_000}
    return make_conninfo(url, **settings, keepalives_idle=10, keepalives_interval=5, keepalives_count=3)


def _passes(error: Exception) -> bool:
    """Whether the same may work in a moment: the server restarts, or the connection broke."""
    state = (error.sqlstate if isinstance(error, psycopg.Error) else None) or '08'
    # In a failover, the server takes no writes (25006) until the address leads to the one that does.
    # A violation of the protocol (08P01) is a pooler that gives a session for one statement only.
    is_gone = isinstance(error, psycopg.OperationalError) and state[:2] in ('08', '40', '53', '57') and state != '08P01'
    return is_gone or state == '25006' or isinstance(error, psycopg.InterfaceError)


def _steady() -> float:
    # Unlike `monotonic`, it counts while the machine sleeps.
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == 'linux' else time.monotonic()


def _threads() -> CapacityLimiter:
    """Threads of our own: those that wait for a database take none from tools that need one."""
    limiter = _limiter.get(None)
    if limiter is None:
        _limiter.set(limiter := CapacityLimiter(64))
    return limiter


_limiter = RunVar[CapacityLimiter | None]('toolscript.postgres.limiter')
_of_this_process = weakref.WeakSet[_Session]()
_inherited = list[object]()
"""Connections of parents, held so that nothing closes them."""


def _in_the_child() -> None:
    for session in list(_of_this_process):
        session.leave_to_parent()
        _inherited.append(session)
    _of_this_process.clear()


if sys.platform != 'win32':
    os.register_at_fork(after_in_child=_in_the_child)

_UNLOCKING = 5.0
"""Seconds that the end of a lock waits at most for a database that is gone."""
_POOLER = (
    'There is a pooler between this process and PostgreSQL. It may give the session that holds a lock to another '
    'process. Pass the address of PostgreSQL itself for this one session: PostgresStore(url, direct_url=...). '
    'Everything else may use the pooler.'
)
