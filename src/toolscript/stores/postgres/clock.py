"""What time it is by the database."""

import time
from typing import Any

from psycopg import Connection

_FRESH = 60.0
"""Seconds after which the database is asked once more: by then, it may be another server with another clock."""


class Clock:
    """The clock of the database: read now and then, and told in between by one of this machine that nobody sets.

    To ask for each expiry would cost a round trip each; to trust the clocks of the machines, that they agree.
    """

    def __init__(self) -> None:
        self._ahead: float | None = None
        self._read_at = 0.0

    @property
    def is_fresh(self) -> bool:
        """Whether it was read lately."""
        return self._ahead is not None and _steady() - self._read_at < _FRESH

    def read(self, connection: Connection[Any]) -> None:
        """Ask the database, in one round trip."""
        asked = _steady()
        row = connection.execute('select extract(epoch from clock_timestamp())::float8').fetchone()
        self._read_at = _steady()
        assert row is not None
        self._ahead = row[0] - (asked + self._read_at) / 2

    def now(self) -> float | None:
        """Seconds since the epoch; `None` before it was read."""
        return None if self._ahead is None else _steady() + self._ahead


def _steady() -> float:
    # Unlike `monotonic`, it goes on while the machine sleeps.
    boottime = getattr(time, 'CLOCK_BOOTTIME', None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)
