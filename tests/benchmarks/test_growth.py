"""One more item costs a bounded number of operations, however many there are. Operations are counted, not timed."""

import asyncio
import inspect
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from pydantic_ai import Agent, FunctionToolset, ToolCallPart

import toolscript
import toolscript_sandbox
import toolscript_signatures
from tests.benchmarks.growth import GROWTHS
from tests.toolscript.scripted import Script, play, run_code
from toolscript import CodeModeToolset, MemoryStore, Snapshots
from toolscript_sandbox import Function, Limits
from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.transforms.preparation import prepared

OWN = tuple(
    str(Path(package.__file__ or '').parent) for package in (toolscript, toolscript_sandbox, toolscript_signatures)
)


async def _own_calls(more: str, size: int) -> int:
    """Return how many functions are called by functions of this project, on all threads."""
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call') and is_own(frame)

    async with GROWTHS[more](size) as action:
        if more != 'scripts of a session':
            await action()
        before = sys.getprofile()
        # Threads that exist already would not be watched.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            await action()
        finally:
            sys.setprofile(before)
            threading.setprofile(None)
    return count


@pytest.mark.parametrize(
    ('more', 'few', 'each'),
    [
        ('all tools shown', 40, 20),
        ('all tools deferred', 40, 30),
        ('runs at once', 1, 5_000),
        ('characters of a script', 2_000, 2.3),
        ('scripts of a session', 5, 6),
        ('bytes of a result', 50_000, 0.05),
    ],
)
async def test_one_more_item_costs_a_bounded_number_of_calls(more: str, few: int, each: float) -> None:
    some, twice, thrice = [await _own_calls(more, few * times) for times in (1, 2, 3)]
    assert thrice - twice <= each * few
    # The varying part grows linearly. A run in a busy moment takes a step or two more.
    assert thrice - twice <= 1.1 * (twice - some) + 200


class Nothing(dict[str, Function]):
    def hint(self, name: str, /) -> str | None:
        return None


def test_a_check_reads_a_bounded_part_of_the_session() -> None:
    memory, lengths = Memory(), list[int]()
    for number in range(300):
        snippet = prepared(f'value_{number} = [{number}] * {number}', Nothing(), memory)
        memory = memory.after(snippet, ())
        lengths.append(sum(map(len, memory.history)))
    assert lengths[100] > lengths[10]
    assert max(lengths) <= 4_000


# -- calls and steps of this project's own functions: their count is linear

LOOP = 'for n in range({calls}):\n    total = await add(a=n, b=2)\ntotal'
GATHER = 'import asyncio\nlen(await asyncio.gather(*[add(a=n, b=2) for n in range({calls})]))'


def is_own(frame: FrameType) -> bool:
    """Return whether the frame belongs to a function of this project."""
    return frame.f_code.co_filename.startswith(OWN)


async def own_calls(turns: Sequence[ToolCallPart], *, together: int = 1) -> int:
    """How many functions are called by functions of this project while an agent plays these turns.

    The tool answers `together` calls at the same moment: the steps of a gather do not depend on who is faster.
    """
    count = started = 0
    all_started = asyncio.Event()

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call') and is_own(frame)

    async def add(a: int, b: int) -> int:
        nonlocal started
        started += 1
        if started >= together:
            all_started.set()
        await all_started.wait()
        return a + b

    snapshots = Snapshots(key='the key of the tests', store=MemoryStore())
    limits = Limits(max_concurrent_calls=100)
    toolset = CodeModeToolset(FunctionToolset[object]([add]), snapshots=snapshots, limits=limits)
    script = Script([*turns])
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        await Agent(script.model, deps_type=object, toolsets=[toolset]).run('go')
    finally:
        sys.setprofile(before)
    assert all(isinstance(answer, int) for answer in script.answers), script.answers
    return count


@pytest.mark.parametrize('code', [LOOP, GATHER])
async def test_each_further_call_costs_the_same(code: str) -> None:
    _, some, more, most = [
        await own_calls([run_code(code.format(calls=calls))], together=calls if code is GATHER else 1)
        for calls in (1, 20, 50, 80)
    ]
    # The host may receive the calls in one step or in several. A step takes about 31 functions.
    assert most - more <= 1.1 * (more - some) + 31 * 10


async def test_each_further_step_costs_the_same() -> None:
    turns = [[run_code(f'{n} + {steps}') for n in range(steps)] for steps in (1, 3, 6, 9)]
    _, some, twice, thrice = [await own_calls(turn) for turn in turns]
    # One of them may also end workers of earlier tests, or replace a worn type checker.
    assert thrice - twice <= 1.1 * (twice - some) + 500


@pytest.mark.parametrize('code', [LOOP, GATHER])
async def test_few_frames_are_between_call_tool_and_the_tool(code: str) -> None:
    chains = list[list[str]]()

    async def add(a: int, b: int) -> int:
        others = [name for task in asyncio.all_tasks() for name in awaiting(task.get_coro())]
        names = [*others, *reversed([*calling(inspect.currentframe())])]
        chains.append(names[names.index('CodeModeToolset.call_tool') :])
        return a + b

    await play(CodeModeToolset(FunctionToolset[object]([add])), run_code(code.format(calls=1)))
    (chain,) = chains
    assert chain[-1] == 'CodeToolset.call_tool'
    assert len(chain) <= 14, chain


def awaiting(work: Any) -> Iterator[str]:
    """Return the functions of this project that a suspended task is in, the outermost first."""
    while work is not None and getattr(work, 'cr_await', None) is not None:
        if is_own(work.cr_frame):
            yield work.cr_frame.f_code.co_qualname
        work = work.cr_await


def calling(frame: FrameType | None) -> Iterator[str]:
    """Return the functions of this project that the running task is in, the innermost first."""
    while frame is not None:
        if is_own(frame):
            yield frame.f_code.co_qualname
        frame = frame.f_back
