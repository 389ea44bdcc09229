"""What a snippet costs: `python benchmarks/sandbox.py` prints milliseconds, each the median of one run.

The ratios within one run are what counts; the machine decides the rest.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / 'sandbox')]

from toolscript_sandbox import Call, Completed, Function, Limits, Outcome, Sandbox, Session  # noqa: E402
from toolscript_sandbox.checking.checker import Context  # noqa: E402

STUB = """\
from typing import TypedDict

class Row{n}(TypedDict):
    id: int
    name: str

async def tool_{n}(id: int, name: str = ...) -> Row{n}: ...
"""
ROUNDS = 200


class Catalog:
    """Any number of functions, none of which exists before it is asked for."""

    def __init__(self, size: int) -> None:
        self.size = size

    def get(self, name: str, /) -> Function | None:
        """The function of that name."""
        number = name.removeprefix('tool_')
        if not name.startswith('tool_') or not number.isdigit() or int(number) >= self.size:
            return None
        return Function(name, STUB.replace('{n}', number))

    def hint(self, name: str, /) -> str | None:
        """Nothing."""
        return None


async def answer(call: Call) -> Any:
    """A row."""
    return {'id': call.id, 'name': 'x'}


async def _milliseconds(action: Callable[[int], Awaitable[Any]], rounds: int = ROUNDS) -> float:
    times = list[float]()
    for number in range(rounds):
        start = time.perf_counter()
        await action(number)
        times.append((time.perf_counter() - start) * 1000)
    return median(times)


async def main() -> None:
    """Measure and print."""
    start = time.perf_counter()
    async with Sandbox() as sandbox:
        _line('start of workers and checker', (time.perf_counter() - start) * 1000)
        await _of_snippets(sandbox)
        await _of_catalogs(sandbox)
        await _of_calls(sandbox)


async def _of_snippets(sandbox: Sandbox) -> None:
    catalog = Catalog(10)

    async def fresh(_: int) -> None:
        async with sandbox.session() as session:
            await _run(session, '1 + 1', catalog)

    _line('session, one trivial snippet, close', await _milliseconds(fresh))
    code = "row = await tool_1(1)\nrow['name']"
    function = catalog.get('tool_1')
    assert function is not None
    context = Context((function,))
    _line('type check of a snippet with a call', await _milliseconds(lambda _: sandbox.check(code, context)))
    async with sandbox.session() as session:
        _line('trivial snippet in a session', await _milliseconds(lambda _: _run(session, '1 + 1', catalog), 50))
    async with sandbox.session() as session:
        _line('snippet with a call', await _milliseconds(lambda _: _run(session, code, catalog), 50))


async def _of_catalogs(sandbox: Sandbox) -> None:
    base = 0.0
    for size in (10, 1_000, 100_000):
        catalog = Catalog(size)

        async def named(number: int, catalog: Catalog = catalog) -> None:
            async with sandbox.session() as session:
                name = f'tool_{number % catalog.size}'
                await _run(session, f"row = await {name}(id={number})\nrow['name']", catalog)

        await _milliseconds(named, 20)
        cost = await _milliseconds(named)
        base = base or cost
        _line(f'session and snippet, {size:,} callable functions', cost, cost / base)


async def _of_calls(sandbox: Sandbox) -> None:
    catalog, count = Catalog(10), 2_000
    async with sandbox.session(limits=Limits(calls=count)) as session:
        start = time.perf_counter()
        await _run(session, f'for i in range({count}):\n    await tool_1(i)', catalog)
        _line('a call, one after another', (time.perf_counter() - start) / count * 1000)
    async with sandbox.session(limits=Limits(calls=count)) as session:
        start = time.perf_counter()
        await _run(session, f'await asyncio.gather(*[tool_1(i) for i in range({count})])', catalog)
        _line('a call, gathered', (time.perf_counter() - start) / count * 1000)


async def _run(session: Session, code: str, catalog: Catalog) -> Outcome:
    outcome = await session.run(code, catalog, answer)
    assert isinstance(outcome, Completed), outcome
    return outcome


def _line(what: str, milliseconds: float, ratio: float | None = None) -> None:
    print(f'{what:<52}{milliseconds:9.3f} ms' + (f'   x{ratio:.2f}' if ratio is not None else ''))


if __name__ == '__main__':
    asyncio.run(main())
