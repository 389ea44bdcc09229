"""A store in PostgreSQL, for processes on several machines.

A lock is an advisory lock of PostgreSQL, in a session that each process has for its locks: it ends with the session,
and so with the process. A session may also break while its process lives, and then others may take the lock. So each
lock has a token in a table, which the next holder replaces, and what is saved under a lock is saved only while its
token is there, in one statement. Leases that are renewed would need no session; but after a death, everything would
have to wait until the lease has run out.
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
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout
from pydantic_ai import UserError

from .postgres_tables import migrate
from .store import LockLost

T = TypeVar('T')

DURABLY = """
durably as materialized (select set_config('synchronous_commit', coalesce(
    nullif(current_setting('synchronous_commit'), 'off'), 'on'
), true))
"""
"""One row, for `with`: the statement that it takes part in is on disk when its answer comes. A server that is set to
answer sooner forgets in a crash what others have read by then. A pooler would forget a setting of the session."""


@dataclass
class PostgresStore:
    """One row for each key, in PostgreSQL. Processes on any number of machines may share it.

    All times are those of the database. The tables are made, or brought to this version, by the first use. Connections
    are made by the first use too, and closed by `close`, at the end of an `async with`, or with the store itself.
    """

    url: str = field(repr=False)
    """Where the database is: a URL, or `key=value` pairs. It may be that of a pooler, in transaction mode too."""
    schema: str = 'toolscript'
    """Where the tables are."""
    direct_url: str | None = field(default=None, repr=False)
    """Where PostgreSQL itself is, if `url` is that of a pooler: each process has one session there, for its locks."""
    connections: int = 8
    """How many there are at most, beside that one."""
    timeout: timedelta = timedelta(seconds=30)
    """How long a script waits for a database that is gone, before it is stopped."""
    ttl: timedelta = timedelta(days=30)
    """`forget_old` removes what was not written for so long."""
    _opening: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _opened: '_Connections | None' = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what is no name of a schema."""
        if not re.fullmatch(r'[a-z_][a-z0-9_]{0,40}', self.schema):
            raise UserError(f'PostgresStore(schema={self.schema!r}): use lower-case letters, digits and underscores.')
        if self.connections < 1:
            raise UserError(f'PostgresStore(connections={self.connections}): at least one is needed.')

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
            LockLost: This process had a lock on them, and another one has it now.
        """

        def save(connection: Connection[Any]) -> bool:
            locks = self._open().locks
            keys = {key for text in texts for key in (text, text.rpartition('.')[0]) if key in locks.tokens}
            tokens, before = {key: locks.tokens.get(key, _NONE) for key in keys}, None
            # Another task that writes under the same lock may have renewed it.
            while tokens != before:
                if save_under(connection, self.schema, texts, tokens):
                    return True
                before, tokens = tokens, {key: locks.tokens.get(key, _NONE) for key in keys}
            return False

        if not await self._do(save):
            raise LockLost(min(texts))

    async def load(self, key: str, /) -> str | None:
        """The text of a key."""
        return (await self.load_all([key])).get(key)

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """The texts of those keys that have one, in one round trip."""
        statement = f'select key, text from {self.schema}.texts where key = any(%s::text[])'.encode()
        return await self._do(lambda connection: dict(connection.execute(statement, [list(keys)]).fetchall()))

    @asynccontextmanager
    async def lock(self, key: str, /) -> AsyncGenerator[bool]:
        """Whether no other task or process has the key.

        The lock ends with the process. If its session breaks, others may take the lock until there is a new one; after
        that, nothing more is saved here under it.
        """
        locks = await self._in_thread(lambda attempt: self._open().locks)
        if not locks.ask(key):
            yield False
            return
        try:
            yield await self._retried(lambda attempt: locks.acquire(key, attempt))
        finally:
            with anyio.CancelScope(shield=True), suppress(psycopg.Error):
                await self._in_thread(lambda attempt: locks.release(key, attempt), seconds=_RELEASING)

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Save a text as that version, if it is free."""
        # Said again after the first answer was lost, it finds its own text, which is no other's.
        statement = f"""
            with {DURABLY}
            insert into {self.schema}.functions as saved (owner, name, version, text)
            select %s, %s, %s, %s from durably
            on conflict (owner, name, version) do update set text = saved.text where saved.text = excluded.text
            """.encode()
        return await self._do(
            lambda connection: connection.execute(statement, [owner, name, version, text]).rowcount == 1
        )

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """The newest version of each name."""
        statement = f"""
            select distinct on (name) name, version, text from {self.schema}.functions
            where owner = %(owner)s and (%(names)s::text[] is null or name = any(%(names)s::text[]))
            order by name, version desc
            """.encode()
        values = {'owner': owner, 'names': None if names is None else sorted(names)}
        rows = await self._do(lambda connection: connection.execute(statement, values).fetchall())
        return {name: (version, text) for name, version, text in rows}

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """All versions of a name."""
        statement = f'select version, text from {self.schema}.functions where owner = %s and name = %s order by version'
        return await self._do(lambda connection: dict(connection.execute(statement.encode(), [owner, name]).fetchall()))

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove versions; how many there were."""
        statement = f"""
            with {DURABLY}
            delete from {self.schema}.functions using durably
            where owner = %s and name = %s and version <= coalesce(%s::int, version)
            """.encode()
        return await self._do(lambda connection: connection.execute(statement, [owner, name, up_to]).rowcount)

    async def migrate(self) -> None:
        """Make the tables, or bring them to this version, as a role that may; others need only to read and write them.

        Raises:
            UserError: The tables are of a newer version.
        """
        await self._do(lambda connection: None)

    def now(self) -> float:
        """Seconds since the epoch, by the clock of the database. Processes whose own clocks differ agree on it."""
        return _steady() + self._open().ahead

    def forget_old(self) -> int:
        """Remove old rows, by an index; how many texts there were. For a job that runs once a day or so."""
        with self._open().pool.connection(self.timeout.total_seconds()) as connection:
            old = "saved < date_trunc('hour', now() - %s::interval)"
            connection.execute(f'delete from {self.schema}.locks where {old}'.encode(), [self.ttl])
            return connection.execute(f'delete from {self.schema}.texts where {old}'.encode(), [self.ttl]).rowcount

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        with self._opening:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.finish()

    async def _do(self, work: Callable[[Connection[Any]], T]) -> T:
        """What the work gives, with a connection. If it is not certain that it was done, it is done again."""

        def with_connection(attempt: '_Attempt') -> T:
            opened = self._open()
            try:
                with opened.pool.connection(attempt.seconds) as connection:
                    attempt.uses(connection)
                    if attempt.is_retry:
                        opened.locks.renew(connection, attempt)
                    if _steady() - opened.clock_read_at > _CLOCK_IS_FRESH:
                        opened.read_clock(connection)
                    return work(connection)
            except PoolTimeout:
                raise
            except Exception as error:
                if _passes(error):
                    # A connection that broke is seldom alone.
                    opened.pool.drain()
                raise

        return await self._retried(with_connection)

    async def _retried(self, work: Callable[['_Attempt'], T]) -> T:
        """What the work gives; tried again while the database is gone."""
        end, pause = time.monotonic() + self.timeout.total_seconds(), 0.0
        while True:
            seconds = max(1.0, (end - time.monotonic()) / 2)
            try:
                return await self._in_thread(work, seconds=seconds, is_retry=pause > 0)
            except PoolTimeout as error:
                if time.monotonic() + pause > end:
                    raise await to_thread.run_sync(self._why_none_is_free, limiter=_threads()) from error
            except Exception as error:
                if not _passes(error) or time.monotonic() + pause > end:
                    raise
            await anyio.sleep(pause)
            pause = min(2 * pause + 0.05, 1.0)

    async def _in_thread(self, work: Callable[['_Attempt'], T], *, seconds: float = 30.0, is_retry: bool = False) -> T:
        """What the work gives, in a thread. After so many seconds, its connections are cut off."""
        attempt = _Attempt(min(2.0, seconds), is_retry)
        timer = asyncio.get_running_loop().call_later(seconds, attempt.cut_off)
        try:
            return await to_thread.run_sync(work, attempt, limiter=_threads())
        finally:
            timer.cancel()

    def _why_none_is_free(self) -> Exception:
        try:
            psycopg.connect(make_conninfo(self.url, connect_timeout=2)).close()
        except psycopg.Error as error:
            return error
        return PoolTimeout(
            f'all {self.connections} connections of this process were busy; PostgresStore(connections=...) allows more'
        )

    def _open(self) -> '_Connections':
        with self._opening:
            if self._opened is None or self._opened.process != os.getpid():
                # Connections must not be used on both sides of a fork; the parent's stay as they are.
                if self._opened is not None:
                    _inherited.append(self._opened)
                self._opened = _Connections(self)
            return self._opened


class _Attempt:
    """One attempt, which may be cut off: on a stuck network, neither an answer nor an error may ever come."""

    def __init__(self, seconds: float, is_retry: bool) -> None:
        """`seconds`: how long to wait for a free connection."""
        self.seconds, self.is_retry = seconds, is_retry
        self._connections = list[Connection[Any]]()
        self._is_over = False

    def uses(self, connection: Connection[Any]) -> None:
        """It waits for answers of this connection from now on."""
        self._connections.append(connection)
        if self._is_over:
            raise psycopg.OperationalError('PostgreSQL did not answer in time')

    def cut_off(self) -> None:
        """End what can be read of its connections: what reads them finds that the other side has closed them."""
        self._is_over = True
        for connection in self._connections:
            with suppress(OSError, psycopg.Error):
                end = socket.socket(fileno=connection.fileno())
                try:
                    end.shutdown(socket.SHUT_RDWR)
                finally:
                    end.detach()


class _Connections:
    """The connections of one process, its locks, and the clock of the database."""

    def __init__(self, store: PostgresStore) -> None:
        self.process = os.getpid()
        self.ahead = self.clock_read_at = 0.0
        self.locks = _Locks(store.direct_url or store.url, store.schema)
        self.pool = ConnectionPool(
            _noticing(store.url),
            # A pooler may give each transaction another session, which knows no statements of the one before.
            kwargs={'autocommit': True, 'prepare_threshold': None},
            min_size=0,
            max_size=store.connections,
            # What needs a connection tries again itself, at once when the database is back.
            reconnect_timeout=0.0,
            open=False,
            name='toolscript',
        )
        self.pool.open()
        try:
            with self.pool.connection(min(5.0, store.timeout.total_seconds())) as connection:
                migrate(connection, store.schema)
                self.read_clock(connection)
        except BaseException:
            self.pool.close()
            raise
        self.finish = weakref.finalize(store, self.close)

    def read_clock(self, connection: Connection[Any]) -> None:
        """Ask the database what time it is, so that a steady clock of this machine can say it later."""
        asked = _steady()
        row = connection.execute('select extract(epoch from clock_timestamp())::float8').fetchone()
        assert row is not None
        self.clock_read_at = _steady()
        self.ahead = row[0] - (asked + self.clock_read_at) / 2

    def close(self) -> None:
        if self.process == os.getpid():
            self.locks.close()
            self.pool.close()


class _Locks:
    """The locks of one process, in a session of its own."""

    def __init__(self, url: str, schema: str) -> None:
        self.tokens = dict[str, int]()
        """Of the locks that this process has, by key."""
        self._url, self._schema, self._holder = url, schema, secrets.randbits(62)
        self._asked = dict[str, object]()
        self._session: Connection[Any] | None = None
        self._mutex = threading.Lock()
        _of_this_process.add(self)

    def ask(self, key: str) -> bool:
        """Whether no other task of this process has the key, or asks for it."""
        mine = object()
        return self._asked.setdefault(key, mine) is mine

    def acquire(self, key: str, attempt: _Attempt) -> bool:
        """Whether the lock could be had. Raises `UserError` where the session is not one with PostgreSQL itself."""
        token = secrets.randbits(62)
        with self._mutex, self._used(attempt) as session:
            done = session.execute(
                f"""
                with {DURABLY}, tried as materialized (select pg_try_advisory_lock({_HASH}) as held)
                insert into {self._schema}.locks (key, holder, token, saved)
                select %s, %s, %s, date_trunc('hour', now()) from durably, tried where held
                on conflict (key) do update
                set holder = excluded.holder, token = excluded.token, saved = excluded.saved
                """.encode(),
                [self._schema, key, key, self._holder, token],
            )
            if done.rowcount == 1:
                self.tokens[key] = token
            return done.rowcount == 1

    def release(self, key: str, attempt: _Attempt) -> None:
        """End the lock, as far as it could be had."""
        try:
            with self._mutex:
                self.tokens.pop(key, None)
                if self._session is not None and not self._session.closed:
                    with self._used(attempt) as session:
                        session.execute(f'select pg_advisory_unlock({_HASH})'.encode(), [self._schema, key])
        finally:
            del self._asked[key]

    def renew(self, connection: Connection[Any], attempt: _Attempt) -> None:
        """Give the locks that no other process has taken other tokens, after a connection broke.

        What was on its way with the old ones writes nothing if it arrives late.
        """
        with self._mutex:
            if not self.tokens:
                return
            with self._used(attempt) as session:
                session.execute('select 1')
            new = {key: secrets.randbits(62) for key in self.tokens}
            rows = connection.execute(
                f"""
                with {DURABLY}
                update {self._schema}.locks as locks set token = new.token
                from durably, unnest(%s::text[], %s::bigint[]) as new (key, token)
                where locks.key = new.key and locks.holder = %s returning locks.key
                """.encode(),
                [list(new), list(new.values()), self._holder],
            )
            left = {key for (key,) in rows}
            self.tokens.update({key: token if key in left else _NONE for key, token in new.items()})

    def close(self) -> None:
        """End the session, and the locks with it."""
        if self._session is not None:
            self._session.close()

    @contextmanager
    def _used(self, attempt: _Attempt) -> Generator[Connection[Any]]:
        """The session, which is made anew where it broke, with the locks that no other process has taken."""
        try:
            if self._session is None or self._session.closed:
                self._session = self._connected(attempt)
                if self.tokens:
                    again = 'select pg_try_advisory_lock(hashtextextended(%s || key, 0)) from unnest(%s::text[]) as key'
                    self._session.execute(again.encode(), [f'{self._schema} ', list(self.tokens)])
            attempt.uses(self._session)
            yield self._session
        except psycopg.Error:
            # It may be dead, or about to die: then it must not look as if it held anything.
            self.close()
            raise

    def _connected(self, attempt: _Attempt) -> Connection[Any]:
        session = psycopg.connect(_noticing(self._url), autocommit=True, prepare_threshold=None)
        try:
            attempt.uses(session)
            if session.execute('select pg_backend_pid()').fetchone() != (session.info.backend_pid,):
                raise UserError(_POOLER)
            for setting in _SERVER_SIDE:
                session.execute(f'set {setting}')
        except BaseException:
            session.close()
            raise
        return session

    def leave_to_parent(self) -> None:
        """In a fork: leave the session, so that it ends with the parent, without a word to the other side."""
        if self._session is not None and not self._session.closed:
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, self._session.fileno(), inheritable=False)
            os.close(nothing)


def save_under(connection: Connection[Any], schema: str, texts: Mapping[str, str], tokens: Mapping[str, int]) -> bool:
    """Save all texts or none; whether the locks still have these tokens, without which none is saved."""
    # The next holder of a lock waits for the share locks of what is being saved under it.
    done = connection.execute(
        f"""
        with {DURABLY},
        mine as materialized (
            select from {schema}.locks
            where (key, token) in (select * from unnest(%s::text[], %s::bigint[])) for share
        )
        insert into {schema}.texts (key, text, saved)
        select key, text, date_trunc('hour', now()) from durably, unnest(%s::text[], %s::text[]) as new (key, text)
        where (select count(*) from mine) = %s
        on conflict (key) do update set text = excluded.text, saved = excluded.saved
        """.encode(),
        [list(tokens), list(tokens.values()), list(texts), list(texts.values()), len(tokens)],
    )
    return done.rowcount == len(texts)


def _noticing(url: str) -> str:
    """The address, with settings by which a connection to it notices within half a minute that the network is gone."""
    return make_conninfo(
        url,
        connect_timeout=10,
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=3,
        tcp_user_timeout=25_000,
    )


def _passes(error: Exception) -> bool:
    """Whether the same may work in a moment: the server restarts, or the connection broke."""
    if isinstance(error, PoolClosed):
        return False
    if isinstance(error, PoolTimeout | psycopg.InterfaceError):
        return True
    if not isinstance(error, psycopg.Error):
        return False
    # In a failover, the server takes no writes until the address leads to the one that does.
    if error.sqlstate == '25006':
        return True
    # A violation of the protocol is a pooler that gives a session for one statement only.
    return (
        isinstance(error, psycopg.OperationalError)
        and error.sqlstate != '08P01'
        and ((error.sqlstate or '08')[:2] in ('08', '40', '53', '57'))
    )


def _steady() -> float:
    # Unlike `monotonic`, it counts while the machine sleeps.
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == 'linux' else time.monotonic()


def _threads() -> CapacityLimiter:
    """Threads of our own: those that wait for a database take none from tools that need one."""
    try:
        return _limiter.get()
    except LookupError:
        limiter = CapacityLimiter(64)
        _limiter.set(limiter)
        return limiter


_limiter = RunVar[CapacityLimiter]('toolscript.postgres.limiter')
_of_this_process = weakref.WeakSet[_Locks]()
_inherited = list[object]()
"""Connections of parents, kept so that nothing closes them."""


def _in_the_child() -> None:
    for locks in list(_of_this_process):
        locks.leave_to_parent()
        _inherited.append(locks)
    _of_this_process.clear()


if sys.platform != 'win32':
    os.register_at_fork(after_in_child=_in_the_child)

_HASH = "hashtextextended(%s || ' ' || %s, 0)"
_NONE = -1
"""A token that no lock has."""
_CLOCK_IS_FRESH = 60.0
"""Seconds after which the database is asked for the time once more: it may be another server by then."""
_RELEASING = 5.0
"""Seconds that the end of a lock waits at most for a database that is gone."""
_SERVER_SIDE = ('tcp_keepalives_idle = 10', 'tcp_keepalives_interval = 5', 'tcp_keepalives_count = 3')
_POOLER = (
    'There is a pooler between this process and PostgreSQL. It may give the session that holds a lock to another '
    'process. Pass the address of PostgreSQL itself for this one session: PostgresStore(url, direct_url=...). '
    'Everything else may use the pooler.'
)
