# pyright: basic, reportMissingImports=false
"""A Temporal workflow that runs one of the agents.

Usage: python -m tests.toolscript.durability.temporal_desk ADDRESS QUEUE CACHED [plugin]
runs a worker that keeps so many workflows between their tasks.
"""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from pydantic_ai import DeferredToolRequests
    from pydantic_ai.durable_exec.temporal import PydanticAIPlugin, PydanticAIWorkflow
    from temporalio.client import Client
    from temporalio.worker import Worker

    from tests.toolscript.durability.temporal_agents import AGENTS
    from toolscript import pending_calls, resolve
    from toolscript.temporal import CodeModePlugin


@workflow.defn
class Desk(PydanticAIWorkflow):
    __pydantic_ai_agents__ = (*AGENTS.values(),)

    def __init__(self) -> None:
        self._decided: bool | None = None
        self._waits = False

    @workflow.signal
    def decide(self, approve: bool) -> None:
        """Decide about all calls that wait."""
        self._decided = approve

    @workflow.query
    def waits(self) -> bool:
        """Whether a call waits for a decision."""
        return self._waits

    @workflow.run
    async def run(self, name: str, scripts: list[str]) -> str:
        """What came of the scripts."""
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


async def work(address: str, queue: str, cached: int, *plugin: str) -> None:
    """Be a worker until killed."""
    plugins = [PydanticAIPlugin(), *(CodeModePlugin() for _ in plugin)]
    client = await Client.connect(address, plugins=plugins)
    worker = Worker(
        client,
        task_queue=queue,
        workflows=[Desk],
        max_cached_workflows=cached,
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
    )
    await worker.run()


if __name__ == '__main__':
    asyncio.run(work(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:]))
