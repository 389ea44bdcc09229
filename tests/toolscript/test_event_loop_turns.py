"""Nothing from a model, a tool or a server blocks the event loop, however large or unusual it is."""

import asyncio
import gc
from collections.abc import Callable
from time import thread_time
from typing import Any

import pytest
from pydantic_ai import Agent, ModelMessage, ModelResponse, ModelRetry, TextPart, ToolCallPart, ToolReturn
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ExternalToolset

from tests.sampling import sampled
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset

STEPS = 6_000_000
"""One turn of the event loop may take as long as this many steps of an empty loop, at the same time on the same machine:
about 0.15 seconds."""
TRIES = 4
"""On a busy machine a turn seems longer, never shorter."""
LARGE = 200_000_000


class Plays(Model):
    """Makes one call, and then ends the run. It does not count tokens, which would read all of a large text."""

    def __init__(self, call: ToolCallPart) -> None:
        super().__init__()
        self._call = call

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The call, followed by a text."""
        return ModelResponse([self._call if len(messages) == 1 else TextPart('done')], model_name='plays')

    @property
    def model_name(self) -> str:
        return 'plays'

    @property
    def system(self) -> str:
        return 'tests'


async def longest_turn(agent: Agent[object, Any]) -> float:
    """Return the seconds of processor time of the longest turn of the event loop while the agent runs."""
    run = asyncio.ensure_future(agent.run('go'))
    longest = 0.0
    while not run.done():
        begun = thread_time()
        await asyncio.sleep(0)
        longest = max(longest, thread_time() - begun)
    await run
    return longest


def longest_allowed() -> float:
    """Return the seconds of processor time that a turn may take now."""
    begun = thread_time()
    for _ in range(STEPS):
        pass
    return thread_time() - begun


@pytest.fixture(scope='module', autouse=True)
async def _what_was_there_counts_for_nothing(anyio_backend: str) -> None:
    # Exclude imports, caches, and garbage of other tests.
    await Agent(Plays(ToolCallPart('run_code', {'code': '1'})), toolsets=[CodeModeToolset(gives(1))]).run('go')
    gc.collect()
    gc.freeze()


async def hold_nothing(agent: Agent[object, Any]) -> None:
    """Fail if each of a few runs blocks the event loop for too long. `turns` are shares of what is allowed."""
    gc.collect()
    gc.disable()
    try:
        turns = list[float]()
        while not turns or (min(turns) > 1 and len(turns) < TRIES):
            turns.append(await longest_turn(agent) / longest_allowed())
    finally:
        gc.enable()
    assert min(turns) <= 1, turns


def runs(code: str, toolset: AbstractToolset[object]) -> Agent[object, Any]:
    """Return an agent whose model sends this script."""
    return Agent(Plays(ToolCallPart('run_code', {'code': code})), toolsets=[CodeModeToolset(toolset)], retries=3)


def gives(value: object) -> FunctionToolset[object]:
    async def get() -> object:
        return value

    async def take(value: object) -> None:
        """Take a value."""

    return FunctionToolset[object]([get, take])


def raises(error: Exception) -> FunctionToolset[object]:
    async def get() -> object:
        raise error

    return FunctionToolset[object]([get])


def nested(depth: int) -> list[Any]:
    value = list[Any]()
    for _ in range(depth):
        value = [value]
    return value


def text() -> str:
    """Return a large text, made for each test: all processes that collect this module would keep it."""
    return 'word ' * (LARGE // 5)


RESULTS: dict[str, Callable[[], object]] = {
    'text': text,
    'bytes': lambda: bytes(LARGE),
    'invisible': lambda: '\u202e' * (LARGE // 3),
    'invisible, within the limit': lambda: '\u202e' * 3_000_000,
    'list': lambda: list(range(5_000_000)),
    'dict': lambda: {str(number): number for number in range(1_000_000)},
    'nested': lambda: nested(50_000),
    'many nested': lambda: [nested(190) for _ in range(150)],
    # pydantic-ai itself reads all of the content in one turn: 0.1 s for 200 MB.
    'content': lambda: ToolReturn(1, content='x' * (LARGE // 4)),
}


@pytest.mark.parametrize('kind', sampled(RESULTS, 3))
async def test_no_result_of_a_tool_blocks_the_event_loop(kind: str) -> None:
    await hold_nothing(runs('await get()', gives(RESULTS[kind]())))


@pytest.mark.parametrize('error', [ValueError, ModelRetry])
async def test_no_error_of_a_tool_blocks_the_event_loop(error: type[Exception]) -> None:
    code = 'try:\n    await get()\nexcept Exception as error:\n    print(error)'
    await hold_nothing(runs(code, raises(error(text()))))


SCRIPTS: dict[str, Callable[[], str]] = {
    'far too long': text,
    'too long': lambda: 'x = 1\n' * 100_000,
    'names': lambda: f'x = [{"a.b, " * 10_000}]',
    'brackets': lambda: '(' * 50_000,
    'f-string': lambda: f"f'{'{1}' * 20_000}'",
    'stdout': lambda: f'print("x" * {LARGE})',
    'lines': lambda: 'for _ in range(100_000):\n    print("x" * 100)',
    'result': lambda: f'"x" * {LARGE}',
    'argument': lambda: f'await take(value="x" * {LARGE})',
    'long argument': lambda: 'await take(value="x" * 30_000_000)',
    'error': lambda: f'raise ValueError("x" * {LARGE})',
}


@pytest.mark.parametrize('kind', sampled(SCRIPTS, 5))
async def test_no_script_blocks_the_event_loop(kind: str) -> None:
    await hold_nothing(runs(SCRIPTS[kind](), gives(1)))


def tool(number: int, schema: dict[str, Any], description: str = 'A tool.', **more: Any) -> ToolDefinition:
    return ToolDefinition(name=f'tool_{number}', description=description, parameters_json_schema=schema, **more)


def fields(**schemas: Any) -> dict[str, Any]:
    return {'type': 'object', 'properties': schemas}


TOOLS: dict[str, Callable[[], list[ToolDefinition]]] = {
    'description': lambda: [tool(1, fields(), text())],
    'descriptions': lambda: [tool(number, fields(), 'word ' * 200_000 + 'x' * number) for number in range(50)],
    'description of a field': lambda: [tool(1, fields(a={'type': 'string', 'description': text()}))],
    'value': lambda: [tool(1, fields(a={'enum': [text(), 'b']}))],
    'values': lambda: [tool(1, fields(a={'enum': [f'value {number}' for number in range(1_000_000)]}))],
    'fields': lambda: [tool(1, fields(**{f'p{number}': {'type': 'string'} for number in range(100_000)}))],
    'unknown keyword': lambda: [tool(1, {**fields(), 'x-text': [text()]})],
    'result': lambda: [tool(1, fields(), return_schema={'type': 'object', 'description': text()})],
    'hints': lambda: [
        tool(1, fields(), metadata={'annotations': {'text': text()}, 'meta': {'text': text()}, 'task': None})
    ],
    'names': lambda: [ToolDefinition(name='x' * 10_000 + str(number)) for number in range(200)],
    'many': lambda: [tool(number, fields(a={'type': 'string'})) for number in range(5_000)],
    'many fields': lambda: [
        tool(number, fields(**{f'p{place}': {'type': 'string'} for place in range(100)})) for number in range(300)
    ],
}


@pytest.mark.parametrize('kind', sampled(TOOLS, 3))
async def test_listing_the_tools_of_a_server_does_not_block_the_event_loop(kind: str) -> None:
    await hold_nothing(runs('1', ExternalToolset[object](TOOLS[kind]())))


@pytest.mark.parametrize('kind', sampled(TOOLS, 2))
async def test_searching_the_tools_of_a_server_does_not_block_the_event_loop(kind: str) -> None:
    search = ToolCallPart('search_tools', {'query': 'tool with a word'})
    tools = SearchableToolset[object](ExternalToolset[object](TOOLS[kind]()))
    await hold_nothing(Agent(Plays(search), toolsets=[CodeModeToolset(tools)], retries=3))


@pytest.mark.parametrize(
    ('part', 'times'), [('word ', LARGE // 5), ('a word and a tool, ', 5_000), ('"', 50_000), ('-a ', 30_000)]
)
async def test_no_query_blocks_the_event_loop(part: str, times: int) -> None:
    tools = SearchableToolset[object](ExternalToolset[object](TOOLS['many']()[:1_000]))
    search = ToolCallPart('search_tools', {'query': part * times})
    await hold_nothing(Agent(Plays(search), toolsets=[CodeModeToolset(tools)], retries=3))


@pytest.mark.parametrize(('name', 'kind'), [('x_y' * 300_000, 'names'), ('tool', 'many')])
async def test_no_call_of_an_unknown_tool_blocks_the_event_loop(name: str, kind: str) -> None:
    tools = SearchableToolset[object](ExternalToolset[object](TOOLS[kind]()[:1_000]))
    await hold_nothing(Agent(Plays(ToolCallPart(name, {})), toolsets=[CodeModeToolset(tools)], retries=3))
