"""What code mode costs per run, per snippet and per call, beside direct calls and, where installed, the nearest peer.

    python benchmarks/code_mode.py

Prints milliseconds and ratios of one run on one machine. The peer, `pydantic-ai-harness`, pins its own pydantic-ai;
to have it in the table, run this in an environment of its own:

    uv venv peers && uv pip install --python peers --editable . pydantic-ai-harness
    peers/bin/python benchmarks/code_mode.py
"""

import asyncio
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from toolscript import CodeModeToolset

REPEATS = 15


@dataclass(frozen=True)
class Contender:
    """One way to give an agent its tools."""

    name: str
    agent: Callable[[FunctionModel, FunctionToolset[object]], Agent[object, str]]
    runs_code: bool


def tools(count: int) -> FunctionToolset[object]:
    """A catalog whose first tool adds."""
    toolset = FunctionToolset[object]()

    async def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    toolset.add_function(add)
    for n in range(1, count):
        toolset.add_function(add, name=f'add_{n}', description=f'Add two numbers, way {n}.')
    return toolset


def contenders() -> list[Contender]:
    """Everything that is installed."""
    found = [
        Contender('direct calls', lambda model, toolset: Agent(model, deps_type=object, toolsets=[toolset]), False),
        Contender(
            'toolscript',
            lambda model, toolset: Agent(model, deps_type=object, toolsets=[CodeModeToolset(toolset)]),
            True,
        ),
    ]
    if find_spec('pydantic_ai_harness'):
        from pydantic_ai_harness.code_mode import CodeMode  # pyright: ignore

        found.append(Contender('pydantic-ai-harness', lambda model, toolset: _with(model, toolset, CodeMode()), True))  # pyright: ignore
    return found


def _with(model: FunctionModel, toolset: FunctionToolset[object], capability: Any) -> Agent[object, str]:
    return Agent(model, deps_type=object, toolsets=[toolset], capabilities=[capability])


def model(calls: list[ToolCallPart]) -> FunctionModel:
    """A model that makes one call per step, then ends."""

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        done = sum(isinstance(message, ModelResponse) for message in messages)
        return ModelResponse([calls[done]] if done < len(calls) else [TextPart('done')])

    return FunctionModel(play)


async def cost(contender: Contender, toolset: FunctionToolset[object], calls: list[ToolCallPart]) -> float:
    """Median milliseconds of a run that makes these calls."""
    agent = contender.agent(model(calls), toolset)
    taken: list[float] = []
    for _ in range(REPEATS + 2):
        start = time.perf_counter()
        await agent.run('go')
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken[2:])


async def main() -> None:
    """Measure and print."""
    few, many = tools(5), tools(1000)
    add = ToolCallPart('add', {'a': 1, 'b': 2})
    print(f'{"":22}{"step ms":>10}{"nested call ms":>16}{"run, 1,000 tools ms":>21}')
    for contender in contenders():
        nothing = await cost(contender, few, [])
        if contender.runs_code:
            one = ToolCallPart('run_code', {'code': '1 + 1'})
            loop = ToolCallPart('run_code', {'code': 'for n in range(50):\n    await add(a=n, b=1)\nn'})
            step = (await cost(contender, few, [one] * 5) - nothing) / 5
            nested = (await cost(contender, few, [loop]) - await cost(contender, few, [one])) / 50
            shown = f'{nested:>16.3f}'
            large = await cost(contender, many, [one])
        else:
            step, shown = (await cost(contender, few, [add] * 5) - nothing) / 5, f'{"":>16}'
            large = await cost(contender, many, [add])
        print(f'{contender.name:22}{step:>10.2f}{shown}{large:>21.1f}')


if __name__ == '__main__':
    asyncio.run(main())
