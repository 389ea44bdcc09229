"""Cancellations that nobody asked for."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar('T')


class StrayCancellation(RuntimeError):
    """A tool was cancelled from within: by a task that it had cancelled itself, or by a client that died under it."""


async def told_if_stray(work: Awaitable[T]) -> T:
    """The work's result; where it ends with a cancellation that nobody asked for, it fails as any other work does.

    Raises:
        StrayCancellation: The work was cancelled, but not the task that waits for it: passed on, that would end the run
            as if its owner had wanted it, without a word.
        CancelledError: The task itself is being cancelled.
    """
    try:
        return await work
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise StrayCancellation(_STRAY) from error


_STRAY = """\
The tool raised CancelledError, though nobody cancelled the call or the run. \
Catch it in the tool, where it awaits what was cancelled."""
