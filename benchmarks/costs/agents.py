"""Agents on a scripted model, shared by all sides that run agents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from benchmarks.costs.cases import CASES, WAIT_SECONDS, WAITING, WAITS, Action, Case, new

Make = Callable[[FunctionModel, FunctionToolset[object]], Agent[object, str]]
"""Builds an agent with these tools."""


def tools(count: int) -> FunctionToolset[object]:
    """Return a catalog whose first tool adds and whose second waits."""
    toolset = FunctionToolset[object]()

    async def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    async def wait(n: int) -> int:
        """Wait 20 ms."""
        await asyncio.sleep(WAIT_SECONDS)
        return 1

    toolset.add_function(add)
    toolset.add_function(wait)
    for n in range(2, count):
        toolset.add_function(add, name=f'add_{n}', description=f'Add two numbers, way {n}.')
    return toolset


def model(call: Callable[[], ToolCallPart], steps: int) -> FunctionModel:
    """Return a model that makes this call in each of `steps` steps, then answers with the last result."""

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        done = sum(isinstance(message, ModelResponse) for message in messages)
        if done < steps:
            return ModelResponse([call()])
        return ModelResponse([TextPart(str(getattr(messages[-1].parts[-1], 'content', '')))])

    return FunctionModel(play)


def actions_of(direct: Make, code: Make) -> dict[str, Action]:
    """Return a run for each case, each with its own agent."""
    catalogs = {count: tools(count) for count in (5, 1000)}

    def action(case: Case) -> Action:
        make = direct if case.script is None else code
        return run_of(make(model(lambda: _call(case), case.steps), catalogs[case.tools]), case.gives)

    return {name: action(case) for name, case in CASES.items()}


def run_of(agent: Agent[object, str], gives: str) -> Action:
    """Return a run of the agent. It raises `AssertionError` unless the answer contains `gives`."""

    async def run() -> None:
        output = (await agent.run('go')).output
        assert gives in output, output[:500]

    return run


def crowd_of(code: Make) -> Action:
    """Return a run whose script makes ten calls of 20 ms."""
    script = WAITING.format(waited='await wait(n=n)')
    return run_of(code(model(lambda: running(script), 1), tools(5)), str(WAITS))


def running(script: str) -> ToolCallPart:
    return ToolCallPart('run_code', {'code': new(script)})


def direct_crowd() -> Action:
    """Return a run that makes the same ten calls one by one, each in its own step."""
    return run_of(plain(model(lambda: ToolCallPart('wait', {'n': 1}), WAITS), tools(5)), '1')


def plain(model: FunctionModel, toolset: FunctionToolset[object]) -> Agent[object, str]:
    return Agent(model, deps_type=object, toolsets=[toolset])


def _call(case: Case) -> ToolCallPart:
    return _ADD if case.script is None else ToolCallPart('run_code', {'code': case.written('add(a=n, b=2)')})


_ADD = ToolCallPart('add', {'a': 1, 'b': 2})
