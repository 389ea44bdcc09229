"""That a process is there, as the database sees it.

A process has a number, and holds an advisory lock on it, in a session of its own. The lock ends with the session: when
the process ends, however it does, or when nothing came through from it for a minute: it says something every few
seconds, and PostgreSQL ends sessions that say nothing (`idle_session_timeout`, from 14 on; before, only what its
keepalives notice). What belongs to a number that nobody holds any more may be taken by others. A session that broke is
made anew, under the same number.

The alternative, leases that are renewed, would need no session, so that any pooler would do; but after a death
everybody would have to wait until the lease has run out, and a process that was stopped for as long loses what it has.
"""

import logging
import os
import secrets
import selectors
import threading
import weakref
from collections.abc import Callable
from typing import Any

import psycopg
from psycopg import Connection
from psycopg.conninfo import make_conninfo
from pydantic_ai import UserError

from .watch import Watch

_SERVER_SIDE = ('tcp_keepalives_idle = 10', 'tcp_keepalives_interval = 5', 'tcp_keepalives_count = 3')
_SILENCE = 60.0
"""Seconds after which PostgreSQL ends the session of a process from which nothing comes."""
_KNOWS_SILENCE = 140_000
"""The first version of PostgreSQL that does."""
_BEAT = 15.0
"""Seconds after which a process says something, and within which it wants to hear an answer."""
_logger = logging.getLogger('toolscript.postgres')


def noticing(url: str) -> str:
    """The address, with settings by which a connection to it notices within half a minute that the network is gone."""
    return make_conninfo(
        url,
        connect_timeout=10,
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=3,
        tcp_user_timeout=25_000,
    )


class Presence:
    """The number of this process. One thread waits beside its session, and does nothing while that stands."""

    def __init__(self, url: str, watch: Watch, on_return: Callable[[Connection[Any]], object]) -> None:
        """Take a number.

        Args:
            url: Where PostgreSQL itself is.
            watch: Ends sessions that do not answer.
            on_return: Is called with each session after the first.

        Raises:
            UserError: The session is not one with PostgreSQL itself.
            OperationalError: PostgreSQL cannot be reached.
        """
        self._url, self._watch, self._on_return = url, watch, on_return
        self._stands, self._closing = threading.Event(), threading.Event()
        self._wakes, self._wake = os.pipe()
        self.number: int = secrets.randbits(62)
        self._session = self._connect()
        try:
            self._lock()
        except BaseException:
            self._session.close()
            raise
        self._stands.set()
        _present.add(self)
        self._thread = threading.Thread(target=self._stay, name='toolscript presence', daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Whether the number is held, at the latest after so many seconds."""
        return self._stands.wait(seconds)

    def close(self) -> None:
        """Give the number back."""
        self._closing.set()
        os.write(self._wake, b'.')
        self._thread.join()
        self._session.close()
        os.close(self._wakes)
        os.close(self._wake)
        _present.discard(self)

    def leave_to_parent(self) -> None:
        """In a fork: let go of the session, so that it ends with the parent; nothing is said to the other side."""
        if not self._session.closed:
            nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
            os.dup2(nothing, self._session.fileno(), inheritable=False)
            os.close(nothing)

    def _stay(self) -> None:
        while not self._closing.is_set():
            try:
                self._sleep()
                if not self._closing.is_set():
                    with self._watch.answering(self._session, _BEAT):
                        self._session.execute('select 1')
            except psycopg.Error:
                self._stands.clear()
                self._come_back()

    def _sleep(self) -> None:
        """Come back when the session says something, which it does when it ends; or after a while."""
        with selectors.DefaultSelector() as ready:
            for end in (self._session, self._wakes):
                ready.register(end, selectors.EVENT_READ)
            ready.select(_BEAT)

    def _come_back(self) -> None:
        _logger.warning('The session that holds the claims of this process broke; a new one is made.')
        pause = 0.1
        while not self._closing.wait(pause):
            pause = min(2 * pause, 2.0)
            try:
                self._session.close()
                self._session = self._connect()
                # As long as PostgreSQL has not noticed the end of the old session, that one holds the lock.
                if self._lock():
                    with self._watch.answering(self._session, _BEAT):
                        self._on_return(self._session)
                    self._stands.set()
                    return
            except (psycopg.Error, UserError) as error:
                _logger.warning('PostgreSQL cannot be reached: %s', error)

    def _connect(self) -> Connection[Any]:
        session = psycopg.connect(noticing(self._url), autocommit=True, prepare_threshold=None)
        try:
            with self._watch.answering(session, _BEAT):
                row = session.execute('select pg_backend_pid()').fetchone()
                if row != (session.info.backend_pid,):
                    raise UserError(_POOLER)
                for setting in _SERVER_SIDE:
                    session.execute(f'set {setting}')
                if session.info.server_version >= _KNOWS_SILENCE:
                    session.execute(f"set idle_session_timeout = '{_SILENCE}s'".encode())
        except BaseException:
            session.close()
            raise
        return session

    def _lock(self) -> bool:
        with self._watch.answering(self._session, _BEAT):
            row = self._session.execute('select pg_try_advisory_lock(%s::bigint)', [self.number]).fetchone()
            held = self._session.execute(_HOLDS_A_LOCK).fetchone()
        if row == (True,) and held != (True,):
            raise UserError(_NO_LOCKS)
        return row == (True,)


_present = weakref.WeakSet[Presence]()


def _in_the_child() -> None:
    for presence in list(_present):
        presence.leave_to_parent()
        _inherited.append(presence)
    _present.clear()


_inherited = list[Presence]()
"""Those of parents, kept so that nothing closes them."""

if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=_in_the_child)

_HOLDS_A_LOCK = (
    "select exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted)"
)
_POOLER = (
    'There is a pooler between this process and PostgreSQL. A claim is a lock of a session, which a pooler may give to '
    'somebody else between two transactions. Give the store the address of PostgreSQL itself for the one session that '
    'a process needs: PostgresStore(url, direct_url=...); everything else may go through the pooler.'
)
_NO_LOCKS = (
    'This database takes advisory locks and does not hold them, so two processes could go on with one script. '
    'PostgresStore needs PostgreSQL, version 13 or later.'
)
