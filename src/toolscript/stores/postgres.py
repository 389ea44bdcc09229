"""A store in PostgreSQL, for processes on several machines.

A lock is an advisory lock of PostgreSQL, held by one session of each process, plus a row with the token of that
session. PostgreSQL releases the lock when the session ends, so nothing waits for a process that died. Each write under
a lock checks the token, so once another process has the lock, or a new session replaces a broken one, all writes of the
previous holder fail. Renewed leases would not need a session, but after a crash everything would wait until the lease
expires.
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
from psycopg import Connection, Cursor
from psycopg.conninfo import make_conninfo
from pydantic_ai import UserError

from .postgres_tables import migrate
from .store import LockLost

T = TypeVar('T')

# A statement with this row is on disk when it returns. If the server is configured to answer earlier, a crash can lose
# what others have already read. A pooler would lose a setting of the session.
_DURABLY = """
durably as materialized (select set_config('synchronous_commit', coalesce(
    nullif(current_setting('synchronous_commit'), 'off'), 'on'
), true))
"""
# Saves nothing unless the locks still have this token, and prevents changes of the token until the commit.
_SAVE = f"""
with {_DURABLY}, held as materialized (
    select key from {{schema}}.locks where key = any(%(locks)s::text[]) and token = %(token)s for share
)
insert into {{schema}}.texts (key, text, saved)
select key, text, date_trunc('hour', now())
from durably, unnest(%(keys)s::text[], %(texts)s::text[]) as new (key, text)
where (select count(*) from held) = cardinality(%(locks)s::text[])
on conflict (key) do update set text = excluded.text, saved = excluded.saved
"""
_LOAD = 'select key, text from {schema}.texts where key = any(%(keys)s::text[])'
# If it is repeated because the first answer was lost, it finds its own text, which cannot be that of another process.
_PUT_VERSION = f"""
with {_DURABLY}
insert into {{schema}}.functions as saved (owner, name, version, text)
select %(owner)s, %(name)s, %(version)s, %(text)s from durably
on conflict (owner, name, version) do update set text = saved.text where saved.text = excluded.text
"""
_NEWEST_VERSIONS = """
select distinct on (name) name, version, text from {schema}.functions
where owner = %(owner)s and (%(names)s::text[] is null or name = any(%(names)s::text[]))
order by name, version desc
"""
_ALL_VERSIONS = (
    'select version, text from {schema}.functions where owner = %(owner)s and name = %(name)s order by version'
)
_REMOVE_VERSIONS = f"""
with {_DURABLY}
delete from {{schema}}.functions using durably
where owner = %(owner)s and name = %(name)s and version <= coalesce(%(up_to)s::int, version)
"""
_LOCK = f"""
with {_DURABLY}, tried as materialized (
    select pg_try_advisory_lock(hashtextextended('{{schema}} ' || %(key)s, 0)) as held
)
insert into {{schema}}.locks (key, token, saved)
select %(key)s, %(token)s, date_trunc('hour', now()) from durably, tried where held
on conflict (key) do update set token = excluded.token, saved = excluded.saved
"""
_UNLOCK = "select pg_advisory_unlock(hashtextextended('{schema} ' || %(key)s, 0))"
# Two sessions belong to the same process if only the lower bits of their tokens differ.
_LOCK_AGAIN = """
update {schema}.locks set token = %(token)s where key = any(%(locks)s::text[]) and token >> 20 = %(token)s >> 20
returning key, pg_try_advisory_lock(hashtextextended('{schema} ' || key, 0))
"""
_PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.0)
"""The seconds after each attempt of a new session to take its locks again."""
_KEEPALIVES = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'


@dataclass
class PostgresStore:
    """A store with one row for each key, in PostgreSQL. Processes on any number of machines may share it.

    All times are those of the database. The first use creates the tables or migrates them to this version. Each process
    has up to two connections, opened on demand and closed by `close`, at the end of an `async with`, or with the store.
    """

    url: str = field(repr=False)
    """The database: a URL, or `key=value` pairs. It may be that of a pooler, even in transaction mode."""
    schema: str = 'toolscript'
    """The schema of the tables."""
    direct_url: str | None = field(default=None, repr=False)
    """The address of PostgreSQL itself, if `url` is that of a pooler: each process has one session there, for its locks
    and for writes under them."""
    timeout: timedelta = timedelta(seconds=30)
    """How long a script waits for an unreachable database before it is stopped."""
    ttl: timedelta = timedelta(days=30)
    """`forget_old` removes rows that have not been written for this long."""
    _locks: '_Session' = field(init=False, repr=False, compare=False)
    _others: '_Session' = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not re.fullmatch(r'[a-z_][a-z0-9_]{0,40}', self.schema):
            raise UserError(f'PostgresStore(schema={self.schema!r}): use lower-case letters, digits and underscores.')
        self._locks = _Session(self.direct_url or self.url, self.schema)
        self._others = _Session(self.url, self.schema)
        weakref.finalize(self, self._locks.close)
        weakref.finalize(self, self._others.close)

    async def __aenter__(self) -> Self:
        """Return the store; the end of the `async with` closes its connections."""
        return self

    async def __aexit__(self, *exception: object) -> None:
        await to_thread.run_sync(self.close)

    async def save(self, key: str, text: str, /) -> None:
        """Save a text: it is committed when this returns."""
        await self.save_all({key: text})

    async def save_all(self, texts: Mapping[str, str], /) -> None:
        """Save all texts or none, in one round trip: they are committed when this returns.

        Raises:
            LockLost: This process had locked them, but another one has taken the lock since.
        """
        keys = {key for text in texts for key in (text, text.rpartition('.')[0])}
        locks = [key for key in keys if key in self._locks.held]
        session, new = self._locks if locks else self._others, list(texts.values())
        if (await self._execute(_SAVE, session, locks=locks, keys=list(texts), texts=new))[0] < len(texts):
            raise LockLost(min(texts))

    async def load(self, key: str, /) -> str | None:
        """Return the text of a key."""
        return (await self.load_all([key])).get(key)

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """Return the texts of those keys that have one, in one round trip."""
        return dict((await self._execute(_LOAD, keys=list(keys)))[1])

    @asynccontextmanager
    async def lock(self, key: str, /) -> AsyncGenerator[bool]:
        """Lock a key. The context's value is whether no other task or process has locked it.

        The lock ends with the process. If its session breaks, others may take the lock until there is a new session; if
        one does, nothing more is saved here under the lock.
        """
        mine = object()
        if self._locks.asked.setdefault(key, mine) is not mine:
            yield False
            return
        try:
            held = await self._retried(lambda attempt: self._locks.lock(key, mine, attempt))
            if held:
                self._locks.held.add(key)
            yield held
        finally:
            with anyio.CancelScope(shield=True), suppress(psycopg.Error):
                # In a task of its own, because asyncio's cancellation ignores the scope.
                await asyncio.shield(self._in_thread(lambda attempt: self._locks.unlock(key, attempt), seconds=5.0))

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Save a text as that version, if the version does not exist."""
        return (await self._execute(_PUT_VERSION, owner=owner, name=name, version=version, text=text))[0] == 1

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """Return the newest version of each name."""
        wanted = None if names is None else sorted(names)
        _, rows = await self._execute(_NEWEST_VERSIONS, owner=owner, names=wanted)
        return {name: (version, text) for name, version, text in rows}

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """Return all versions of a name."""
        return dict((await self._execute(_ALL_VERSIONS, owner=owner, name=name))[1])

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove versions and return their number."""
        return (await self._execute(_REMOVE_VERSIONS, owner=owner, name=name, up_to=up_to))[0]

    async def migrate(self) -> None:
        """Create or migrate the tables, using a role that may do so; other roles need only to read and write them.

        Raises:
            UserError: The tables belong to a newer version.
        """
        await self._execute('select 1')

    def now(self) -> float:
        """Return the seconds since the epoch by the clock of the database, on which all processes agree."""
        if self._others.ahead is None:
            with self._others.used(_Attempt()):
                pass
        return _steady() + (self._others.ahead or 0.0)

    def forget_old(self) -> int:
        """Remove old rows, using an index, and return the number of texts; for a daily job."""
        with psycopg.connect(_noticing(self.url), autocommit=True, prepare_threshold=None) as connection:
            migrate(connection, self.schema)
            old = "saved < date_trunc('hour', now() - %s::interval)"
            connection.execute(f'delete from {self.schema}.locks where {old}'.encode(), [self.ttl])
            return connection.execute(f'delete from {self.schema}.texts where {old}'.encode(), [self.ttl]).rowcount

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        for session in (self._locks, self._others):
            session.close()
            session.ahead = None

    async def _execute(self, statement: str, on: '_Session | None' = None, **values: object) -> tuple[int, list[Any]]:
        """Execute a statement, again if the outcome is uncertain. Returns the row count and the rows."""
        session = on or self._others

        def execute(attempt: '_Attempt') -> tuple[int, list[Any]]:
            with session.used(attempt) as connection:
                done = session.execute(connection, statement, values)
                return done.rowcount, done.fetchall() if done.description else []

        return await self._retried(execute)

    async def _retried(self, work: Callable[['_Attempt'], T]) -> T:
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
        """Run the work in a thread and return its result. After this many seconds, its connections are cut off."""
        attempt = _Attempt()
        _limiter.set(limiter := _limiter.get(None) or CapacityLimiter(64))
        timer = asyncio.get_running_loop().call_later(seconds, attempt.cut_off)
        result = await to_thread.run_sync(work, attempt, limiter=limiter)
        # Not if the task was cancelled: the thread may still use the connection, and others wait for it.
        timer.cancel()
        return result


class _Attempt:
    """One attempt, which can be cut off, because a stuck network may produce neither an answer nor an error."""

    def __init__(self) -> None:
        self._connection: Connection[Any] | None = None
        self._is_over = False

    def uses(self, connection: Connection[Any] | None) -> None:
        """Use this connection from now on. Raises an error if the attempt is over."""
        self._connection = connection
        if self._is_over:
            raise psycopg.OperationalError('PostgreSQL did not answer in time')

    def ended(self) -> None:
        self._connection = None

    def cut_off(self) -> None:
        """Shut down its connection: a thread that reads from it sees that the other side has closed it."""
        self._is_over = True
        if self._connection is not None:
            with suppress(OSError, psycopg.Error), socket.fromfd(self._connection.fileno(), *_STREAM) as end:
                end.shutdown(socket.SHUT_RDWR)


class _Session:
    """A connection that is reopened when it breaks, and its locks. Only one thread at a time uses it."""

    def __init__(self, url: str, schema: str) -> None:
        self.ahead: float | None = None
        """How far the database's clock is ahead of this machine's steady clock, once the tables exist."""
        self._url, self._schema = _noticing(url), schema
        self._connection: Connection[Any] | None = None
        self.reset()
        _sessions.add(self)

    def reset(self) -> None:
        """Release everything. In a fork, abandon the connection silently, so that it ends with the parent."""
        if self._connection is not None and not self._connection.closed:
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, self._connection.fileno(), inheritable=False)
            os.close(nothing)
            _inherited.append(self._connection)
        self._connection, self._mutex, self._is_direct = None, threading.Lock(), False
        self.asked, self.held = dict[str, object](), set[str]()
        """The locks that tasks of this process hold or request, and those that they hold."""
        self._token = secrets.randbits(42) << 20

    @contextmanager
    def used(self, attempt: _Attempt) -> Generator[Connection[Any]]:
        """Yield the connection. Errors of PostgreSQL close it."""
        with self._mutex:
            attempt.uses(None)
            try:
                if self._connection is None or self._connection.closed:
                    # A pooler may use another session for each transaction, without earlier prepared statements.
                    self._connection = psycopg.connect(self._url, autocommit=True, prepare_threshold=None)
                    attempt.uses(self._connection)
                    self._set_up(self._connection)
                attempt.uses(self._connection)
                yield self._connection
            except (psycopg.Error, UserError):
                # The connection may be dead or dying, so it must not seem to hold locks.
                self.close()
                raise
            finally:
                attempt.ended()

    def execute(self, connection: Connection[Any], statement: str, values: Mapping[str, object]) -> Cursor[Any]:
        """Execute one of the statements above."""
        return connection.execute(statement.format(schema=self._schema).encode(), {'token': self._token, **values})

    def _set_up(self, connection: Connection[Any]) -> None:
        if self.ahead is None:
            migrate(connection, self._schema)
        asked = _steady()
        row = connection.execute('select extract(epoch from clock_timestamp())::float8, pg_backend_pid()').fetchone()
        assert row is not None
        self.ahead, self._is_direct = row[0] - (asked + _steady()) / 2, row[1] == connection.info.backend_pid
        connection.execute(_KEEPALIVES)
        self._token += 1
        self._lock_again(connection)

    def _lock_again(self, connection: Connection[Any]) -> None:
        left = list(self.held)
        for pause in _PAUSES if left else ():
            rows = self.execute(connection, _LOCK_AGAIN, {'locks': left}).fetchall()
            left = [key for key, is_locked in rows if not is_locked]
            if not left:
                return
            # The server may need a moment to notice that the broken session, which still has the lock, is gone.
            time.sleep(pause)

    def lock(self, key: str, mine: object, attempt: _Attempt) -> bool:
        """Return whether it locked the key. Raises `UserError` for a lock through a pooler."""
        with self.used(attempt) as connection:
            if not self._is_direct:
                raise UserError(_POOLER)
            held = self.execute(connection, _LOCK, {'key': key}).rowcount == 1
            if held and self.asked.get(key) is not mine:
                # The task was cancelled, and did not wait for this thread.
                self.execute(connection, _UNLOCK, {'key': key})
            return held

    def unlock(self, key: str, attempt: _Attempt) -> None:
        self.asked[key] = attempt
        try:
            self.held.discard(key)
            if self._connection is not None and not self._connection.closed:
                with self.used(attempt) as connection:
                    self.execute(connection, _UNLOCK, {'key': key})
        finally:
            del self.asked[key]

    def close(self) -> None:
        """Close the connection; the next use opens a new one."""
        if self._connection is not None:
            self._connection.close()


def _noticing(url: str) -> str:
    """Return the address with settings that detect a lost network within half a minute."""
    settings: dict[str, Any] = {'connect_timeout': 10, 'tcp_user_timeout': 25_000}
    return make_conninfo(url, **settings, keepalives_idle=10, keepalives_interval=5, keepalives_count=3)


def _passes(error: Exception) -> bool:
    """Return whether a retry may succeed soon, because the server restarts or the connection broke."""
    state = (error.sqlstate if isinstance(error, psycopg.Error) else None) or '08'
    # During a failover, the server rejects writes (25006) until the address leads to the new primary. A protocol
    # violation (08P01) comes from a pooler that assigns a session for a single statement.
    is_gone = isinstance(error, psycopg.OperationalError) and state[:2] in ('08', '40', '53', '57') and state != '08P01'
    return is_gone or state == '25006' or isinstance(error, psycopg.InterfaceError)


def _steady() -> float:
    # Unlike `monotonic`, it also advances while the machine sleeps.
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == 'linux' else time.monotonic()


# A separate limiter: threads that wait for a database must not use up those that tools need.
_limiter = RunVar[CapacityLimiter | None]('toolscript.postgres.limiter')
_sessions = weakref.WeakSet[_Session]()
_STREAM = socket.AF_INET, socket.SOCK_STREAM
_inherited = list[Connection[Any]]()
"""Connections of parent processes, referenced so that they are not closed."""
if sys.platform != 'win32':
    os.register_at_fork(after_in_child=lambda: [session.reset() for session in list(_sessions)])

_POOLER = (
    'There is a pooler between this process and PostgreSQL. It may give the session that holds a lock to another '
    'process. Pass the address of PostgreSQL itself for this one session: PostgresStore(url, direct_url=...). '
    'Everything else may use the pooler.'
)
