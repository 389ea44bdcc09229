"""Cancels work that may not end promptly.

A tool may swallow its cancellation, or take an hour to clean up. Cancelling a run does not wait for that: `abandon`
ends tasks. `in_place` runs a call that a script waits for alone in the task of the script, because a task of its own
would cost more turns of the event loop than most calls do. But then a tool that swallows its cancellation would swallow
that of the run. So `in_place` drives the coroutine itself: it passes on the futures that the work awaits, and sees each
cancellation before the work does.
"""

import asyncio
import types
from collections.abc import Collection, Coroutine, Generator
from typing import Any, TypeVar

import anyio

T = TypeVar('T')


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


@types.coroutine
def in_place(
    work: Coroutine[Any, Any, T], seconds: float | None, error: BaseException | None = None
) -> Generator[Any, Any, T]:
    """Return the result of the work. Raises its errors, and `CancelledError` if the task was cancelled meanwhile.

    Work that has not ended this many seconds after the cancellation of the task continues in a task of its own. It
    starts with the error, if there is one.
    """
    task = asyncio.current_task()
    before = 0 if task is None else task.cancelling()
    timer: _CancelTimer | None = None
    try:
        while True:
            try:
                waits_for = work.send(None) if error is None else work.throw(error)
            except StopIteration as end:
                if timer is not None and timer.stop():
                    raise asyncio.CancelledError from None
                return end.value
            error = None
            try:
                yield waits_for
            except BaseException as reached:
                if seconds is not None:
                    timer = timer or _CancelTimer(task, before, seconds)
                    if timer.has_expired():
                        detach(asyncio.create_task(_rest(work, reached)))
                        raise
                error = reached
    finally:
        if timer is not None:
            timer.stop()
        # The error's traceback refers to this frame.
        del error


async def _rest(work: Coroutine[Any, Any, T], error: BaseException) -> T:
    return await in_place(work, None, error)


class _CancelTimer:
    """Limits how long a cancelled task waits for its work."""

    def __init__(self, task: asyncio.Task[Any] | None, before: int, seconds: float) -> None:
        """Create the limit. `before` is `task.cancelling()` when the work began."""
        self._task = task
        self._before = before
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._has_expired = False

    @property
    def _is_cancelled(self) -> bool:
        # A timeout within the work also cancels the task, and then uncancels it.
        return self._task is not None and self._task.cancelling() > self._before

    def has_expired(self) -> bool:
        """Return whether the time is up. Called for each error that is about to be thrown into the work."""
        if self._has_expired and self._task is not None:
            self._task.uncancel()
        elif self._timer is None and self._is_cancelled:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._expire)
        return self._has_expired

    def _expire(self) -> None:
        self._timer = None
        if self._task is not None and self._is_cancelled:
            self._has_expired = True
            self._task.cancel()

    def stop(self) -> bool:
        """Stop the timer when the work has ended. Returns whether the task is cancelled, even if the work hid that."""
        if self._timer is None:
            return False
        self._timer.cancel()
        return self._is_cancelled
