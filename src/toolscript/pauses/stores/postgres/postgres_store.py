"""A store in PostgreSQL."""

import os
import re
import threading
import time
import weakref
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Self, TypeAlias, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from psycopg import Connection
from psycopg_pool import ConnectionPool
from pydantic_ai import UserError

from toolscript.pauses.stores.store import ClaimLost

from .migrations import migrate
from .patience import passes
from .presence import Presence, noticing
from .statements import Statements
from .versions import Versions

T = TypeVar('T')
_Claims: TypeAlias = dict[str, int | None]

_SCHEMA = re.compile(r'[a-z_][a-z0-9_]{0,40}')
_GIVING_BACK = 5.0
"""Seconds that the end of a claim waits at most for a database that is gone."""


@dataclass
class PostgresStore:
    """One row for each key, in PostgreSQL. Processes on any number of machines may share it.

    All times are those of the database. The tables are made, or brought to this version, by the first use. Connections
    are made by the first use too, and closed by `close`, at the end of an `async with`, or when nobody has the store
    any more.
    """

    url: str = field(repr=False)
    """Where the database is: a URL, or `key=value` pairs. A pooler may stand there, in transaction mode too."""
    schema: str = 'toolscript'
    """Where the tables are."""
    direct_url: str | None = field(default=None, repr=False)
    """Where PostgreSQL itself is, if `url` is that of a pooler: each process has one session there, for its claims."""
    connections: int = 8
    """How many there are at most, beside that one."""
    patience: timedelta = timedelta(seconds=30)
    """How long a script waits for a database that is gone, before it is stopped."""
    max_age: timedelta = timedelta(days=30)
    """`forget_old` removes what was not written for so long."""
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _claiming: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _opened: '_Opened | None' = field(default=None, init=False, repr=False, compare=False)
    _claims: dict[str, int | None] = field(
        default_factory=dict[str, 'int | None'], init=False, repr=False, compare=False
    )
    """The tokens of what this process has claimed; `None` while it asks."""
    _left: set[int] = field(default_factory=set[int], init=False, repr=False, compare=False)
    """Tokens that could not be given back yet."""

    def __post_init__(self) -> None:
        """Refuse what is no name of a schema."""
        if not _SCHEMA.fullmatch(self.schema):
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
        """Keep a text: it is committed when this returns."""
        await self.save_all({key: text})

    async def save_all(self, texts: Mapping[str, str], /) -> None:
        """Keep all texts or none, in one round trip: they are committed when this returns.

        Raises:
            ClaimLost: This process had a claim on them, and another one has it now.
        """
        tokens = {token for key in texts for token in (self._token(key),) if token is not None}
        if not await self._do(lambda connection: self._say.save(connection, texts, sorted(tokens))):
            raise ClaimLost(min(texts))

    async def load(self, key: str, /) -> str | None:
        """The text of a key."""
        return (await self.load_all([key])).get(key)

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """The texts of those keys that have one, in one round trip."""
        return await self._do(lambda connection: self._say.load(connection, keys))

    @asynccontextmanager
    async def claim(self, key: str, /) -> AsyncGenerator[bool]:
        """Whether no other task or process has the key.

        The claim ends with the process. If the session of the process breaks, others may take the claim until the
        process has a new one; what is saved here after that is refused.
        """
        with self._claiming:
            mine = key not in self._claims
            if mine:
                self._claims[key] = None
        if not mine:
            yield False
            return
        try:
            token = self._claims[key] = await self._do(lambda connection: self._claim(connection, key))
            try:
                yield token is not None
            finally:
                if token is not None:
                    await self._give_back(token)
        finally:
            del self._claims[key]

    async def put_version(self, owner: str, name: str, version: int, text: str, /) -> bool:
        """Keep a text as that version, if it is free."""
        return await self._do(lambda connection: self._versions.put(connection, owner, name, version, text))

    async def newest_versions(
        self, owner: str, names: Collection[str] | None = None, /
    ) -> Mapping[str, tuple[int, str]]:
        """The newest version of each name."""
        return await self._do(lambda connection: self._versions.newest(connection, owner, names))

    async def all_versions(self, owner: str, name: str, /) -> Mapping[int, str]:
        """All versions of a name."""
        return await self._do(lambda connection: self._versions.every(connection, owner, name))

    async def remove_versions(self, owner: str, name: str, up_to: int | None = None, /) -> int:
        """Remove versions; how many there were."""
        return await self._do(lambda connection: self._versions.remove(connection, owner, name, up_to))

    async def migrate(self) -> None:
        """Make the tables, or bring them to this version, as a role that may; others need only to read and write them.

        Raises:
            UserError: The tables are of a newer version.
        """
        await self._do(lambda connection: None)

    def forget_old(self) -> int:
        """Remove old rows, by an index; how many there were. For a job that runs once a day or so."""
        with self._open().pool.connection(self.patience.total_seconds()) as connection:
            return self._say.forget(connection, self.max_age)

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.finish()

    @property
    def _say(self) -> Statements:
        return Statements(self.schema)

    @property
    def _versions(self) -> Versions:
        return Versions(self.schema)

    def _token(self, key: str) -> int | None:
        return self._claims.get(key) or self._claims.get(key.rpartition('.')[0])

    def _claim(self, connection: Connection[Any], key: str) -> int | None:
        left = list(self._left)
        token = self._say.claim(connection, key, self._open().number(self.patience.total_seconds()), left)
        self._left.difference_update(left)
        return token

    async def _give_back(self, token: int) -> None:
        self._left.add(token)
        seconds = min(_GIVING_BACK, self.patience.total_seconds())
        with anyio.CancelScope(shield=True):
            try:
                await self._do(lambda connection: self._say.give_back(connection, [token]), seconds=seconds)
            except Exception as error:
                if not passes(error):
                    raise
            else:
                self._left.discard(token)

    def _give_back_left(self, connection: Connection[Any]) -> None:
        left = list(self._left)
        self._say.give_back(connection, left)
        self._left.difference_update(left)

    async def _do(self, work: Callable[[Connection[Any]], T], *, seconds: float | None = None) -> T:
        """What the work gives, with a connection; tried again while the database is gone.

        Work may be done twice where nobody knows whether it was done once: everything here may be.
        """
        end = time.monotonic() + (self.patience.total_seconds() if seconds is None else seconds)
        pause = 0.0
        while True:
            try:
                return await to_thread.run_sync(self._with_connection, work, end, limiter=_threads())
            except Exception as error:
                if not passes(error) or time.monotonic() + pause > end:
                    raise
            await anyio.sleep(pause)
            pause = min(2 * pause + 0.05, 1.0)

    def _with_connection(self, work: Callable[[Connection[Any]], T], end: float) -> T:
        pool = self._open().pool
        try:
            with pool.connection(max(0.1, min(2.0, end - time.monotonic()))) as connection:
                return work(connection)
        except Exception as error:
            if passes(error):
                # One that broke is seldom alone.
                pool.check()
            raise

    def _open(self) -> '_Opened':
        with self._lock:
            if self._opened is None or self._opened.process != os.getpid():
                # Connections must not be used on both sides of a fork; the parent's stay as they are.
                if self._opened is not None:
                    _inherited.append(self._opened)
                    self._claims, self._left = {}, set()
                self._opened = _Opened(self)
            return self._opened


class _Opened:
    """The connections of one process."""

    def __init__(self, store: PostgresStore) -> None:
        self.process = os.getpid()
        self._url = store.direct_url or store.url
        self._presence: Presence | None = None
        self._lock = threading.Lock()
        self._returned = weakref.WeakMethod(store._give_back_left)  # pyright: ignore[reportPrivateUsage]
        self.pool = ConnectionPool(
            noticing(store.url),
            # A pooler may give each transaction another session, which knows no statements of the one before.
            kwargs={'autocommit': True, 'prepare_threshold': None},
            min_size=0,
            max_size=store.connections,
            open=False,
            name='toolscript',
        )
        self.pool.open()
        try:
            with self.pool.connection(min(5.0, store.patience.total_seconds())) as connection:
                migrate(connection, store.schema)
        except BaseException:
            self.pool.close()
            raise
        self.finish = weakref.finalize(store, self.close)

    def number(self, seconds: float) -> int:
        """The number of this process, which it holds."""
        with self._lock:
            if self._presence is None:
                self._presence = Presence(self._url, self._on_return)
        self._presence.wait(seconds)
        return self._presence.number

    def close(self) -> None:
        if self.process == os.getpid():
            if self._presence is not None:
                self._presence.close()
            self.pool.close()

    def _on_return(self, connection: Connection[Any]) -> None:
        returned = self._returned()
        if returned is not None:
            returned(connection)


_inherited = list[_Opened]()
"""Those of parents, kept so that nothing closes them."""
_limiter = RunVar[CapacityLimiter]('toolscript.postgres.limiter')


def _threads() -> CapacityLimiter:
    """Threads of our own: those that wait for a database take none from tools that need one."""
    try:
        return _limiter.get()
    except LookupError:
        limiter = CapacityLimiter(64)
        _limiter.set(limiter)
        return limiter
