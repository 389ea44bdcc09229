"""Many runs of agents, most of which fail, and whether they leave anything behind.

    python -m benchmarks.soak --runs 3000
    python -m benchmarks.soak --minutes 10

Ten agents at a time run scripts that succeed, fail, never end, are cancelled, exceed their memory, keep the type
checker busy, or whose worker is killed. Memory, open files, processes and tasks are counted after a tenth of the runs
and at the end; the exit code is 1 unless they have not grown and each good run succeeded.

Only tasks waiting in code of this project count: a pydantic-ai run cancelled as it starts may leave one behind.
"""

import argparse
import asyncio
import gc
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import FunctionToolset

import toolscript
import toolscript_sandbox
from benchmarks.processes import children, resident
from toolscript import CodeModeToolset, Limits, Sandbox

AT_ONCE = 10
IDLE_SECONDS = 1.0
GROWTH_BYTES = 48 * 1024 * 1024
"""The heap growth of a Python process that does not indicate a leak."""
_BRANCHES = 'import random\nx = 0\n' + '\n'.join(f'if random.random() > 0.{i + 1}: x = [x]' for i in range(30))
SCRIPTS = {
    'good': 'import asyncio\nsum(await asyncio.gather(*[add(i, 1) for i in range(5)]))',
    'fails': 'x = await add(1, 2)\nx["key"]',
    'is refused': 'await add("a")',
    'is no Python': 'x = = 1',
    'never ends': 'while True: pass',
    'is cancelled': 'while True: pass',
    'is cancelled in a call': 'await slow()',
    'needs memory': 'x = []\nwhile True: x.append([0] * 1000)',
    'gives too much': "a = ['x' * 1000] * 100\nb = [a] * 100\nc = [b] * 100\nc",
    'keeps the checker busy': _BRANCHES,
    'loses its worker': 'await die()',
}
LIMITS = Limits(max_script_seconds=1, max_memory_bytes=30_000_000, cancel_grace_seconds=0.1)
UNHURRIED = replace(LIMITS, max_script_seconds=60)
"""For runs that must succeed, even on a busy machine."""
WEIGHTS = {'good': 10, 'never ends': 0.5, 'needs memory': 0.5, 'keeps the checker busy': 0.3}


@dataclass(frozen=True)
class Footprint:
    processes: int
    files: int
    tasks: int
    """Tasks waiting in code of this project."""
    bytes: int
    """Memory of this process."""
    bytes_of_workers: int
    """Memory of all its child processes."""

    @classmethod
    async def now(cls) -> 'Footprint':
        """Measure the footprint after idle processes have ended."""
        await asyncio.sleep(IDLE_SECONDS * 3)
        gc.collect()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        workers, files = children(), len(os.listdir('/proc/self/fd'))
        return cls(
            processes=len(workers),
            files=files,
            tasks=sum(map(_waits_in_ours, tasks)),
            bytes=_bytes(resident()),
            bytes_of_workers=_bytes(sum(map(resident, workers))),
        )

    def grown_to(self, later: 'Footprint') -> list[str]:
        """Return the names of the resources that have grown."""
        room = {name: GROWTH_BYTES if name.startswith('bytes') else 1 for name in asdict(self)}
        return [name for name, more in room.items() if getattr(later, name) > getattr(self, name) + more]


@dataclass(frozen=True)
class Soak:
    sandbox: Sandbox
    seen: Counter[str]
    wrong: list[str]

    async def one(self, kind: str) -> None:
        self.seen[kind] += 1
        limits = UNHURRIED if kind == 'good' else LIMITS
        toolset = CodeModeToolset(_tools(), sandbox=self.sandbox, limits=limits)
        agent = Agent(FunctionModel(_played(SCRIPTS[kind])), toolsets=[toolset])
        try:
            if kind.startswith('is cancelled'):
                await asyncio.wait_for(agent.run('go'), 0.05)
            else:
                output = (await agent.run('go')).output
                if kind == 'good' and output != '15' and not any(text in output for text in _BEREFT):
                    self.wrong.append(output)
        except TimeoutError:
            return
        except Exception as error:
            self.wrong.append(f'{kind}: {error!r}')

    async def all(self, kinds: Iterator[str]) -> None:
        """Run agents concurrently until there are no more kinds."""
        await asyncio.gather(*[self._worker(kinds) for _ in range(AT_ONCE)])

    async def footprint(self) -> Footprint:
        """Measure the footprint with a worker and a checker running, even if the last ones were killed."""
        await self.one('good')
        return await Footprint.now()

    async def _worker(self, kinds: Iterator[str]) -> None:
        for kind in kinds:
            await self.one(kind)


_BEREFT = ('The sandbox is gone', 'could not be checked')
# Another agent's script killed this one's worker or checker; both get an error.


def _tools() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    async def add(a: int, b: int) -> int:
        return a + b

    @toolset.tool_plain
    async def slow() -> None:
        await asyncio.sleep(1000)

    @toolset.tool_plain
    async def die() -> None:
        for child in random.sample(sorted(children()), 1):
            os.kill(child, signal.SIGKILL)

    assert callable(add)
    assert callable(slow)
    assert callable(die)
    return toolset


def _played(code: str) -> Callable[[list[ModelMessage], AgentInfo], ModelResponse]:
    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse([ToolCallPart('run_code', {'code': code})])
        return ModelResponse([TextPart(str(getattr(messages[-1].parts[0], 'content', '')))])

    return play


def _kinds(runs: int | None, minutes: float | None) -> Iterator[str]:
    end = time.monotonic() + (minutes or 0) * 60
    names, weights = list(SCRIPTS), [WEIGHTS.get(kind, 1) for kind in SCRIPTS]
    chosen = random.Random(1)
    for number in count():
        if (number >= runs) if runs is not None else (time.monotonic() > end):
            return
        yield chosen.choices(names, weights)[0]


def _waits_in_ours(task: asyncio.Task[Any]) -> bool:
    """Return whether a task waits in a function of this project."""
    waiting: Any = task.get_coro()
    while (frame := getattr(waiting, 'cr_frame', None) or getattr(waiting, 'ag_frame', None)) is not None:
        if frame.f_code.co_filename.startswith(_OWN):
            return True
        waiting = getattr(waiting, 'cr_await', None) or getattr(waiting, 'ag_await', None)
    return False


_OWN = tuple(str(Path(package.__file__ or '').parent) for package in (toolscript, toolscript_sandbox))


def _bytes(megabytes: float) -> int:
    return round(megabytes * 2**20)


async def main(runs: int | None, minutes: float | None) -> int:
    begin = time.monotonic()
    async with Sandbox(idle_seconds=IDLE_SECONDS, check_seconds=1) as sandbox:
        soak = Soak(sandbox, Counter(), [])
        tenth = (max(AT_ONCE * 3, runs // 10), None) if runs is not None else (None, (minutes or 0) / 10)
        await soak.all(_kinds(*tenth))
        before = await soak.footprint()
        await soak.all(_kinds(runs, minutes))
        after = await soak.footprint()
        print(f'{soak.seen.total():,} runs in {time.monotonic() - begin:.0f} s\n')
        for kind, times in soak.seen.most_common():
            print(f'{times:>8,} {kind}')
        print(f'\n{"":18}{"after a tenth":>16}{"at the end":>16}')
        for name, held in asdict(before).items():
            print(f'{name:18}{held:>16,}{getattr(after, name):>16,}')
        print(f'\n{sandbox.stats}')
    grown = before.grown_to(after)
    for text in [*(f'{name} grew' for name in grown), *soak.wrong[:10]]:
        print(text)
    return 1 if grown or soak.wrong else 0


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    group = parser.add_mutually_exclusive_group()
    group.add_argument('--runs', type=int, default=300)
    group.add_argument('--minutes', type=float)
    given = parser.parse_args()
    sys.exit(asyncio.run(main(None if given.minutes else given.runs, given.minutes)))
