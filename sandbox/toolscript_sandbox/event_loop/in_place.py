"""Work that is done in the task that waits for it, and leaves that task where it does not end when it is cancelled.

A call that a script waits for alone needs no task of its own, which would cost more turns of the event loop than most
calls do. But then a tool that swallows its cancellation swallows that of the run. So the work is driven from here by
hand: what comes up is what it waits for, what goes down is what came of that, and a cancellation is seen on its way.
"""

from __future__ import annotations

import asyncio
import types
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

from .ending_tasks import leave_behind

T = TypeVar('T')


@types.coroutine
def in_place(work: Coroutine[Any, Any, T], seconds: float) -> Generator[Any, Any, T]:
    """What the work gives. Raises what it raises, and `CancelledError` where the task was cancelled, whatever it gives.

    Work that has not ended so many seconds after the task was cancelled continues in another one, on its own.
    """
    try:
        waits_for = work.send(None)
    except StopIteration as end:
        return end.value
    task = asyncio.current_task()
    before = 0 if task is None else task.cancelling()
    patience: _Patience | None = None
    while True:
        error = None
        try:
            yield waits_for
        except BaseException as reached:
            patience = patience or _Patience(task, before, seconds)
            if patience.is_over():
                leave_behind(asyncio.create_task(_alone(work, reached)))
                raise
            error = reached
        try:
            waits_for = work.send(None) if error is None else work.throw(error)
        except StopIteration as end:
            if patience is not None and patience.ends():
                raise asyncio.CancelledError from None
            return end.value
        except BaseException:
            if patience is not None:
                patience.ends()
            # Its traceback holds this frame.
            del error
            raise


async def _alone(work: Coroutine[Any, Any, T], error: BaseException) -> T:
    """What is left of the work, which the error has reached."""
    return await _rest(work, error)


@types.coroutine
def _rest(work: Coroutine[Any, Any, T], error: BaseException | None) -> Generator[Any, Any, T]:
    try:
        while True:
            try:
                waits_for = work.send(None) if error is None else work.throw(error)
            except StopIteration as end:
                return end.value
            error = None
            try:
                yield waits_for
            except BaseException as reached:
                error = reached
    finally:
        del error


class _Patience:
    """How long a task waits for work that was cancelled with it."""

    def __init__(self, task: asyncio.Task[Any] | None, before: int, seconds: float) -> None:
        """`before` is how often the task had been cancelled when the work began."""
        self._task = task
        self._before = before
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._is_over = False

    @property
    def _is_cancelled(self) -> bool:
        # A time limit within the work cancels the task too, and takes that back.
        return self._task is not None and self._task.cancelling() > self._before

    def is_over(self) -> bool:
        """To be asked when an error comes for the work: whether the work has had its time."""
        if self._is_over and self._task is not None:
            self._task.uncancel()
        elif self._timer is None and self._is_cancelled:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._ends)
        return self._is_over

    def _ends(self) -> None:
        self._timer = None
        if self._task is not None and self._is_cancelled:
            self._is_over = True
            self._task.cancel()

    def ends(self) -> bool:
        """Called when the work has ended. Whether the task is being cancelled, as the work may not have shown."""
        if self._timer is None:
            return False
        self._timer.cancel()
        return self._is_cancelled
