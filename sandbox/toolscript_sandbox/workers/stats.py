"""How a sandbox is doing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stats:
    """Counted since the sandbox was made, but for the first two."""

    workers_in_use: int
    """Lent to sessions at this moment."""
    workers_idle: int
    """Ready for a session at this moment."""
    workers_lost: int
    """Those that died, or were ended, in the middle of something."""
    checks: int
    """Snippets that a type checker read; one that was read lately is not read again."""
    checks_repeated: int
    """Checks in which the checker failed, and a fresh one was asked."""
    checks_failed: int
    """Those of them in which the fresh one failed too; the snippet was refused."""
    checks_stopped: int
    """Checks that took too long; the snippet was refused."""


@dataclass
class Counts:
    """The counters of one sandbox."""

    workers_lost: int = 0
    checks: int = 0
    checks_repeated: int = 0
    checks_failed: int = 0
    checks_stopped: int = 0
