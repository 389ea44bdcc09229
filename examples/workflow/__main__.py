"""A Temporal server, two workers, and a ticket whose first worker is killed: `make workflow`."""

import asyncio
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from pathlib import Path

from pydantic_ai.durable_exec.temporal import PydanticAIPlugin
from temporalio.client import Client, WorkflowHistory, WorkflowQueryFailedError
from temporalio.service import RPCError

from examples.workflow.work import QUEUE, Ticket


@contextmanager
def process(*command: str, **environment: str) -> Generator[subprocess.Popen[bytes]]:
    nothing, variables = subprocess.DEVNULL, {**os.environ, **environment}
    running = subprocess.Popen(command, env=variables, stdout=nothing, stderr=nothing)
    try:
        yield running
    finally:
        running.kill()
        running.wait()


async def main(folder: Path, stack: ExitStack) -> None:
    """Run the example and print what happens."""
    ledger = folder / 'ledger'
    ledger.touch()
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        address = f'127.0.0.1:{free.getsockname()[1]}'
    server = str(Path(sys.executable).with_name('temporal')), 'server', 'start-dev', '--headless', '--ip', '127.0.0.1'
    stack.enter_context(process(*server, '--port', address.partition(':')[2]))
    client = await Client.connect(address, plugins=[PydanticAIPlugin()], lazy=True)
    while True:
        with suppress(RPCError, RuntimeError):
            await client.service_client.check_health(timeout=timedelta(seconds=5))
            break
        await asyncio.sleep(0.2)
    settings = {'LEDGER': str(ledger), 'TOOLSCRIPT_SNAPSHOT_KEY': secrets.token_hex()}
    command = sys.executable, '-m', 'examples.workflow.work', address
    workers = {name: stack.enter_context(process(*command, **settings, WORKER=name)) for name in ('anna', 'bert')}
    message, seconds = 'Some of my parcels were damaged.', timedelta(seconds=3)
    ticket = await client.start_workflow(Ticket.run, message, id='ticket', task_queue=QUEUE, task_timeout=seconds)

    while not (lines := [line for line in ledger.read_text().splitlines() if line.endswith('delivery 3')]):  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    name = lines[0].partition(':')[0]
    workers[name].kill()
    print(f'{name} was killed during delivery(3)')

    waiting = list[str]()
    while not waiting:
        # The server may send the query to the dead worker.
        with suppress(RPCError, WorkflowQueryFailedError):
            waiting = await ticket.query(Ticket.waiting, rpc_timeout=timedelta(seconds=5))
        await asyncio.sleep(0.2)
    print(f'waits for a decision: {waiting[0]}')
    await ticket.signal(Ticket.decide, True)
    print(f'the answer: {await ticket.result()}')
    print('\nthe ledger:', *ledger.read_text().splitlines(), sep='\n  ')
    print('\nthe history:', *described(await ticket.fetch_history()), sep='\n  ')


def described(history: WorkflowHistory) -> Iterator[str]:
    """Yield the recorded steps and calls of a workflow."""
    for event in history.events:
        scheduled = event.activity_task_scheduled_event_attributes
        if event.HasField('activity_task_scheduled_event_attributes'):
            yield f'{event.event_id:3} activity  {scheduled.activity_type.name}'
        elif event.HasField('marker_recorded_event_attributes'):
            name = event.marker_recorded_event_attributes.marker_name
            yield f'{event.event_id:3} marker    {"a step" if name == "core_local_activity" else "steps are local"}'
        elif event.HasField('workflow_execution_signaled_event_attributes'):
            yield f'{event.event_id:3} signal    {event.workflow_execution_signaled_event_attributes.signal_name}'


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        asyncio.run(main(Path(name), stack))
