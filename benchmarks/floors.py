"""What code mode costs beside what cannot be avoided: `make bench`, or `python benchmarks/floors.py [ROUNDS]`.

A floor is raw Monty, and pydantic-ai's own way of a call, measured in the same process; all take turns, so that what
else the machine does falls on nobody in particular. The nearest peer is in `benchmarks/code_mode.py`, because it needs
an environment of its own.
"""

from __future__ import annotations

import asyncio
import platform
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from code_mode import ADD, NO_CALL, contenders, model, tools
from pydantic_ai import Agent, ToolCallPart
from pydantic_monty import AsyncFunctionSnapshot, AsyncFutureSnapshot, AsyncMonty, AsyncNameLookupSnapshot, MontyError

from toolscript import Sandbox

CALLS = 100
LOOP = f'for n in range({CALLS}):\n    total = await add(a=n, b=2)\ntotal'
GATHER = f'import asyncio\nlen(await asyncio.gather(*[add(a=n, b=2) for n in range({CALLS})]))'
TRIVIAL = '1 + 1'

Run = Callable[[], Awaitable[Any]]


def agent(name: str, calls: list[ToolCallPart], size: int = 5) -> Run:
    """Runs of an agent whose model makes these calls, one per step."""
    contender = next(one for one in contenders() if one.name == name)
    made: Agent[object, str] = contender.agent(model(calls), tools(size))
    return lambda: made.run('go')


def script(code: str) -> ToolCallPart:
    """A call of `run_code`."""
    return ToolCallPart('run_code', {'code': code})


class RawMonty:
    """What a snippet takes without us: a session for it, a check of it, and Monty's turns."""

    async def __aenter__(self) -> RawMonty:
        self._runs, self._checks = (AsyncMonty(min_processes=0, max_processes=1) for _ in range(2))
        await self._runs.__aenter__()
        await self._checks.__aenter__()
        self._checker = await self._checks.checkout(type_check=True, type_check_format='json').__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._checker.__aexit__(None, None, None)
        await self._runs.__aexit__(None, None, None)
        await self._checks.__aexit__(None, None, None)

    async def snippet(self) -> None:
        """Check, take a session, run, give it back."""
        with suppress(MontyError):
            await self._checker.feed_run(f"int('-')\n{TRIVIAL}")
        await self.calls(TRIVIAL)

    async def calls(self, code: str) -> None:
        """Run code, and answer its calls with a number, at once."""
        async with self._runs.checkout() as session:
            snapshot: Any = await session.feed_start(code, skip_type_check=True)
            while True:
                match snapshot:
                    case AsyncNameLookupSnapshot():
                        snapshot = await snapshot.resume(value=add)
                    case AsyncFunctionSnapshot():
                        inline = not code.startswith('import')
                        snapshot = await snapshot.resume({'return_value': 3} if inline else {'future': ...})
                    case AsyncFutureSnapshot():
                        numbers = snapshot.pending_call_ids
                        snapshot = await snapshot.resume({number: {'return_value': 3} for number in numbers})
                    case _:
                        return


def add(a: int, b: int) -> int:
    """Stands for the function that a script calls."""
    return a + b


async def measured(runs: dict[str, Run], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each, in turns."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 2):
        for name, run in runs.items():
            start = time.perf_counter()
            await run()
            if number > 1:
                times[name].append((time.perf_counter() - start) * 1000)
    return times


async def in_process(rounds: int) -> None:
    """The rows that take turns in one process."""
    ours, direct = 'toolscript', 'direct calls'
    async with RawMonty() as raw:
        times = await measured(
            {
                'no step': agent(direct, []),
                'direct': agent(direct, [ADD]),
                'trivial': agent(ours, [NO_CALL]),
                'direct 5': agent(direct, [ADD] * 5),
                'trivial 5': agent(ours, [NO_CALL] * 5),
                'loop': agent(ours, [script(LOOP)]),
                'gather': agent(ours, [script(GATHER)]),
                'direct of 1,000': agent(direct, [ADD], 1000),
                'trivial of 1,000': agent(ours, [NO_CALL], 1000),
                'raw': raw.snippet,
                'raw loop': lambda: raw.calls(LOOP.replace('await ', '')),
                'raw gather': lambda: raw.calls(GATHER),
            },
            rounds,
        )

    def over(more: str, less: str, by: int = 1) -> list[float]:
        return [(a - b) / by for a, b in zip(times[more], times[less], strict=True)]

    _row('a trivial run_code, over one direct call', over('trivial', 'direct'), 'check, session, feed', times['raw'])
    _row(
        'five in a run, over five direct calls', over('trivial 5', 'direct 5'), 'five times that', _by(times['raw'], 5)
    )
    _row('a nested call in a loop', over('loop', 'trivial', CALLS), "Monty's turn", over('raw loop', 'raw', CALLS))
    _row('100 gathered', over('gather', 'trivial'), "Monty's turns", over('raw gather', 'raw'))
    _row('a run over 1,000 code tools', times['trivial of 1,000'], 'over 1,000 direct ones', times['direct of 1,000'])


async def idle_workers() -> None:
    """What is left of fifty runs at once."""
    async with Sandbox() as sandbox:

        async def run() -> None:
            async with sandbox.session() as session:
                await session.run(TRIVIAL, _Nothing(), _never)

        await asyncio.gather(*[run() for _ in range(50)])
        after = sandbox.stats.workers_idle
        await asyncio.sleep(10)
        print(f'{"idle workers after 50 runs at once, and 10 s later":<44}{after:>9} {sandbox.stats.workers_idle:>8}')


class _Nothing(dict[str, Any]):
    def hint(self, name: str, /) -> str | None:
        """Nothing."""
        return None


async def _never(_: object) -> None:
    raise AssertionError('nothing is called')


_IMPORT = """
import os, sys, time
before = time.process_time()
__import__(sys.argv[1])
taken = time.process_time() - before
pages = int(open('/proc/self/statm').read().split()[1]) if os.path.exists('/proc/self/statm') else 0
print(taken, pages * os.sysconf('SC_PAGE_SIZE') / 2**20)
"""


def imports(rounds: int) -> None:
    """Fresh processes, in turns: processor time and memory."""
    found: dict[str, list[list[float]]] = {'toolscript': [], 'pydantic_ai': []}
    for _ in range(rounds):
        for module, taken in found.items():
            done = subprocess.run([sys.executable, '-c', _IMPORT, module], capture_output=True, text=True, check=True)
            taken.append([float(number) for number in done.stdout.split()])
    for unit, place in (('s of processor time', 0), ('MB', 1)):
        ours, floor = ([taken[place] for taken in found[module]] for module in found)
        _row(f'import toolscript, {unit}', ours, 'import pydantic_ai', floor)


def _by(times: list[float], factor: int) -> list[float]:
    return [each * factor for each in times]


def _row(what: str, ours: list[float], floor_is: str, floor: list[float]) -> None:
    low, _, high = quantiles(ours, n=4)
    ratio = median(ours) / median(floor)
    print(f'{what:<44}{median(ours):>9.3f} ({low:.3f} to {high:.3f})   {floor_is}: {median(floor):.3f}   x{ratio:.2f}')


def main() -> None:
    """Measure and print; milliseconds where nothing else is said, medians with the quarters around them."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    packages = ', '.join(f'{name} {version(name)}' for name in ('pydantic-ai-slim', 'pydantic-monty'))
    print(f'{platform.machine()}, Python {platform.python_version()}, {packages}, {rounds} rounds')
    asyncio.run(in_process(rounds))
    asyncio.run(idle_workers())
    imports(max(2, rounds // 6))


if __name__ == '__main__':
    sys.path.insert(0, str(Path(__file__).parent))
    main()
