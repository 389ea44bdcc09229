"""How tasks are ended that may not want to end.

A tool may swallow its cancellation, or take an hour to clean up. Cancelling a run does not wait for that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import anyio


async def abandon(tasks: Collection[asyncio.Task[Any]], seconds: float) -> None:
    """Cancel tasks and wait until they end; abandon those that have not ended after so many seconds.

    Their exceptions are dropped. A second cancellation ends the wait.
    """
    running = [task for task in tasks if not task.done()]
    for task in running:
        task.cancel()
    try:
        if running:
            # A scope of anyio that is cancelled cancels at each turn of the loop, and would leave them none to end in.
            with anyio.CancelScope(shield=True):
                await asyncio.wait(running, timeout=seconds)
    finally:
        for task in tasks:
            if task.done():
                _gone(task)
            else:
                leave_behind(task)


def leave_behind(task: asyncio.Task[Any]) -> None:
    """Let it continue, although no caller awaits it."""
    _LEFT_BEHIND.add(task)
    task.add_done_callback(_gone)


_LEFT_BEHIND = set[asyncio.Task[Any]]()
"""The event loop itself holds no task that waits."""


def _gone(task: asyncio.Task[Any]) -> None:
    _LEFT_BEHIND.discard(task)
    # Asking for the exception keeps asyncio from reporting it as never retrieved.
    _ = task.cancelled() or task.exception()
