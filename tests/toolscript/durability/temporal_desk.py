# pyright: basic, reportMissingImports=false
"""A Temporal workflow that runs one of the agents, and its worker."""

import asyncio
import json
import mmap
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from pydantic_ai import DeferredToolRequests
    from pydantic_ai.durable_exec.temporal import PydanticAIPlugin, PydanticAIWorkflow
    from temporalio import activity
    from temporalio.client import Client, WorkflowHistory
    from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor, Replayer, Worker

    from tests.toolscript.durability.temporal_agents import AGENTS
    from toolscript import pending_calls, resolve
    from toolscript.temporal import CodeModePlugin

BUILD = 'tests'
"""By default it is a hash of all modules, which takes seconds."""


@workflow.defn
class Desk(PydanticAIWorkflow):
    __pydantic_ai_agents__ = (*AGENTS.values(),)

    def __init__(self) -> None:
        self._decided: bool | None = None
        self._waits = False

    @workflow.signal
    def decide(self, approve: bool) -> None:
        """Decide about all pending calls."""
        self._decided = approve

    @workflow.query
    def waits(self) -> bool:
        """Return whether a call waits for a decision."""
        return self._waits

    @workflow.run
    async def run(self, name: str, scripts: list[str]) -> str:
        """Return the results of the scripts."""
        agent, identity = AGENTS[name], workflow.info().workflow_id
        result = await agent.run(json.dumps(scripts), conversation_id=identity)
        while isinstance(result.output, DeferredToolRequests):
            self._waits = True
            await workflow.wait_condition(lambda: self._decided is not None)
            self._waits = False
            calls = pending_calls(result.output)
            results = resolve(result.output, {call.tool_call_id: self._decided for call in calls})
            self._decided = None
            history = result.all_messages()
            result = await agent.run(message_history=history, deferred_tool_results=results, conversation_id=identity)
        return result.output


class Busy(Interceptor):
    """Counts the running steps and calls where another process can see it."""

    def __init__(self, file: Path) -> None:
        file.write_bytes(bytes(2))
        with file.open('r+b') as opened:
            self._counts = mmap.mmap(opened.fileno(), 2)

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Counted(next, self)

    @contextmanager
    def counted(self, name: str) -> Iterator[None]:
        """Count an activity by its name."""
        place = {'step': 0, 'tool': 1}.get(name.rpartition('_')[2])
        if place is None:
            yield
            return
        self._counts[place] += 1
        try:
            yield
        finally:
            self._counts[place] -= 1


class _Counted(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, busy: Busy) -> None:
        super().__init__(next)
        self._busy = busy

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        with self._busy.counted(activity.info().activity_type):
            return await super().execute_activity(input)


async def replay(*histories: WorkflowHistory, **settings: Any) -> None:
    """Replay histories in thirty days."""
    clock = time.time
    time.time = lambda: clock() + 30 * 86_400
    try:
        # Otherwise a replay of more than two seconds, on a busy machine, counts as a deadlock.
        replayer = Replayer(workflows=[Desk], plugins=[PydanticAIPlugin()], debug_mode=True, build_id=BUILD, **settings)
        for history in histories:
            await replayer.replay_workflow(history)
    finally:
        time.time = clock


def patient(worker: Worker) -> Worker:
    """Return the worker, for which a workflow that gets no processor for two seconds is not deadlocked.

    It would be evicted in the middle of its run, which never ends: anyio cancels the task group of pydantic-graph in
    each turn of the workflow's event loop, and this loop runs until no turn is left.
    """
    assert worker._workflow_worker is not None
    worker._workflow_worker._deadlock_timeout_seconds = None
    return worker


async def _work(address: str, queue: str, cached: int, plugin: str, busy: Path) -> None:
    client = await Client.connect(address, plugins=[PydanticAIPlugin(), *([CodeModePlugin()] if plugin else [])])
    worker = Worker(
        client,
        task_queue=queue,
        workflows=[Desk],
        build_id=BUILD,
        max_cached_workflows=cached,
        interceptors=[Busy(busy)],
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
    )
    await patient(worker).run()


def work(address: str, queue: str, cached: int, plugin: str, folder: Path, busy: Path) -> None:
    """Run a worker that caches some workflows between their tasks, and writes how many steps and calls are running."""
    # A shell that starts a command in the background makes it ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ['LEDGER'] = str(folder / 'ledger.db')
    asyncio.run(_work(address, queue, cached, plugin, busy))


def fork_workers(requests: Connection) -> None:
    """Fork a worker for the arguments that arrive, again and again, and send its process id."""
    # The system forgets those that have ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        arguments = requests.recv()
        if child := os.fork():
            requests.send(child)
        else:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                work(*arguments)
            finally:
                os._exit(1)
