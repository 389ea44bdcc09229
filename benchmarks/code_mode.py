"""What code mode costs per run, per snippet and per call, beside direct calls and, where installed, the nearest peer.

    python benchmarks/code_mode.py

Prints milliseconds of one run on one machine: the fastest of many runs, in which the contenders take turns, so that
what else the machine does falls on nobody in particular. The peer, `pydantic-ai-harness`, pins its own pydantic-ai; to
have it in the table, run this in an environment of its own:

    uv venv peers && uv pip install --python peers --editable . pydantic-ai-harness
    peers/bin/python benchmarks/code_mode.py
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from toolscript import CodeModeToolset

ROUNDS = 20


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


ADD = ToolCallPart('add', {'a': 1, 'b': 2})
NO_CALL = ToolCallPart('run_code', {'code': '1 + 1'})
ONE_CALL = ToolCallPart('run_code', {'code': 'total = await add(a=1, b=2)\ntotal'})
MANY_CALLS = ToolCallPart('run_code', {'code': 'for n in range(51):\n    total = await add(a=n, b=2)\ntotal'})


@dataclass(frozen=True)
class Cost:
    """What is to be measured: a run over a catalog, less another one, by the number of things that it does more."""

    name: str
    run: tuple[int, list[ToolCallPart]]
    less: tuple[int, list[ToolCallPart]] | None = None
    by: int = 1


def costs(contender: Contender) -> list[Cost]:
    """One per column."""
    if not contender.runs_code:
        return [Cost('step', (5, [ADD] * 5), (5, []), 5), Cost('run, 1,000 tools', (1000, [ADD]))]
    return [
        Cost('step', (5, [NO_CALL] * 5), (5, []), 5),
        Cost('step with a call', (5, [ONE_CALL] * 5), (5, []), 5),
        Cost('nested call', (5, [MANY_CALLS]), (5, [ONE_CALL]), 50),
        Cost('run, 1,000 tools', (1000, [NO_CALL])),
    ]


async def fastest(agents: list[Agent[object, str]]) -> list[float]:
    """Milliseconds of each agent's fastest run."""
    best = [float('inf')] * len(agents)
    for _ in range(ROUNDS):
        for place, agent in enumerate(agents):
            start = time.perf_counter()
            await agent.run('go')
            best[place] = min(best[place], (time.perf_counter() - start) * 1000)
    return best


async def main() -> None:
    """Measure and print."""
    catalogs = {count: tools(count) for count in (5, 1000)}
    measured = [(contender, cost) for contender in contenders() for cost in costs(contender)]
    runs = [run for _, cost in measured for run in (cost.run, cost.less or (5, []))]
    owners = [contender for contender, _ in measured for _ in range(2)]
    agents = [owner.agent(model(calls), catalogs[count]) for owner, (count, calls) in zip(owners, runs, strict=True)]
    taken = iter(await fastest(agents))
    print(f'{"milliseconds":22}' + ''.join(f'{cost.name:>20}' for cost in costs(contenders()[1])))
    found = {(contender.name, cost.name): _of(cost, next(taken), next(taken)) for contender, cost in measured}
    for contender in contenders():
        cells = [found.get((contender.name, cost.name)) for cost in costs(contenders()[1])]
        print(f'{contender.name:22}' + ''.join(f'{"":>20}' if cell is None else f'{cell:>20.3f}' for cell in cells))


def _of(cost: Cost, run: float, less: float) -> float:
    return run if cost.less is None else (run - less) / cost.by


if __name__ == '__main__':
    asyncio.run(main())
