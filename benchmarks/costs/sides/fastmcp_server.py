"""FastMCP's code mode, called by its own client in the same process: no agent, no model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import Any

from benchmarks.costs.cases import CASES, NESTED, WAIT_SECONDS, WAITING, WAITS, Action, Case, new
from benchmarks.costs.sides.runs import Runs

_SERVERS: Any = import_module('fastmcp')
_CODE_MODE: Any = import_module('fastmcp.experimental.transforms.code_mode')


def server(count: int, *, code: bool) -> Any:
    """Return a server with `count` tools, exposed directly or through its code mode."""
    transforms = [_CODE_MODE.CodeMode(max_tool_calls=NESTED)] if code else []
    made = _SERVERS.FastMCP('bench', transforms=transforms)

    async def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    async def wait(n: int) -> int:
        """Wait 20 ms."""
        await asyncio.sleep(WAIT_SECONDS)
        return 1

    made.tool(add)
    made.tool(wait)
    for n in range(2, count):
        made.tool(add, name=f'add_{n}', description=f'Add two numbers, way {n}.')
    return made


@asynccontextmanager
async def runs() -> AsyncGenerator[Runs]:
    """Yields runs by clients of four servers: each run lists the tools and makes its calls."""
    async with AsyncExitStack() as stack:
        clients = {
            (count, code): await stack.enter_async_context(_SERVERS.Client(server(count, code=code)))
            for count in (5, 1000)
            for code in (False, True)
        }

        def action(case: Case) -> Action:
            client = clients[case.tools, case.script is not None]

            async def run() -> None:
                for _ in range(case.steps):
                    await client.list_tools()
                    _check(await client.call_tool(*_call(case)), case.gives)

            return run

        async def crowd() -> None:
            script = WAITING.format(waited="(await call_tool('wait', {'n': n}))['result']")
            _check(await clients[5, True].call_tool('execute', {'code': _returned(new(script))}), str(WAITS))

        yield Runs({name: action(case) for name, case in CASES.items()}, crowd)


def _check(result: Any, gives: str) -> None:
    assert gives in str(result.content), result


def _call(case: Case) -> tuple[str, dict[str, Any]]:
    if case.script is None:
        return 'add', {'a': 1, 'b': 2}
    return 'execute', {'code': _returned(case.written("call_tool('add', {'a': n, 'b': 2})"))}


def _returned(script: str) -> str:
    """Return the script with a `return` in its last line, as that server requires."""
    *before, last = script.splitlines()
    return '\n'.join([*before, f'return {last}'])
