"""Reports what the tasks of a hanging test are waiting for."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Generator
from typing import Any

import pytest

SECONDS = 500
"""The delay in seconds, below the time limit of a test, which cancels its tasks."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Add what its tasks are waiting for to the report of a hanging test."""

    def tell() -> None:
        item.add_report_section('call', 'tasks', '\n\n'.join(map(_reported, _unfinished())))

    timer = threading.Timer(SECONDS, tell)
    timer.daemon = True
    timer.start()
    try:
        return (yield)
    finally:
        timer.cancel()


def _unfinished() -> list[asyncio.Task[object]]:
    return [thing for thing in gc.get_objects() if isinstance(thing, asyncio.Task) and not thing.done()]


def _reported(task: asyncio.Task[object]) -> str:
    awaited: Any = task.get_coro()
    lines = [repr(task)]
    while awaited is not None:
        frame = getattr(awaited, 'cr_frame', None) or getattr(awaited, 'gi_frame', None)
        place = (
            repr(awaited) if frame is None else f'{awaited.__qualname__} {frame.f_code.co_filename}:{frame.f_lineno}'
        )
        lines.append(f'    {place}')
        awaited = getattr(awaited, 'cr_await', None) or getattr(awaited, 'gi_yieldfrom', None)
    return '\n'.join(lines)
