"""Unavoidable costs: raw Monty's part of a snippet, and pydantic-ai's own calls."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from pydantic_ai import Agent, FunctionToolset, RunContext, ToolCallPart
from pydantic_monty import (
    AsyncFunctionSnapshot,
    AsyncFutureSnapshot,
    AsyncMonty,
    AsyncMontySession,
    AsyncNameLookupSnapshot,
    MontyError,
)

from benchmarks.costs.agents import model
from benchmarks.costs.cases import GATHER, LOOP, NESTED, TRIVIAL, Action


@asynccontextmanager
async def raw_monty() -> AsyncGenerator[dict[str, Action]]:
    """Yields scripts in raw Monty: a session for each, its type check, and Monty's turns. Workers start when needed."""
    async with AsyncExitStack() as stack:
        started = list[tuple[AsyncMonty, AsyncMontySession]]()

        async def pools() -> tuple[AsyncMonty, AsyncMontySession]:
            if not started:
                runs, checks = [
                    await stack.enter_async_context(AsyncMonty(min_processes=0, max_processes=1)) for _ in range(2)
                ]
                checker = checks.checkout(type_check=True, type_check_format='json')
                started.append((runs, await stack.enter_async_context(checker)))
            return started[0]

        async def snippet() -> None:
            runs, checker = await pools()
            with suppress(MontyError):
                await checker.feed_run(f"int('-')\n{TRIVIAL}")
            await _answered(runs, TRIVIAL, later=False)

        async def calls(code: str, *, later: bool) -> None:
            await _answered((await pools())[0], code, later=later)

        yield {
            'raw': snippet,
            'raw loop': lambda: calls(LOOP.format(call=_CALL).replace('await ', ''), later=False),
            'raw gather': lambda: calls(GATHER.format(call=_CALL), later=True),
        }


_CALL = 'add(a=n, b=2)'


async def _answered(pool: AsyncMonty, code: str, *, later: bool) -> None:
    """Take a session, run code in it, answer its calls with a number, and return the session."""
    async with pool.checkout() as session:
        snapshot: Any = await session.feed_start(code, skip_type_check=True)
        while True:
            match snapshot:
                case AsyncNameLookupSnapshot():
                    snapshot = await snapshot.resume(value=add)
                case AsyncFunctionSnapshot():
                    snapshot = await snapshot.resume({'future': ...} if later else {'return_value': 3})
                case AsyncFutureSnapshot():
                    numbers = snapshot.pending_call_ids
                    snapshot = await snapshot.resume({number: {'return_value': 3} for number in numbers})
                case _:
                    return


def add(a: int, b: int) -> int:
    """Represents the function that a script calls."""
    return a + b


def pydantic_ai_calls() -> dict[str, Action]:
    """A hundred calls of a tool by pydantic-ai: validated and called directly, and through the manager of the run."""
    toolset = FunctionToolset[object]()

    @toolset.tool
    async def add(ctx: RunContext[object], a: int, b: int) -> int:
        return a + b

    @toolset.tool
    async def bare(ctx: RunContext[object]) -> None:
        tool = (await toolset.get_tools(ctx))['add']
        for n in range(NESTED):
            arguments = tool.args_validator.validate_python({'a': n, 'b': 2})
            await toolset.call_tool('add', arguments, ctx, tool)

    @toolset.tool
    async def managed(ctx: RunContext[object]) -> None:
        assert ctx.tool_manager is not None
        for n in range(NESTED):
            await ctx.tool_manager.handle_call(ToolCallPart('add', {'a': n, 'b': 2}))

    assert callable(add)
    assert callable(bare)
    assert callable(managed)

    def action(tool: str) -> Action:
        agent = Agent(model(lambda: ToolCallPart(tool, {}), 1), deps_type=object, toolsets=[toolset])
        return lambda: agent.run('go')

    return {'bare calls': action('bare'), 'managed calls': action('managed')}
