"""Waiting for a turn of Monty's.

A turn begins when it is asked for, and is a future of asyncio already. It is awaited as it is: a task, a shield or an
`asyncio.wait` around it takes the event loop two or three rounds more, and rounds are most of what a trivial snippet
costs. It is bounded, for a process may stop answering.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar('T')


async def ended(turn: Awaitable[T], seconds: float) -> T:
    """What the turn gives. Raises what it raises, and `TimeoutError` where it takes longer; it is given up then."""
    future, late = asyncio.ensure_future(turn), False

    def give_up() -> None:
        nonlocal late
        late = future.cancel()

    timer = asyncio.get_running_loop().call_later(seconds, give_up)
    try:
        return await future
    except asyncio.CancelledError:
        waiting = asyncio.current_task()
        if late and not (waiting and waiting.cancelling()):
            raise TimeoutError(f'no answer in {seconds:g} s') from None
        raise
    finally:
        timer.cancel()
