"""What a script that waits in many tasks takes, saved."""

import pytest

from toolscript_sandbox import Call, Deferred, Sandbox, Suspended

from .both import TABLE

pytestmark = pytest.mark.anyio

HUNDRED = """import asyncio
few = asyncio.Semaphore(10)
async def one(n):
    async with few:
        return await ask(str(n))
tasks = [asyncio.create_task(one(n)) for n in range(100)]
results = await asyncio.gather(*tasks)
"""


async def test_a_hundred_calls_behind_a_semaphore_are_a_state_of_twenty_kilobytes() -> None:
    async def asks(call: Call) -> str:
        raise Deferred

    async with Sandbox.shared().session() as session:
        outcome = await session.run(HUNDRED, TABLE, asks)
    assert isinstance(outcome, Suspended)
    assert len(outcome.waiting) == 10
    assert len(outcome.state) < 20 * 1024
