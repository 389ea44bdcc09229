"""The time of a session, and the source of its random numbers."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any, TypeAlias


@dataclass(frozen=True)
class FrozenClock:
    """Fixed time and random numbers of a session: with the same ones, its scripts make the same calls."""

    moment: datetime
    """The moment, with a time zone, that all clocks show."""
    seed: bytes = field(repr=False)
    """The seed of all random numbers. Anyone who knows it can compute them, including those of `secrets`."""

    def __post_init__(self) -> None:
        if self.moment.tzinfo is None:
            raise ValueError(
                f'FrozenClock(moment=...) is {self.moment!r}, which has no time zone; use datetime.now(UTC).'
            )

    @property
    def utc(self) -> datetime:
        """Return the moment in UTC, the time zone of the sandbox."""
        return self.moment.astimezone(UTC)


@dataclass
class HostClock:
    """A clock that the host can stop and start again, so that a script restored twice behaves the same both times.

    Scripts ask the host for the time, so key functions of sorts cannot use it.
    """

    moment: datetime | None = None
    """The moment, with a time zone, that all clocks show; `None` while they run."""
    seed: bytes = field(default_factory=lambda: token_bytes(32), repr=False)
    """The seed of all random numbers."""

    def read(self, name: str, args: tuple[Any, ...]) -> Any:
        """Return the result of a clock function of Python.

        Args:
            name: One of `CLOCK_FUNCTIONS`.
            args: Its arguments; the first of `datetime.now` is a time zone.
        """
        now = (self.moment or datetime.now(UTC)).astimezone(UTC)
        if name == 'time.time':
            return now.timestamp()
        if name == 'date.today':
            return now.date()
        zone = args[0] if args else None
        return now.replace(tzinfo=None) if zone is None else now.astimezone(zone)


CLOCK_FUNCTIONS = frozenset(['datetime.now', 'date.today', 'time.time'])
"""The functions that Monty asks its host for if the host provides the clock."""

SessionClock: TypeAlias = FrozenClock | HostClock
"""The clock of a session."""
