"""A ticket is a workflow: a run of the agent, and another one after each decision.

`python -m examples.workflow.work ADDRESS` is a worker.
"""

import asyncio
import sys
from datetime import timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from pydantic_ai import DeferredToolRequests
    from pydantic_ai.durable_exec.temporal import PydanticAIPlugin, PydanticAIWorkflow
    from temporalio.client import Client
    from temporalio.worker import Worker

    from examples.workflow.desk import desk
    from toolscript import pending_calls, resolve
    from toolscript.temporal import CodeModePlugin

QUEUE = 'desk'


@workflow.defn
class Ticket(PydanticAIWorkflow):
    """One ticket, from the first message of a customer to the answer."""

    __pydantic_ai_agents__ = (desk,)

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._approved: bool | None = None

    @workflow.signal
    def decide(self, approve: bool) -> None:
        """Decide about the pending calls."""
        self._approved = approve

    @workflow.query
    def waiting(self) -> list[str]:
        """Return the calls that wait for a decision."""
        return self._waiting

    @workflow.run
    async def run(self, message: str) -> str:
        """Return the answer to a customer."""
        result = await desk.run(message)
        while isinstance(result.output, DeferredToolRequests):
            requests = result.output
            calls = pending_calls(requests)
            self._waiting = [f'{call.tool_name}({call.args})' for call in calls]
            # This may take days. Meanwhile nothing of the script runs, and no worker is needed.
            await workflow.wait_condition(lambda: self._approved is not None)
            decisions = resolve(requests, {call.tool_call_id: self._approved is True for call in calls})
            self._waiting, self._approved = [], None
            result = await desk.run(message_history=result.all_messages(), deferred_tool_results=decisions)
        return result.output


async def work(address: str) -> None:
    """Run a worker."""
    client = await Client.connect(address, plugins=[PydanticAIPlugin(), CodeModePlugin()])
    worker = Worker(
        client,
        task_queue=QUEUE,
        workflows=[Ticket],
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        # By default it is a hash of all modules, which takes seconds.
        build_id='1',
    )
    await worker.run()


if __name__ == '__main__':
    asyncio.run(work(sys.argv[1]))
