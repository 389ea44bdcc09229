"""The moment at which a session is, and what its chance is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime


@dataclass(frozen=True)
class FrozenClock:
    """The clock and the chance of a session that may be replayed: with the same, its scripts take the same way."""

    moment: datetime
    """With a zone. All clocks stand there, and do not continue."""
    seed: bytes = field(repr=False)
    """What all random numbers are made of. Anyone who knows it knows them, those of `secrets` too."""

    def __post_init__(self) -> None:
        if self.moment.tzinfo is None:
            raise ValueError(
                f'FrozenClock(moment=) is {self.moment!r}, which names no zone; use datetime.now(UTC) or the like.'
            )

    @property
    def utc(self) -> datetime:
        """The moment in UTC, the sandbox's own zone."""
        return self.moment.astimezone(UTC)
