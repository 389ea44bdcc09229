"""The loop's own requests are not a script's to make."""

import pytest

from toolscript_sandbox import Failed, Sandbox

from .both import TABLE

pytestmark = pytest.mark.anyio

REQUESTS = [
    "_loop__('park', -1, None, 'x' * 1000)",
    "_loop__('wake', 10**30, -5)",
    "_loop__('cancel', 0, 'myself')",
    "import asyncio\nasyncio.create_task(tool('a', 1))\n_loop__('doom', 7, 'never parked')",
    "ask = _loop__\nfor number in range(200_000):\n    ask('soon', number)",
]


async def never(call: object) -> str:
    raise AssertionError(call)


@pytest.mark.parametrize('code', REQUESTS)
async def test_a_direct_request_of_the_loop_is_refused_before_anything_runs(code: str) -> None:
    async with Sandbox.shared().session() as session:
        outcome = await session.run(code, TABLE, never)
    assert isinstance(outcome, Failed)
    assert '`_loop__` used when not defined' in outcome.error.message
