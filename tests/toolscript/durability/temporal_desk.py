# pyright: basic, reportMissingImports=false
"""Temporal workflows with an agent in code mode, whose model sends the scripts of the prompt.

Usage: python -m tests.toolscript.durability.temporal_desk ADDRESS QUEUE CACHED
runs a worker that keeps so many workflows between their tasks.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from datetime import timedelta
from pathlib import Path

from temporalio import workflow
from temporalio.common import RetryPolicy

with workflow.unsafe.imports_passed_through():
    from pydantic_ai import (
        Agent,
        ApprovalRequired,
        DeferredToolRequests,
        ModelMessage,
        ModelResponse,
        RunContext,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
    )
    from pydantic_ai.durable_exec.temporal import PydanticAIPlugin, PydanticAIWorkflow, TemporalDurability
    from pydantic_ai.messages import RetryPromptPart, UserPromptPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel
    from temporalio.client import Client
    from temporalio.worker import Worker

    from toolscript import (
        CodeMode,
        CodeModeSteps,
        CodeModeToolset,
        Files,
        FunctionToolset,
        Limits,
        MemoryStore,
        SavedFunctions,
        Sessions,
        Snapshots,
        pending_calls,
        resolve,
    )


def sends(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Send the scripts one after the other, and tell what came of them."""
    prompt = messages[0].parts[0]
    assert isinstance(prompt, UserPromptPart)
    scripts = json.loads(str(prompt.content))
    made = sum(isinstance(message, ModelResponse) for message in messages)
    if made < len(scripts):
        return ModelResponse([ToolCallPart('run_code', {'code': scripts[made]}, f'script-{made}')])
    parts = [part for message in messages for part in message.parts]
    told = [part.content for part in parts if isinstance(part, ToolReturnPart | RetryPromptPart)]
    return ModelResponse([TextPart(json.dumps(told))])


async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


async def fail(why: str) -> str:
    """Fail."""
    raise ValueError(why)


async def text(size: int) -> str:
    """A text that cannot be made shorter."""
    return os.urandom(size // 2).hex()


async def wait(seconds: float) -> float:
    """Wait."""
    await asyncio.sleep(seconds)
    return seconds


async def pay(ctx: RunContext[object], amount: int) -> str:
    """Pay, once a person has approved it."""
    if not ctx.tool_call_approved:
        raise ApprovalRequired
    return f'paid {amount}'


async def note(ctx: RunContext[object], n: int) -> int:
    """Write a line to the ledger."""
    with sqlite3.connect(os.environ['LEDGER'], timeout=30) as ledger:
        ledger.execute('insert into ledger values (?, ?)', (ctx.conversation_id, n))
    ledger.close()
    await asyncio.sleep(0.02)
    return n * n


TOOLS = [add, fail, text, wait, pay, note]


def durability() -> TemporalDurability:
    once = RetryPolicy(maximum_attempts=1)
    return TemporalDurability(activity_config={'start_to_close_timeout': timedelta(minutes=1), 'retry_policy': once})


def toolset(**settings) -> CodeModeToolset:
    return CodeModeToolset(FunctionToolset(TOOLS, id='tools'), **settings)


def an_agent(
    name: str, *capabilities, durability: TemporalDurability, **settings
) -> Agent[object, str | DeferredToolRequests]:
    return Agent(
        FunctionModel(sends),
        name=name,
        output_type=[str, DeferredToolRequests],
        capabilities=[*capabilities, durability],
        **settings,
    )


KEY = Snapshots(key='the key of the tests')
_again = RetryPolicy(initial_interval=timedelta(milliseconds=50), backoff_coefficient=1)
_hardy = TemporalDurability(
    activity_config={
        'start_to_close_timeout': timedelta(minutes=1),
        'heartbeat_timeout': timedelta(seconds=3),
        'retry_policy': _again,
    }
)
_limits = Limits(max_script_seconds=2, max_calls=5_000)
AGENTS = {
    one.name: one
    for one in (
        an_agent('desk', CodeMode(snapshots=KEY, limits=_limits), durability=durability(), tools=TOOLS),
        an_agent('hardy', CodeMode(snapshots=KEY), durability=_hardy, tools=TOOLS),
        an_agent('by_toolset', CodeModeSteps(), durability=durability(), toolsets=[toolset(snapshots=KEY)]),
        an_agent('without_steps', durability=durability(), toolsets=[toolset()]),
        *(
            an_agent(name, CodeMode(**settings), durability=durability(), tools=TOOLS)
            for name, settings in {
                'store': {'snapshots': Snapshots(key='the key of the tests', store=MemoryStore())},
                'sessions': {'sessions': Sessions()},
                'functions': {'functions': SavedFunctions(MemoryStore())},
                'files': {'files': Files({'/data': Path(__file__).parent})},
            }.items()
        ),
    )
}


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


async def work(address: str, queue: str, cached: int) -> None:
    """Be a worker until killed."""
    client = await Client.connect(address, plugins=[PydanticAIPlugin()])
    worker = Worker(
        client,
        task_queue=queue,
        workflows=[Desk],
        max_cached_workflows=cached,
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
    )
    await worker.run()


if __name__ == '__main__':
    asyncio.run(work(sys.argv[1], sys.argv[2], int(sys.argv[3])))
