"""Calls under way."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar('T')


class Flights(Generic[T]):
    """Tasks by number; ends with none of them left behind."""

    def __init__(self) -> None:
        self._tasks = dict[int, asyncio.Task[T]]()

    def __len__(self) -> int:
        return len(self._tasks)

    def __contains__(self, number: int) -> bool:
        return number in self._tasks

    def launch(self, number: int, work: Coroutine[Any, Any, T]) -> None:
        """Start work."""
        self._tasks[number] = asyncio.create_task(work)

    async def landed(self, timeout: float | None = None) -> dict[int, T]:
        """Wait until some end; their results. Raises what the first failure raised; the others are left flying."""
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        done = {number: task for number, task in self._tasks.items() if task.done()}
        for number, task in done.items():
            del self._tasks[number]
            # Of several failures one is raised; asking for all of them keeps asyncio from reporting the others.
            _ = task.cancelled() or task.exception()
        return {number: _result(task) for number, task in done.items()}

    async def cancel(self) -> None:
        """Cancel all, and wait until they are gone."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
            for task in tasks:
                # Asking for the exception keeps asyncio from reporting it as never retrieved.
                _ = task.cancelled() or task.exception()


def _result(task: asyncio.Task[T]) -> T:
    """What the task gives or raises. Raises `CancelledError` for an interrupt."""
    error = None if task.cancelled() else task.exception()
    if isinstance(error, KeyboardInterrupt | SystemExit):
        # It has left the event loop already; raised by a second task, it would break off the clean-up that follows.
        raise asyncio.CancelledError from error
    return task.result()
