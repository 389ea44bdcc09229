"""The tasks in which calls run, by the numbers of the calls."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

from toolscript_sandbox.event_loop.ending_tasks import let_go

T = TypeVar('T')


class CallTasks(Generic[T]):
    """Tasks by number."""

    def __init__(self) -> None:
        self._tasks = dict[int, asyncio.Task[T]]()
        self._ended = dict[int, None]()
        self._called_off = set[int]()
        self._somebody: asyncio.Future[None] | None = None
        """Done when somebody has ended."""

    def __len__(self) -> int:
        return len(self._tasks)

    def __contains__(self, number: int) -> bool:
        return number in self._tasks

    def start(self, number: int, work: Coroutine[Any, Any, T]) -> None:
        """Start work."""
        task = self._tasks[number] = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._task_ended(number))

    def cancel_one(self, number: int) -> bool:
        """Cancel it, if it is under way; it ends in its own time."""
        task = self._tasks.get(number)
        if task is None:
            return False
        self._called_off.add(number)
        task.cancel()
        return True

    async def some_ended(self, timeout: float | None = None) -> dict[int, T | None]:
        """Wait until some end; their results in the order in which they ended, None for those that were called off.

        Raises what the first failure raised; the others go on.
        """
        if self._ended:
            await asyncio.sleep(0)
        elif self._tasks:
            # One callback for all of them: with one for each, a thousand calls would be asked a million times.
            self._somebody = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._somebody], timeout=timeout)
        return self.ended()

    def _task_ended(self, number: int) -> None:
        self._ended.setdefault(number)
        if self._somebody is not None and not self._somebody.done():
            self._somebody.set_result(None)

    def ended(self) -> dict[int, T | None]:
        """The results of those that have ended already, as `some_ended` has them."""
        ended, self._ended = self._ended, dict[int, None]()
        done = {number: self._tasks.pop(number) for number in ended if number in self._tasks}
        for task in done.values():
            # Of several failures one is raised; asking for all of them keeps asyncio from reporting the others.
            _ = task.cancelled() or task.exception()
        return {number: None if self._is_gone(number, task) else _result(task) for number, task in done.items()}

    def _is_gone(self, number: int, task: asyncio.Task[T]) -> bool:
        return number in self._called_off and task.cancelled()

    async def cancel(self, seconds: float) -> None:
        """Cancel all, and wait until they are gone; those that are not after so many seconds are left behind."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        await let_go(tasks, seconds)


def _result(task: asyncio.Task[T]) -> T:
    """What the task gives or raises. Raises `CancelledError` for an interrupt."""
    error = None if task.cancelled() else task.exception()
    if isinstance(error, KeyboardInterrupt | SystemExit):
        # It has left the event loop already; raised by a second task, it would break off the clean-up that follows.
        raise asyncio.CancelledError from error
    return task.result()
