"""Processor time of whole new scripts, checked and run here, over that of raw Monty, which runs them unchecked.

    .venv/bin/python -m benchmarks.whole_scripts FOLDER [--rounds 20] [--profile]

FOLDER holds programs over typed tools, in `cases/`, and their tools in `tools.py` and `common.py`. Every round changes
a comment, so no script was ever seen before. The time is that of this process and of all that it started; each side
has a warm worker. Only programs that raw Monty runs to their end count.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import importlib
import os
import pstats
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from pydantic_monty import (
    AsyncFunctionSnapshot,
    AsyncFutureSnapshot,
    AsyncMonty,
    AsyncNameLookupSnapshot,
    CollectString,
)

from toolscript_sandbox import Call, Completed, Function, Sandbox, ToolError

_PROC = Path('/proc')


class Table(dict[str, Function]):
    """The functions of the tools."""

    def hint(self, name: str, /) -> str | None:
        """Nothing to say."""


def processor_seconds() -> float:
    """Of this process and all that it started, since they began."""
    waiting, total = [os.getpid()], 0
    while waiting:
        for task in (_PROC / str(waiting.pop()) / 'task').iterdir():
            total += int((task / 'schedstat').read_text().split()[0])
            waiting += map(int, (task / 'children').read_text().split())
    return total / 1e9


async def raw(pool: AsyncMonty, text: str, tools: dict[str, Callable[..., Awaitable[Any]]]) -> bool:
    """Run a script in Monty as it is, without a check; whether it came to its end."""
    async with pool.checkout() as session:
        snapshot = await session.feed_start(text, print_callback=CollectString(), skip_type_check=True)
        open_calls = dict[int, tuple[str, tuple[Any, ...], dict[str, Any]]]()
        while True:
            match snapshot:
                case AsyncFunctionSnapshot():
                    if snapshot.is_os_function:
                        snapshot = await snapshot.resume_not_handled()
                        continue
                    open_calls[snapshot.call_id] = snapshot.function_name, snapshot.args, snapshot.kwargs
                    snapshot = await snapshot.resume({'future': ...})
                case AsyncFutureSnapshot():
                    results = {number: await _answer(tools, *open_calls.pop(number)) for number in [*open_calls]}
                    snapshot = await snapshot.resume(results)
                case AsyncNameLookupSnapshot():
                    name = snapshot.variable_name
                    snapshot = await (snapshot.resume(value=_named(name)) if name in tools else snapshot.resume())
                case _:
                    return True


async def _answer(tools: dict[str, Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    try:
        return {'return_value': await tools[name](*args, **kwargs)}
    except Exception as error:
        return {'exc_type': 'RuntimeError', 'message': str(error)}


def _named(name: str) -> Callable[..., None]:
    def called() -> None:
        raise AssertionError

    called.__name__ = name
    return called


async def ours(sandbox: Sandbox, table: Table, text: str, tools: dict[str, Callable[..., Awaitable[Any]]]) -> bool:
    """Check a script and run it; whether it came to its end."""

    async def dispatch(call: Call) -> Any:
        try:
            return await tools[call.function](*call.args, **call.kwargs)
        except Exception as error:
            raise ToolError(type(error).__name__, str(error)) from error

    async with sandbox.session() as session:
        return isinstance(await session.run(text, table, dispatch), Completed)


async def measured(folder: Path, rounds: int, *, profile: bool) -> None:
    """Print the ratio of each program, and their median."""
    sys.path.insert(0, str(folder))
    world, common = importlib.import_module('tools'), importlib.import_module('common')
    table = Table({name: Function(name, world.stub(name)) for name in world.NAMES})
    profiler = cProfile.Profile(time.thread_time)
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(AsyncMonty(min_processes=1, max_processes=1))
        sandbox = await stack.enter_async_context(Sandbox())
        ratios, times = dict[str, float](), list[tuple[float, float]]()
        for path in sorted((folder / 'cases').glob('g1_*.py')):
            text = common.program(path.read_text())
            sides: list[list[float]] = [[], []]
            try:
                ended = await raw(pool, text, world.Tools().namespace())
            except Exception:
                continue
            assert ended, path.stem
            assert await ours(sandbox, table, text, world.Tools().namespace()), path.stem
            for number in range(rounds):
                new = f'{text}\n# {path.stem} {number}'
                for side, run in enumerate((partial(raw, pool), partial(ours, sandbox, table))):
                    tools = world.Tools().namespace()
                    began = processor_seconds()
                    if profile and side:
                        profiler.enable()
                    await run(new, tools)
                    profiler.disable()
                    sides[side].append(processor_seconds() - began)
            one, other = map(statistics.median, sides)
            times.append((one, other))
            ratios[path.stem] = other / one
            print(
                f'{path.stem}  raw {one * 1000:6.2f} ms  checked {other * 1000:6.2f} ms  {other / one:4.1f}', flush=True
            )
    total = sum(other for _, other in times) / sum(one for one, _ in times)
    print(f'{len(ratios)} programs: median {statistics.median(ratios.values()):.2f}, all together {total:.2f}')
    if profile:
        pstats.Stats(profiler).sort_stats('cumtime').print_stats(90)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=Path)
    parser.add_argument('--rounds', type=int, default=20)
    parser.add_argument('--profile', action='store_true')
    arguments = parser.parse_args()
    began = time.monotonic()
    asyncio.run(measured(arguments.folder.resolve(), arguments.rounds, profile=arguments.profile))
    print(f'{time.monotonic() - began:.0f} s')


if __name__ == '__main__':
    main()
