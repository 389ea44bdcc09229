"""Runs of the example that end with their server, and what the next server on the same folder makes of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic_ai import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from examples.approvals.conversations import BROKEN_OFF
from examples.approvals.offline import JOBS, offline_model
from tests.examples.browsers import APPROVED, AGUIWindow, done, frames, serving
from tests.examples.served import ServedApart, ServedHere, started

pytestmark = pytest.mark.anyio

REFUND = JOBS[0].asked


async def test_a_run_that_the_model_had_not_finished_continues_on_demand(tmp_path: Path) -> None:
    writes = asyncio.Event()

    async def half(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        yield {0: DeltaToolCall('run_code', '{"code": "orders = ')}
        writes.set()
        await asyncio.Event().wait()

    async with serving(FunctionModel(stream_function=half), tmp_path) as server:
        window = AGUIWindow(server)
        said = asyncio.create_task(window.say(REFUND))
        await writes.wait()
    await said
    async with serving(offline_model(), tmp_path) as server:
        window.server = server
        reported = await _reported(window)
        assert (reported[-2]['message'], reported[-1]['value']) == (BROKEN_OFF, {'next': 'continue'})
        await window.resume()
        assert [name for name, _ in window.asked] == ['refund', 'refund']
        await window.answer_all(APPROVED, APPROVED)
        assert len(done(tmp_path)['refunds']) == 4


async def test_a_run_continues_when_its_browser_leaves(tmp_path: Path) -> None:
    with started(ServedHere(tmp_path)) as served:
        async with httpx2.AsyncClient(base_url=served.address, timeout=120) as client:
            window = AGUIWindow(client)
            await _hear_first_call(window, window.message(REFUND))
            # A window that opens later is sent the earlier events first, then the new ones.
            reported = await _reported(window)
            assert (reported[0]['type'], reported[-2]['type'], reported[-1]['value']) == (
                'RUN_STARTED',
                'RUN_FINISHED',
                {'next': 'answer'},
            )
    assert [order for order, _ in done(tmp_path)['refunds']] == [11, 15]


async def test_killed_after_an_answer_nothing_is_done_twice(tmp_path: Path) -> None:
    with started(ServedApart(tmp_path)) as served:
        async with httpx2.AsyncClient(base_url=served.address, timeout=120) as client:
            window = AGUIWindow(client)
            await window.say(REFUND)
            answers = {call['tool_call_id']: APPROVED for call in window.waiting}
            await _hear_first_call(window, window.decisions(answers))
            served.stop()
            served.start()
            # How far it came by then is another story each time.
            match (await _reported(window))[-1]['value']['next']:
                case 'answer':
                    await window.answer(answers)
                case 'continue':
                    await window.resume()
                case _:
                    pass
            assert (await _reported(window))[-1]['value'] == {'next': 'say'}
    refunds = Counter(order for order, _ in done(tmp_path)['refunds'])
    assert refunds <= Counter([11, 12, 14, 15])
    assert Counter(done(tmp_path)['messages']) <= Counter([1, 1, 2, 3])


async def _hear_first_call(window: AGUIWindow, body: dict[str, Any]) -> None:
    """Send a turn, and listen until its script calls something."""
    async with window.server.stream('POST', window.path, json=body) as response:
        async for line in response.aiter_lines():
            if any(event.get('name') == 'toolscript.call' for event in frames(line)):
                return


async def _reported(window: AGUIWindow) -> list[dict[str, Any]]:
    return frames((await window.server.get(f'/chats/{window.chat_id}')).text)
