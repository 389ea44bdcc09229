"""Counts of a sandbox's workers and checks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Stats:
    """Counts since the sandbox was made, except the first two."""

    workers_in_use: int = 0
    """Workers that sessions currently use."""
    workers_idle: int = 0
    """Workers that are currently idle."""
    workers_lost: int = 0
    """Workers that died or were killed during work."""
    checks: int = 0
    """Snippets that were type-checked; recent ones are not checked again."""
    checks_repeated: int = 0
    """Checks that were repeated because the checker failed."""
    checks_failed: int = 0
    """Checks that failed twice; the snippet was refused."""
    checks_stopped: int = 0
    """Checks that took too long; the snippet was refused."""
