"""How a sandbox is doing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stats:
    """Counts since the sandbox was made, except the first two."""

    workers_in_use: int
    """Workers that sessions use now."""
    workers_idle: int
    """Workers that are ready now."""
    workers_lost: int
    """Workers that died or were killed during work."""
    checks: int
    """Snippets that a type checker read; recent ones are not read again."""
    checks_repeated: int
    """Checks that were repeated because the checker failed."""
    checks_failed: int
    """Checks that failed twice; the snippet was refused."""
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
