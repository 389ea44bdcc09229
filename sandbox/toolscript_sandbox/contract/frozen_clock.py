"""The moment at which a session is, and what its chance is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime


@dataclass(frozen=True)
class FrozenClock:
    """Fixed time and random numbers of a session: with the same ones, its scripts make the same calls."""

    moment: datetime
    """With a zone. All clocks show this moment."""
    seed: bytes = field(repr=False)
    """The seed of all random numbers. Anyone who knows it can compute them, those of `secrets` too."""

    def __post_init__(self) -> None:
        if self.moment.tzinfo is None:
            raise ValueError(
                f'FrozenClock(moment=...) is {self.moment!r}, which has no time zone; use datetime.now(UTC).'
            )

    @property
    def utc(self) -> datetime:
        """The moment in UTC, the sandbox's own zone."""
        return self.moment.astimezone(UTC)
