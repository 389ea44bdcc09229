"""Calls of a snippet that is cancelled have time to end, and the snippet continues with nothing of theirs."""

import asyncio
from contextlib import suppress

import anyio
import pytest

from tests.sandbox.tables import Table
from toolscript_sandbox import Call, Function, Limits, Sandbox

pytestmark = pytest.mark.anyio


FUNCTIONS = Table(wait=Function('wait', 'async def wait() -> str: ...\n'))


@pytest.mark.parametrize('by', ['its task', 'a scope of anyio'])
@pytest.mark.parametrize(
    ('code', 'first'), [('await wait()\nawait wait()', 1), ('import asyncio\nawait asyncio.gather(wait(), wait())', 2)]
)
async def test_calls_end_in_their_time_and_what_they_give_all_the_same_is_nobodys(
    code: str, first: int, by: str
) -> None:
    begun, calls, left = asyncio.Event(), 0, 0

    async def wait(call: Call) -> str:
        nonlocal calls, left
        calls += 1
        begun.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        with anyio.CancelScope(shield=True):
            for _ in range(200):
                await asyncio.sleep(0)
        left += 1
        return 'all the same'

    async def run() -> None:
        with scope:
            async with Sandbox.shared().session(limits=Limits(cancel_grace_seconds=300)) as session:
                await session.run(code, FUNCTIONS, wait)

    scope = anyio.CancelScope()
    task = asyncio.create_task(run())
    await begun.wait()
    (task if by == 'its task' else scope).cancel()
    await asyncio.wait([task])
    assert (task.cancelled() or scope.cancelled_caught, calls, left) == (True, first, first)
