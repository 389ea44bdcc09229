"""How a sandbox is doing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Stats:
    """Counts since the sandbox was made, except the first two."""

    workers_in_use: int = 0
    """Workers that sessions use now."""
    workers_idle: int = 0
    """Workers that are ready now."""
    workers_lost: int = 0
    """Workers that died or were killed during work."""
    checks: int = 0
    """Snippets that a type checker read; recent ones are not read again."""
    checks_repeated: int = 0
    """Checks that were repeated because the checker failed."""
    checks_failed: int = 0
    """Checks that failed twice; the snippet was refused."""
    checks_stopped: int = 0
    """Checks that took too long; the snippet was refused."""
