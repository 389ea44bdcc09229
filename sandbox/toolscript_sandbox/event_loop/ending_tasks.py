"""Cancels tasks that may not end promptly.

A tool may swallow its cancellation, or take an hour to clean up. Cancelling a run does not wait for that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import anyio


async def abandon(tasks: Collection[asyncio.Task[Any]], seconds: float) -> None:
    """Cancel tasks and wait until they end; abandon those that have not ended after this many seconds.

    Their exceptions are dropped. A second cancellation ends the wait.
    """
    running = [task for task in tasks if not task.done()]
    for task in running:
        task.cancel()
    try:
        if running:
            # A cancelled anyio scope cancels this task again at each turn of the loop; the shield lets it wait.
            with anyio.CancelScope(shield=True):
                await asyncio.wait(running, timeout=seconds)
    finally:
        for task in tasks:
            if task.done():
                _gone(task)
            else:
                detach(task)


def detach(task: asyncio.Task[Any]) -> None:
    """Let a task continue although no caller awaits it."""
    _DETACHED.add(task)
    task.add_done_callback(_gone)


_DETACHED = set[asyncio.Task[Any]]()
"""References to the tasks, because the event loop holds none to a task that waits."""


def _gone(task: asyncio.Task[Any]) -> None:
    _DETACHED.discard(task)
    # Asking for the exception keeps asyncio from reporting it as never retrieved.
    _ = task.cancelled() or task.exception()
