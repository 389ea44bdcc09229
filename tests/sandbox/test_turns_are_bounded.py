"""Nothing waits without end for a process that does not answer."""

import asyncio

import pytest

from toolscript_sandbox.workers.process import ended

pytestmark = pytest.mark.anyio


async def test_a_turn_that_does_not_end_is_given_up() -> None:
    turn = asyncio.get_running_loop().create_future()
    with pytest.raises(TimeoutError, match=r'no answer in 0\.01 s'):
        await ended(turn, 0.01)
    assert turn.cancelled()


async def test_whoever_is_cancelled_while_waiting_for_a_turn_is_told_so() -> None:
    turn = asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(ended(turn, 60))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert turn.cancelled()
