"""What a model is sent, by how tools are offered: characters of definitions per step, and of all input for a job.

    python benchmarks/discovery.py

Tools are generated: three parameters and a line of description each, 370 characters as JSON; real ones are longer.
The job is a chain of calls, each of another tool. Characters are those of tool definitions, messages, calls and results
as JSON, without what providers add; divide by about four for tokens. Nothing here depends on the machine.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pydantic_core
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from toolscript import CodeModeToolset, DeferredToolsReminder, SearchableToolset

SIZES = (10, 30, 100, 1_000, 10_000)
JOBS = (1, 5, 20)
THINGS = ('invoice', 'customer', 'shipment', 'ticket', 'contract', 'payment', 'branch', 'meeting', 'device', 'report')
SEARCH = 'pai_tool_search_tool'
Wrap = Callable[[FunctionToolset[object]], AbstractToolset[object]]


@dataclass(frozen=True)
class Choice:
    """One way to offer tools, and how a model does a job with it."""

    name: str
    wrap: Wrap
    deferred: bool
    plan: Callable[[Sequence[str]], list[ToolCallPart]]
    reminds: bool = False


@dataclass
class Sent:
    """What a run sent to its model."""

    plan: list[ToolCallPart]
    definitions: list[int] = field(default_factory=list[int])
    messages: list[int] = field(default_factory=list[int])

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Write down a request, and do what is next."""
        self.definitions.append(sum(map(characters, info.function_tools)))
        self.messages.append(sum(len(str(part_text(part))) for message in messages for part in message.parts))
        return ModelResponse([self.plan.pop(0)] if self.plan else [TextPart('done')])


def part_text(part: object) -> str:
    """What the model reads of a part."""
    match part:
        case ToolCallPart():
            return part.args_as_json_str()
        case ToolReturnPart():
            return part.model_response_str()
        case _:
            return str(getattr(part, 'content', ''))


def characters(tool: ToolDefinition) -> int:
    """The size of a definition as providers are sent it."""
    sent = {'name': tool.name, 'description': tool.description, 'input_schema': tool.parameters_json_schema}
    return len(pydantic_core.to_json(sent))


def tool_names(count: int) -> list[str]:
    """Names like those of real catalogs."""
    return [f'get_{THINGS[number % len(THINGS)]}_detail_{number}' for number in range(count)]


@cache
def tools(count: int, deferred: bool) -> FunctionToolset[object]:
    """A catalog."""
    toolset = FunctionToolset[object]()

    async def look_up(reference: str, year: int = 2025, verbose: bool = False) -> str:
        return f'{reference}-{year}-{verbose}'

    for name in tool_names(count):
        what = name.split('_')[1]
        text = f'Look up one detail of a {what} by its reference. Returns the reference of what follows it, for more.'
        toolset.add_function(look_up, name=name, description=text, defer_loading=deferred)
    return toolset


def by_calls(names: Sequence[str]) -> list[ToolCallPart]:
    """One call after the other."""
    return [ToolCallPart(name, {'reference': 'R-1'}) for name in names]


def after_search(names: Sequence[str]) -> list[ToolCallPart]:
    """A search for everything that is needed, then the calls."""
    return [ToolCallPart(SEARCH, {'query': f'select:{",".join(names)}'}), *by_calls(names)]


def by_script(names: Sequence[str]) -> list[ToolCallPart]:
    """All calls in one script."""
    lines = ["step = 'R-1'", *(f'step = await {name}(step)' for name in names), 'step']
    return [ToolCallPart('run_code', {'code': '\n'.join(lines)})]


def script_after_search(names: Sequence[str]) -> list[ToolCallPart]:
    """A search, then one script."""
    return [*after_search(names)[:1], *by_script(names)]


CHOICES = (
    Choice('direct', lambda toolset: toolset, False, by_calls),
    Choice('direct, deferred', SearchableToolset, True, after_search),
    Choice('direct, deferred, reminder', SearchableToolset, True, after_search, reminds=True),
    Choice('code', CodeModeToolset, False, by_script),
    Choice('code, deferred', lambda toolset: CodeModeToolset(SearchableToolset(toolset)), True, script_after_search),
    Choice(
        "code, deferred, catalog='append'",
        lambda toolset: CodeModeToolset(SearchableToolset(toolset), catalog='append'),
        True,
        script_after_search,
    ),
    Choice('both', lambda toolset: CodeModeToolset(toolset, default_callers='both'), False, by_script),
)


async def run(choice: Choice, size: int, calls: int) -> Sent:
    """Do one job."""
    sent = Sent(choice.plan(tool_names(size)[:calls]))
    capabilities: list[Any] = [DeferredToolsReminder()] if choice.reminds else []
    toolset = choice.wrap(tools(size, choice.deferred))
    agent = Agent(FunctionModel(sent.answer), deps_type=object, toolsets=[toolset], capabilities=capabilities)
    await agent.run('Do the job.', deps=None)
    return sent


async def definitions_table() -> None:
    print('Characters of tool definitions in the first and in the last request of a job of five calls')
    print('\n| choice | ' + ' | '.join(f'{size:,} tools' for size in SIZES) + ' |')
    print('|---|' + '---:|' * len(SIZES))
    for choice in CHOICES:
        sent = [await run(choice, size, 5) for size in SIZES]
        cells = [f'{one.definitions[0]:,} → {one.definitions[-1]:,}' for one in sent]
        print(f'| {choice.name} | ' + ' | '.join(cells) + ' |')


async def jobs_table(size: int) -> None:
    print(f'\nA whole job with {size:,} tools: requests, and characters of all input')
    print('\n| choice | ' + ' | '.join(f'{calls} call{"s" * (calls > 1)}' for calls in JOBS if calls <= size) + ' |')
    print('|---|' + '---:|' * len([calls for calls in JOBS if calls <= size]))
    for choice in CHOICES:
        cells: list[str] = []
        for calls in (calls for calls in JOBS if calls <= size):
            sent = await run(choice, size, calls)
            total = sum(sent.definitions) + sum(sent.messages)
            cells.append(f'{len(sent.definitions)} · {total:,}')
        print(f'| {choice.name} | ' + ' | '.join(cells) + ' |')


async def main() -> None:
    await definitions_table()
    for size in (10, 30, 100, 1_000):
        await jobs_table(size)


if __name__ == '__main__':
    asyncio.run(main())
