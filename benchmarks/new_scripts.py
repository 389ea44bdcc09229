"""Processor time of a new script, compared with raw Monty, bare and with its check: `python -m benchmarks.new_scripts`.

The scripts are the shared programs that raw Monty can run, each repeated a few times with a different comment, so that
it is new each time. Each way has a fresh process; the figure is the time that the process and its workers used for all
scripts except the first round, which warms them up.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from pydantic_monty import (
    AsyncFunctionSnapshot,
    AsyncFutureSnapshot,
    AsyncMonty,
    AsyncNameLookupSnapshot,
    ExternalModule,
    MontyError,
    ResourceLimits,
)

from benchmarks.retrieval import SHARED
from tests.sandbox.tables import Table
from toolscript.flows.analysis import analyse
from toolscript_sandbox import Call, Completed, Function, Sandbox, ToolError, to_json

_PROGRAMS = Path(SHARED, 'programs')
_ROUNDS = 4
"""The number of counted runs of each script, after one that is not counted."""

_WAYS = ('raw', 'checked', 'floor', 'toolscript', 'prepared', 'analysed')
"""Raw Monty; the same with its type check against the functions' signatures, and with a checker that stays warm, which
is the least that a new script costs if it is checked; this project; of it also preparing and checking alone, and these
with data-flow analysis."""

Tools = Mapping[str, Callable[..., Awaitable[Any]]]
Run = Callable[[str, Tools], Awaitable[bool]]
"""Runs a script over functions and returns whether it succeeded."""


def main() -> None:
    """Print the milliseconds of each way and their ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--way', choices=_WAYS)
    parser.add_argument('--scripts', type=Path, help='a JSON list of the scripts that count')
    parser.add_argument('--times', type=int, default=5)
    options = parser.parse_args()
    if options.way:
        scripts = json.loads(options.scripts.read_text()) if options.scripts else _all_scripts()
        print(json.dumps(asyncio.run(_used(options.way, scripts))))
        return
    if not _PROGRAMS.is_dir():
        print(f'Without new scripts: {_PROGRAMS} is not there.')
        return
    scripts = [name for name, ran in _ask('raw')['ran'].items() if ran]
    print(f'{len(scripts)} scripts, {_ROUNDS} times each, in {options.times} processes of each way')
    chosen = Path('.new_scripts.json')
    chosen.write_text(json.dumps(scripts))
    try:
        times = [[_ask(way, chosen)['ms'] for way in _WAYS] for _ in range(options.times)]
    finally:
        chosen.unlink()
    for place, way in enumerate(_WAYS):
        taken, ratio = (
            median(values) for values in zip(*((row[place], row[place] / row[0]) for row in times), strict=True)
        )
        print(f'{way}: {taken:.2f} ms of processor time for a script, {ratio:.2f} times raw Monty')
    share = median(row[_WAYS.index('analysed')] / row[_WAYS.index('prepared')] for row in times) - 1
    print(f'The analysis of data flows adds {share:.0%} to preparing and checking.')


def _all_scripts() -> list[str]:
    return [path.stem for path in sorted((_PROGRAMS / 'cases').glob('g1_*.py'))]


def _ask(way: str, scripts: Path | None = None) -> dict[str, Any]:
    command = [sys.executable, '-m', 'benchmarks.new_scripts', '--way', way]
    command += ['--scripts', str(scripts)] if scripts else []
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])


async def _used(way: str, names: list[str]) -> dict[str, Any]:
    """Return the milliseconds of processor time per script, and the names of the scripts that succeeded."""
    sys.path.insert(0, str(_PROGRAMS))
    programs: Any = import_module('tools')
    texts = {name: (_PROGRAMS / 'cases' / f'{name}.py').read_text() for name in names}
    stubs = {name: programs.stub(name) for name in programs.NAMES}
    async with _RUNS[way](stubs) as run:
        ran = {name: await run(text, programs.Tools().namespace()) for name, text in texts.items()}
        before = processor_time()
        for number in range(_ROUNDS):
            for text in texts.values():
                await run(f'# {number}\n{text}', programs.Tools().namespace())
        taken = processor_time() - before
    return {'ms': taken * 1000 / len(texts) / _ROUNDS, 'ran': ran}


@asynccontextmanager
async def _ours(stubs: Mapping[str, str]) -> AsyncGenerator[Run]:
    functions = Table({name: Function(name, stub) for name, stub in stubs.items()})
    async with Sandbox() as sandbox:

        async def run(text: str, tools: Tools) -> bool:
            async def answer(call: Call) -> Any:
                try:
                    return await tools[call.function](*call.args, **call.kwargs)
                except Exception as error:
                    raise ToolError(type(error).__name__, str(error)) from error

            async with sandbox.session() as session:
                return isinstance(await session.run(text, functions, answer), Completed)

        yield run


@asynccontextmanager
async def _prepared(stubs: Mapping[str, str], *, follows_data: bool = False) -> AsyncGenerator[Run]:
    functions = Table({name: Function(name, stub) for name, stub in stubs.items()})
    async with Sandbox() as sandbox:

        async def run(text: str, tools: Tools) -> bool:
            async with sandbox.session() as session:
                is_right = await session.check(text, functions) is None
                return is_right and (not follows_data or analyse([text], stubs.__contains__).is_complete)

        yield run


@asynccontextmanager
async def _floor(stubs: Mapping[str, str]) -> AsyncGenerator[Run]:
    modules = {f'_{name}': ExternalModule({name: None}, stubs=stub) for name, stub in stubs.items()}
    limits: ResourceLimits = {'max_suspensions': 1_000_000_000}
    async with (
        _raw({}) as run,
        AsyncMonty(min_processes=0, max_processes=1) as pool,
        pool.checkout(type_check=True, type_check_format='json', external_modules=modules, limits=limits) as checker,
    ):

        async def checked(text: str, tools: Tools) -> bool:
            used = (f'from _{name} import {name}' for name in stubs if name in text)
            with suppress(MontyError):
                await checker.feed_run('\n'.join(["int('-')", *used, text]))
            return await run(text, tools)

        yield checked


@asynccontextmanager
async def _raw(stubs: Mapping[str, str]) -> AsyncGenerator[Run]:
    text_of_stubs = '\n'.join(stubs.values()) or None
    async with AsyncMonty(min_processes=0, max_processes=1) as pool:

        async def run(text: str, tools: Tools) -> bool:
            try:
                async with pool.checkout(type_check=bool(stubs), type_check_stubs=text_of_stubs) as session:
                    if stubs:
                        with suppress(MontyError):
                            # The first statement fails, so the code is checked but does not run.
                            await session.feed_run(f"int('-')\n{text}")
                    await _answered(await session.feed_start(text, skip_type_check=True), tools)
            except (MontyError, ArithmeticError, LookupError, OSError, TypeError, ValueError):
                return False
            return True

        yield run


_RUNS: Mapping[str, Callable[[Mapping[str, str]], AbstractAsyncContextManager[Run]]] = {
    'raw': lambda stubs: _raw({}),
    'checked': _raw,
    'floor': _floor,
    'toolscript': _ours,
    'prepared': _prepared,
    'analysed': partial(_prepared, follows_data=True),
}


async def _answered(snapshot: Any, tools: Tools) -> None:
    """Answer each call immediately, as a coroutine's result, until the script ends."""
    results = dict[int, Any]()
    while True:
        match snapshot:
            case AsyncNameLookupSnapshot():
                known = tools.get(snapshot.variable_name)
                snapshot = await (snapshot.resume() if known is None else snapshot.resume(value=known))
            case AsyncFunctionSnapshot():
                value = await tools[snapshot.function_name](*snapshot.args, **snapshot.kwargs)
                results[snapshot.call_id] = {'return_value': to_json(value)}
                snapshot = await snapshot.resume({'future': ...})
            case AsyncFutureSnapshot():
                snapshot = await snapshot.resume({number: results[number] for number in snapshot.pending_call_ids})
            case _:
                return


def processor_time() -> float:
    """Return the seconds used by this process and its children; those of children in hundredths."""
    children = [one.cpu_times() for one in psutil.Process().children(recursive=True)]
    return time.process_time() + sum(times.user + times.system for times in children)


if __name__ == '__main__':
    main()
