"""The cost of actions as their input grows."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from pydantic_ai import Agent, RunContext
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from benchmarks.costs.agents import model, run_of, running, tools
from benchmarks.costs.cases import Action
from toolscript import CodeModeToolset, Limits, SearchableToolset
from toolscript_sandbox import Call, Completed, Function, Sandbox

At = Callable[[int], AbstractAsyncContextManager[Action]]
"""Prepares an action at a given size."""


class Many(AbstractToolset[object]):
    """A toolset of `size` tools that add, without a function for each."""

    def __init__(self, count: int, *, deferred: bool = False) -> None:
        schema = {
            'type': 'object',
            'properties': {'a': {'type': 'integer'}, 'b': {'type': 'integer'}},
            'required': ['a', 'b'],
        }
        self._tools = {
            f'add_{n}': ToolsetTool[object](
                toolset=self,
                tool_def=ToolDefinition(
                    name=f'add_{n}',
                    description=f'Add two numbers, way {n}.',
                    parameters_json_schema=schema,
                    return_schema={'type': 'integer'},
                    defer_loading=deferred,
                ),
                max_retries=1,
                args_validator=_ANY,
            )
            for n in range(count)
        }  # fmt: skip

    @property
    def id(self) -> str | None:
        return None

    async def get_tools(self, ctx: RunContext[object]) -> dict[str, ToolsetTool[object]]:
        return self._tools

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[object], tool: ToolsetTool[object]
    ) -> int:
        return tool_args['a'] + tool_args['b']


_ANY = SchemaValidator(core_schema.any_schema())


def _agent(toolset: AbstractToolset[object], code: str, limits: Limits | None = None) -> Agent[object, str]:
    wrapped = CodeModeToolset(toolset, limits=limits or Limits())
    return Agent(model(lambda: running(code), 1), deps_type=object, toolsets=[wrapped])


@asynccontextmanager
async def _shown(size: int) -> AsyncGenerator[Action]:
    yield run_of(_agent(Many(size), 'await add_3(a=1, b=2)'), '3')


@asynccontextmanager
async def _deferred(size: int) -> AsyncGenerator[Action]:
    yield run_of(_agent(SearchableToolset(Many(size, deferred=True)), 'await add_3(a=1, b=2)'), '3')


@asynccontextmanager
async def _at_once(size: int) -> AsyncGenerator[Action]:
    run = run_of(_agent(tools(5), 'await wait(n=1)'), '1')

    async def all_of_them() -> None:
        await asyncio.gather(*[run() for _ in range(size)])

    yield all_of_them


_ROOM = 20
"""Characters for the end of a long snippet and for the comment that makes it new."""


@asynccontextmanager
async def _long(size: int) -> AsyncGenerator[Action]:
    lines, length, number = list[str](), 0, 0
    while length < size:
        lines.append(f"row_{number} = {{'id': {number}, 'total': {number} * 1.5, 'text': 'a line of a long snippet'}}")
        length, number = length + len(lines[-1]) + 1, number + 1
    text = '\n'.join(lines)[: size - _ROOM]
    # The last line may be cut off; its remainder is a comment.
    whole, _, rest = text.rpartition('\n')
    yield run_of(_agent(tools(5), f'{whole}\n#{rest[1:]}\n1' if whole else '1 + 1'), '1' if whole else '2')


@asynccontextmanager
async def _later(size: int) -> AsyncGenerator[Action]:
    catalog = Catalog(add=Function('add', 'async def add(n: int) -> int: ...'))
    async with Sandbox() as sandbox, sandbox.session() as session:

        async def run(number: int) -> None:
            code = (
                f'def f_{number}(x: int) -> int:\n    return x + {number}\nv_{number} = f_{number}(await add({number}))'
            )
            outcome = await session.run(code, catalog, _answer)
            assert isinstance(outcome, Completed), outcome

        for number in range(1, size):
            await run(number)
        yield lambda: run(size)


class Catalog(dict[str, Function]):
    """Functions without hints."""

    def hint(self, name: str, /) -> str | None:
        return None


async def _answer(call: Call) -> int:
    return 1


def _rows(size: int) -> list[dict[str, object]]:
    """Return rows of about a hundred bytes each, as JSON."""
    row = {'id': 10_000, 'name': 'A customer of the shop', 'tags': ['new', 'north'], 'total': 12.5, 'note': 'x' * 10}
    return [dict(row) for _ in range(max(1, round(size / len(json.dumps(row)))))]


@asynccontextmanager
async def _result_of_a_call(size: int) -> AsyncGenerator[Action]:
    rows = _rows(size)

    async def fetch() -> list[dict[str, object]]:
        return rows

    limits = Limits(max_memory_bytes=4_000_000_000, max_script_seconds=120, max_result_bytes=100_000_000)
    yield run_of(_agent(FunctionToolset[object]([fetch]), 'len(await fetch())', limits), str(len(rows)))


GROWTHS: dict[str, At] = {
    'all tools shown': _shown,
    'all tools deferred': _deferred,
    'runs at once': _at_once,
    'characters of a script': _long,
    'scripts of a session': _later,
    'bytes of a result': _result_of_a_call,
}
"""The measured actions, by the input that grows."""
