"""What grows with what, and how to measure it at a size."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from pydantic_ai import Agent, RunContext, ToolCallPart
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from benchmarks.costs.agents import model, run_of, running, tools
from benchmarks.costs.cases import Action
from toolscript import CodeModeToolset, Limits, SearchableToolset
from toolscript_sandbox import Call, Completed, Function, Sandbox

At = Callable[[int], AbstractAsyncContextManager[Action]]
"""What is measured at a size, ready."""


@dataclass(frozen=True)
class Line:
    """One way in which something grows."""

    at: At
    sizes: tuple[int, ...]
    again: bool = True
    """Whether it may be measured many times in one place, after a time that does not count."""


@dataclass(frozen=True)
class Growth:
    """What grows with one thing."""

    name: str
    x: str
    lines: dict[str, Line]


class Many(AbstractToolset[object]):
    """So many tools that add, none of which has a function of its own."""

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
        """It has none."""
        return None

    async def get_tools(self, ctx: RunContext[object]) -> dict[str, ToolsetTool[object]]:
        """All of them."""
        return self._tools

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[object], tool: ToolsetTool[object]
    ) -> int:
        """The sum."""
        return tool_args['a'] + tool_args['b']


_ANY = SchemaValidator(core_schema.any_schema())


def _agent(toolset: AbstractToolset[object], code: str, limits: Limits | None = None) -> Agent[object, str]:
    wrapped = CodeModeToolset(toolset, limits=limits or Limits())
    return Agent(model(lambda: running(code), 1), deps_type=object, toolsets=[wrapped])


@asynccontextmanager
async def _shown(size: int) -> AsyncGenerator[Action]:
    yield run_of(_agent(Many(size), 'await add_3(a=1, b=2)'), '3')


@asynccontextmanager
async def _direct(size: int) -> AsyncGenerator[Action]:
    call = ToolCallPart('add_3', {'a': 1, 'b': 2})
    yield run_of(Agent(model(lambda: call, 1), deps_type=object, toolsets=[Many(size)]), '3')


@asynccontextmanager
async def _deferred(size: int) -> AsyncGenerator[Action]:
    yield run_of(_agent(SearchableToolset(Many(size, deferred=True)), 'await add_3(a=1, b=2)'), '3')


@asynccontextmanager
async def _looped(size: int) -> AsyncGenerator[Action]:
    code = f'for n in range({size}):\n    total = await add(a=n, b=1)\ntotal'
    yield run_of(_agent(tools(5), code, Limits(max_calls=size)), str(size))


@asynccontextmanager
async def _gathered(size: int) -> AsyncGenerator[Action]:
    code = f'import asyncio\nlen(await asyncio.gather(*[add(a=n, b=1) for n in range({size})]))'
    yield run_of(_agent(tools(5), code, Limits(max_calls=size)), str(size))


@asynccontextmanager
async def _at_once(size: int) -> AsyncGenerator[Action]:
    run = run_of(_agent(tools(5), 'await wait(n=1)'), '1')

    async def all_of_them() -> None:
        await asyncio.gather(*[run() for _ in range(size)])

    yield all_of_them


_ROOM = 20
"""For the end of a long snippet, and for the comment that makes it a new one."""


@asynccontextmanager
async def _long(size: int) -> AsyncGenerator[Action]:
    lines, length, number = list[str](), 0, 0
    while length < size:
        lines.append(f"row_{number} = {{'id': {number}, 'total': {number} * 1.5, 'text': 'a line of a long snippet'}}")
        length, number = length + len(lines[-1]) + 1, number + 1
    text = '\n'.join(lines)[: size - _ROOM]
    # The last line may be cut; what is left of it is a comment.
    whole, _, rest = text.rpartition('\n')
    yield run_of(_agent(tools(5), f'{whole}\n#{rest[1:]}\n1' if whole else '1 + 1'), '1' if whole else '2')


@asynccontextmanager
async def _later(size: int) -> AsyncGenerator[Action]:
    async with Sandbox() as sandbox, sandbox.session() as session:

        async def run(number: int) -> None:
            code = (
                f'def f_{number}(x: int) -> int:\n    return x + {number}\nv_{number} = f_{number}(await add({number}))'
            )
            outcome = await session.run(code, _CATALOG, _answer)
            assert isinstance(outcome, Completed), outcome

        for number in range(1, size):
            await run(number)
        yield lambda: run(size)


class _Catalog(dict[str, Function]):
    def hint(self, name: str, /) -> str | None:
        """Nothing."""
        return None


_CATALOG = _Catalog(add=Function('add', 'async def add(n: int) -> int: ...'))


async def _answer(call: Call) -> int:
    return 1


def _rows(size: int) -> list[dict[str, object]]:
    """Rows of about a hundred bytes each, as JSON."""
    row = {'id': 10_000, 'name': 'A customer of the shop', 'tags': ['new', 'north'], 'total': 12.5, 'note': 'x' * 10}
    return [dict(row) for _ in range(max(1, round(size / len(json.dumps(row)))))]


@asynccontextmanager
async def _result_of_a_call(size: int) -> AsyncGenerator[Action]:
    rows, toolset = _rows(size), FunctionToolset[object]()

    @toolset.tool_plain
    async def fetch() -> list[dict[str, object]]:
        return rows

    assert callable(fetch)
    limits = Limits(max_memory_bytes=4_000_000_000, max_script_seconds=120, max_result_bytes=100_000_000)
    yield run_of(_agent(toolset, 'len(await fetch())', limits), str(len(rows)))


GROWTHS = {
    'tools': Growth(
        'a run with one call', 'tools', {
            'all shown': Line(_shown, (10, 100, 1_000, 10_000, 30_000, 100_000)),
            'deferred': Line(_deferred, (10, 100, 1_000, 10_000, 30_000, 100_000)),
            'direct calls': Line(_direct, (10, 100, 1_000, 10_000, 30_000, 100_000)),
        },
    ),
    'calls': Growth(
        'a run', 'calls in its script', {
            'one after the other': Line(_looped, (1, 10, 100, 1_000, 3_000, 10_000)),
            'gathered': Line(_gathered, (1, 10, 100, 1_000, 3_000, 10_000)),
        },
    ),
    'runs': Growth(
        'all runs, with a call of 20 ms each', 'runs at once', {
            'toolscript': Line(_at_once, (1, 5, 20, 50, 100, 200, 500)),
        },
    ),
    'code': Growth(
        'a run', 'characters of its snippet', {
            'toolscript': Line(_long, (100, 1_000, 10_000, 30_000, 100_000, 200_000)),
        },
    ),
    'session': Growth(
        'a snippet', 'snippets of its session, with it', {
            'toolscript': Line(_later, (1, 5, 20, 50, 100, 200), again=False),
        },
    ),
    'result': Growth(
        'a run', 'bytes of the result of its call', {
            'toolscript': Line(
                _result_of_a_call, (100, 10_000, 1_000_000, 3_000_000, 10_000_000, 50_000_000)
            ),
        },
    ),
}  # fmt: skip
"""By their short names."""
