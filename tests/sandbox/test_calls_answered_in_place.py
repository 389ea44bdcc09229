"""Calls at the top level of a script."""

import asyncio
from typing import Any

import pytest

from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Call, Completed, Deferred, Outcome, Sandbox, Suspended, ToolError

pytestmark = pytest.mark.anyio


async def _run(code: str, dispatch: Any = answer) -> Outcome:
    async with Sandbox.shared().session() as session:
        return await session.run(code, TABLE, dispatch)


async def test_it_does_not_wait_for_calls_that_are_still_running() -> None:
    order = list[str]()

    async def slow(call: Call) -> Any:
        order.append(f'+{call.id}')
        if call.id == 1:
            raise ToolError('ValueError', 'unlucky')
        await asyncio.sleep(0.2 if call.id == 2 else 0)
        order.append(f'-{call.id}')
        return await answer(call)

    code = 'try:\n    await asyncio.gather(get_user(1), get_user(2))\nexcept ValueError:\n    user = await get_user(3)\nuser'
    outcome = await _run(code, slow)
    assert isinstance(outcome, Completed)
    assert order == ['+1', '+2', '+3', '-3', '-2']


async def test_it_pauses_and_goes_on_where_it_stood() -> None:
    async def wait(call: Call) -> Any:
        raise Deferred

    suspended = await _run('before = 1\nuser = await get_user(7)\n(before, user)', wait)
    assert isinstance(suspended, Suspended)
    assert [waiting.call.args for waiting in suspended.waiting] == [(7,)]
    async with Sandbox.shared().session() as session:
        outcome = await session.resume(suspended.state, TABLE, answer)
    assert isinstance(outcome, Completed)
    assert outcome.executed_code == 'before = 1\nuser = await get_user(7)\nresult_1 = (before, user)\nresult_1\n'
    assert [record.call.id for record in outcome.calls] == [1]
