# pyright: basic, reportMissingImports=false
"""Costs of scripts in Temporal workflows, against the same agent's direct calls: `python -m benchmarks.workflows`.

Starts Temporal's development server. All rows are from one run; only the ratios matter. If `pydantic-ai-harness` can be
installed, everything runs in its environment, so that its code mode has rows too.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import defaultdict
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from uuid import uuid4

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.durable_exec.temporal import PydanticAIPlugin, PydanticAIWorkflow, TemporalDurability
    from pydantic_ai.messages import UserPromptPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel
    from temporalio.client import Client
    from temporalio.worker import Worker

    from benchmarks.costs.players import environment
    from demo.installation import CannotInstall, python_environment
    from tests.temporal_server import temporal_server
    from toolscript import CodeMode
    from toolscript.temporal import CodeModePlugin

_SERVER = Path(os.environ.get('SERVER', Path(sys.executable).with_name('temporal')))
SCRIPTS = {
    'sequential': 'total = 0\nfor n in range(30):\n    total += await add(a=n, b=1)\ntotal',
    'gathered': 'import asyncio\nsum(await asyncio.gather(*[add(a=n, b=1) for n in range(100)]))',
}


def _prompt(messages: list[ModelMessage]) -> str:
    prompt = messages[0].parts[0]
    assert isinstance(prompt, UserPromptPart)
    return str(prompt.content)


def in_code(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Send the script that the prompt names."""
    if len(messages) > 1:
        return ModelResponse([TextPart('done')])
    return ModelResponse([ToolCallPart('run_code', {'code': SCRIPTS[_prompt(messages)]})])


def direct(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Make the same calls directly: one in each response, or all in one."""
    made = sum(isinstance(message, ModelResponse) for message in messages)
    gathered = _prompt(messages) == 'gathered'
    if made == (1 if gathered else 30):
        return ModelResponse([TextPart('done')])
    return ModelResponse([ToolCallPart('add', {'a': n, 'b': 1}) for n in (range(100) if gathered else [made])])


async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


AGENTS = {
    'direct': Agent(FunctionModel(direct), name='direct', tools=[add], capabilities=[TemporalDurability()]),
    'code': Agent(FunctionModel(in_code), name='code', tools=[add], capabilities=[CodeMode(), TemporalDurability()]),
}
KINDS = ['direct calls', 'without the plugin', 'with the plugin']
if find_spec('pydantic_ai_harness') is not None:
    with workflow.unsafe.imports_passed_through():
        peer = import_module('pydantic_ai_harness').CodeMode()
    AGENTS['harness'] = Agent(
        FunctionModel(in_code), name='harness', tools=[add], capabilities=[peer, TemporalDurability()]
    )
    KINDS.append('pydantic-ai-harness')
_NAMES = {'direct calls': 'direct', 'pydantic-ai-harness': 'harness'}


@workflow.defn
class Run(PydanticAIWorkflow):
    """A run of an agent."""

    __pydantic_ai_agents__ = (*AGENTS.values(),)

    @workflow.run
    async def run(self, name: str, prompt: str) -> str:
        """Return the answer of the agent."""
        return (await AGENTS[name].run(prompt)).output


async def measured(address: str, kind: str, prompt: str) -> tuple[float, int, int]:
    plugins = [PydanticAIPlugin(), *([CodeModePlugin()] if kind == 'with the plugin' else [])]
    client = await Client.connect(address, plugins=plugins)
    async with Worker(client, task_queue=kind, workflows=[Run]):
        began = time.perf_counter()
        handle = await client.start_workflow(
            Run.run,
            args=[_NAMES.get(kind, 'code'), prompt],
            id=uuid4().hex,
            task_queue=kind,
            execution_timeout=timedelta(minutes=5),
        )
        await handle.result()
        seconds = time.perf_counter() - began
        events = (await handle.fetch_history()).events
    return seconds, sum(event.ByteSize() for event in events), len(events)


async def main(rounds: int) -> None:
    found = defaultdict(list)
    with temporal_server(_SERVER) as address:
        for kind in KINDS:
            for prompt in SCRIPTS:
                await measured(address, kind, prompt)
                found[kind, prompt] = [await measured(address, kind, prompt) for _ in range(rounds)]
    print('| calls | | seconds | ratio | history, bytes | ratio | events |\n|---|---|--:|--:|--:|--:|--:|')
    for prompt in SCRIPTS:
        base = [median(column) for column in zip(*found[KINDS[0], prompt], strict=True)]
        for kind in KINDS:
            seconds, size, events = (median(column) for column in zip(*found[kind, prompt], strict=True))
            ratios = seconds / base[0], size / base[1]
            print(f'| {prompt} | {kind} | {seconds:.2f} | {ratios[0]:.2f} | {size:,.0f} | {ratios[1]:.2f} | {events} |')


def _beside_the_peer() -> None:
    """Restart in the peer's environment. Returns if there is none."""
    try:
        python = python_environment('harness')
    except CannotInstall as error:
        print(f'Without pydantic-ai-harness, which cannot be installed here: {str(error).splitlines()[0]}')
        return
    os.execve(python, [python, '-m', 'benchmarks.workflows', *sys.argv[1:]], {**environment(), 'SERVER': str(_SERVER)})


if __name__ == '__main__':
    if find_spec('pydantic_ai_harness') is None:
        _beside_the_peer()
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
