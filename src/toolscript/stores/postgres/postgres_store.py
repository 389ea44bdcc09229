"""A store in PostgreSQL."""

import itertools
import os
import re
import secrets
import threading
import time
import weakref
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from operator import attrgetter
from typing import Any, Self, TypeVar

import anyio
import psycopg
from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from psycopg import Connection
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout
from pydantic_ai import UserError

from toolscript.stores.store import LockLost

from .clock import Clock
from .migrations import migrate
from .patience import passes
from .presence import Presence, noticing
from .statements import Statements
from .versions import Versions
from .watch import Watch

T = TypeVar('T')

_SCHEMA = re.compile(r'[a-z_][a-z0-9_]{0,40}')
_GIVING_BACK = 5.0
"""Seconds that the end of a claim waits at most for a database that is gone."""
_MIGRATING = 300.0
"""Seconds that tables may take to be brought to this version, which others may be doing."""


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
    timeout: timedelta = timedelta(seconds=30)
    """How long a script waits for a database that is gone, before it is stopped."""
    ttl: timedelta = timedelta(days=30)
    """`forget_old` removes what was not written for so long."""
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _claiming: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _renewing: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _opened: '_Opened | None' = field(default=None, init=False, repr=False, compare=False)
    _claims: dict[str, '_Claim'] = field(default_factory=dict[str, '_Claim'], init=False, repr=False, compare=False)
    """What this process has claimed, or asks for."""
    _clock: Clock = field(default_factory=Clock, init=False, repr=False, compare=False)
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
            LockLost: This process had a claim on them, and another one has it now.
        """
        claimed = {claim.key: claim for key in texts for claim in (self._claim_of(key),) if claim is not None}.values()
        attempts = itertools.count()

        def save(connection: Connection[Any]) -> bool:
            if next(attempts) and not all(self._renew(connection, claim) for claim in claimed):
                return False
            tokens = _tokens(claimed)
            # One that ended meanwhile, as where a task was cancelled, keeps what was to be written under it from going
            # on without.
            while len(tokens) == len(claimed) and not self._say.save(connection, texts, tokens):
                # Another task that writes under the same claim may have renewed it.
                before, tokens = tokens, _tokens(claimed)
                if tokens == before:
                    return False
            return len(tokens) == len(claimed)

        if not await self._do(save):
            raise LockLost(min(texts))

    async def load(self, key: str, /) -> str | None:
        """The text of a key."""
        return (await self.load_all([key])).get(key)

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """The texts of those keys that have one, in one round trip."""
        return await self._do(lambda connection: self._say.load(connection, keys))

    @asynccontextmanager
    async def lock(self, key: str, /) -> AsyncGenerator[bool]:
        """Whether no other task or process has the key.

        The claim ends with the process. If the session of the process breaks, others may take the claim until the
        process has a new one; what is saved here after that is refused.
        """
        claim = _Claim(key)
        with self._claiming:
            mine = self._claims.setdefault(key, claim) is claim
        if not mine:
            yield False
            return
        try:
            holder = await self._patiently(self._holder)
            yield await self._do(partial(self._claim, claim, holder))
        finally:
            self._claims.pop(key, None)
            await self._give_back(claim)

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

    def now(self) -> float:
        """Seconds since the epoch, by the clock of the database. Processes whose own clocks differ agree on it."""
        now = self._clock.now()
        if now is None:
            self._open()
            now = self._clock.now()
        assert now is not None
        return now

    def forget_old(self) -> int:
        """Remove old rows, by an index; how many there were. For a job that runs once a day or so."""
        with self._open().pool.connection(self.timeout.total_seconds()) as connection:
            return self._say.forget(connection, self.ttl)

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

    def _claim_of(self, key: str) -> '_Claim | None':
        """The claim under which the key is written, if this process has one."""
        claims = (self._claims.get(claim) for claim in (key, key.rpartition('.')[0]))
        return next((claim for claim in claims if claim is not None and claim.token is not None), None)

    def _holder(self, end: float) -> int:
        return self._open().number(end - time.monotonic())

    def _claim(self, claim: '_Claim', holder: int, connection: Connection[Any]) -> bool:
        left, token = list(self._left), secrets.randbits(62)
        claim.asked.append(token)
        held = self._say.lock(connection, claim.key, holder, token, left)
        self._left.difference_update(left)
        with self._claiming:
            if claim.over:
                # Whoever asked was cancelled, and gave back what did not stand yet.
                self._left.add(token)
            elif held:
                claim.token = token
            else:
                claim.asked.clear()
        return held

    def _renew(self, connection: Connection[Any], claim: '_Claim') -> bool:
        """Whether the claim still stands; what was sent under it before, and may still arrive, writes nothing."""
        with self._renewing:
            old, new, holder = claim.token, secrets.randbits(62), self._open().holder
            if old is None or holder is None:
                return False
            claim.asked.append(new)
            if not self._say.renew(connection, claim.key, holder, old, new):
                return False
            with self._claiming:
                if claim.over:
                    self._left.add(new)
                    return False
                claim.token = new
            return True

    async def _give_back(self, claim: '_Claim') -> None:
        """End the claim, and each that may stand because an answer was lost."""
        with self._claiming:
            claim.over, claim.token = True, None
            self._left.update(claim.asked)
        if not claim.asked:
            return
        seconds = min(_GIVING_BACK, self.timeout.total_seconds())
        with anyio.CancelScope(shield=True):
            try:
                await self._do(self._give_back_left, seconds=seconds)
            except Exception as error:
                if not passes(error):
                    raise

    def _give_back_left(self, connection: Connection[Any]) -> None:
        left = list(self._left)
        self._say.give_back(connection, left)
        self._left.difference_update(left)

    async def _do(self, work: Callable[[Connection[Any]], T], *, seconds: float | None = None) -> T:
        """What the work gives, with a connection; tried again while the database is gone.

        Work may be done twice where nobody knows whether it was done once: everything here may be.
        """
        return await self._patiently(partial(self._with_connection, work), seconds=seconds)

    async def _patiently(self, work: Callable[[float], T], *, seconds: float | None = None) -> T:
        """What the work gives, which is told by when it should; tried again until then while the database is gone."""
        end = time.monotonic() + (self.timeout.total_seconds() if seconds is None else seconds)
        pause = 0.0
        while True:
            try:
                return await to_thread.run_sync(work, end, limiter=_threads())
            except PoolTimeout as error:
                if time.monotonic() + pause > end:
                    raise await to_thread.run_sync(self._why_none_is_free, limiter=_threads()) from error
            except Exception as error:
                if not passes(error) or time.monotonic() + pause > end:
                    raise
            await anyio.sleep(pause)
            pause = min(2 * pause + 0.05, 1.0)

    def _with_connection(self, work: Callable[[Connection[Any]], T], end: float) -> T:
        opened = self._open()
        try:
            with (
                opened.pool.connection(max(0.1, min(2.0, end - time.monotonic()))) as connection,
                opened.watch.answering(connection, max(1.0, (end - time.monotonic()) / 2)),
            ):
                if not self._clock.is_fresh:
                    self._clock.read(connection)
                given = work(connection)
                if self._left:
                    self._give_back_left(connection)
                return given
        except Exception as error:
            if passes(error) and not isinstance(error, PoolTimeout):
                # One that broke is seldom alone.
                opened.pool.drain()
            raise

    def _why_none_is_free(self) -> Exception:
        try:
            psycopg.connect(make_conninfo(self.url, connect_timeout=2)).close()
        except psycopg.Error as error:
            return error
        return PoolTimeout(
            f'all {self.connections} connections of this process were busy; PostgresStore(connections=...) allows more'
        )

    def _open(self) -> '_Opened':
        with self._lock:
            if self._opened is None or self._opened.process != os.getpid():
                # Connections must not be used on both sides of a fork; the parent's stay as they are.
                if self._opened is not None:
                    _inherited.append(self._opened)
                    self._claims, self._left = {}, set()
                self._opened = _Opened(self)
            return self._opened


@dataclass(eq=False)
class _Claim:
    """One that this process has, or asks for."""

    key: str
    token: int | None = None
    """By which it is known, while it stands."""
    asked: list[int] = field(default_factory=list[int])
    """Each token under which it may stand."""
    over: bool = False
    """Whether nobody needs it any more."""


def _tokens(claims: Iterable[_Claim]) -> list[int]:
    """Those of claims that stand, in an order."""
    return [token for claim in sorted(claims, key=attrgetter('key')) if (token := claim.token) is not None]


class _Opened:
    """The connections of one process."""

    def __init__(self, store: PostgresStore) -> None:
        self.process = os.getpid()
        self._url = store.direct_url or store.url
        self._presence: Presence | None = None
        self._lock = threading.Lock()
        self._returned = weakref.WeakMethod(store._give_back_left)  # pyright: ignore[reportPrivateUsage]
        self.watch = Watch()
        self.pool = ConnectionPool(
            noticing(store.url),
            # A pooler may give each transaction another session, which knows no statements of the one before.
            kwargs={'autocommit': True, 'prepare_threshold': None},
            min_size=0,
            max_size=store.connections,
            # Whoever needs a connection tries again himself, at once when the database is back; the pool would wait
            # longer and longer.
            reconnect_timeout=0.0,
            open=False,
            name='toolscript',
        )
        self.pool.open()
        try:
            with (
                self.pool.connection(min(5.0, store.timeout.total_seconds())) as connection,
                self.watch.answering(connection, _MIGRATING),
            ):
                migrate(connection, store.schema)
                store._clock.read(connection)  # pyright: ignore[reportPrivateUsage]
        except BaseException:
            self.pool.close()
            self.watch.close()
            raise
        self.finish = weakref.finalize(store, self.close)

    @property
    def holder(self) -> int | None:
        """The number of this process, if it has one."""
        return None if self._presence is None else self._presence.number

    def number(self, seconds: float) -> int:
        """The number of this process, which it holds.

        Raises:
            OperationalError: It holds none after so many seconds.
        """
        with self._lock:
            if self._presence is None:
                self._presence = Presence(self._url, self.watch, self._on_return)
        if not self._presence.wait(seconds):
            raise psycopg.OperationalError('the session that holds the claims of this process has not come back yet')
        return self._presence.number

    def close(self) -> None:
        if self.process == os.getpid():
            if self._presence is not None:
                self._presence.close()
            self.pool.close()
            self.watch.close()

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
