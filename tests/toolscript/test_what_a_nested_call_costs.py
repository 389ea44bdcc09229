"""What a call of a script takes of this project's own functions, counted: a bound for each, however many there are."""

import asyncio
import inspect
import sys
import typing
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest
from pydantic_ai import FunctionToolset, ToolReturn

from tests.toolscript.counting import is_own, own_calls, watched
from tests.toolscript.scripted import play, run_code
from toolscript import CodeModeToolset, MemoryStore, Snapshots

pytestmark = pytest.mark.anyio

LOOP = 'for n in range({calls}):\n    total = await add(a=n, b=2)\ntotal'
GATHER = 'import asyncio\nlen(await asyncio.gather(*[add(a=n, b=2) for n in range({calls})]))'


@pytest.mark.parametrize(('code', 'most'), [(LOOP, 180), (GATHER, 208)])
async def test_a_nested_call_takes_a_bounded_number_of_calls(code: str, most: int) -> None:
    await own_calls([run_code(code.format(calls=1))])
    few, many = [await own_calls([run_code(code.format(calls=calls))]) for calls in (50, 150)]
    assert many - few < 100 * most


@pytest.mark.parametrize(('code', 'most'), [(LOOP, 365), (GATHER, 360)])
async def test_so_does_one_of_which_a_store_is_told(code: str, most: int) -> None:
    numbers = list[int]()
    for calls in (1, 40, 80):
        snapshots = Snapshots(key='the key of the tests', store=MemoryStore())
        numbers.append(await own_calls([run_code(code.format(calls=calls))], snapshots=snapshots))
    assert numbers[2] - numbers[1] < 40 * most


@pytest.mark.parametrize('code', [LOOP, GATHER])
async def test_few_frames_stand_between_call_tool_and_the_tool(code: str) -> None:
    chains = list[list[str]]()

    async def add(a: int, b: int) -> int:
        """Add two numbers."""
        others = [name for task in asyncio.all_tasks() for name in awaiting(task.get_coro())]
        names = [*others, *reversed([*calling(inspect.currentframe())])]
        chains.append(names[names.index('CodeModeToolset.call_tool') :])
        return a + b

    await play(CodeModeToolset(FunctionToolset[object]([add])), run_code(code.format(calls=1)))
    (chain,) = chains
    assert chain[-1] == 'CodeToolset.call_tool'
    assert len(chain) <= 14, chain


def awaiting(work: Any) -> Iterator[str]:
    """The functions of this project that a suspended task is in, the outermost first."""
    while work is not None and getattr(work, 'cr_await', None) is not None:
        if is_own(work.cr_frame):
            yield work.cr_frame.f_code.co_qualname
        work = work.cr_await


def calling(frame: FrameType | None) -> Iterator[str]:
    """The functions of this project that the running task is in, the innermost first."""
    while frame is not None:
        if is_own(frame):
            yield frame.f_code.co_qualname
        frame = frame.f_back


@pytest.mark.parametrize('store', [False, True])
async def test_what_a_tool_gives_crosses_to_the_script_once(store: bool) -> None:
    crossed = dict[int, list[Any]]()

    def profile(frame: FrameType, event: str, arg: object) -> None:
        if event == 'call' and frame.f_code.co_qualname == 'serialize':
            # It goes on in the same frame once a thread has done its work.
            crossed[id(frame.f_locals['value'])] = frame.f_locals['value']

    def rows(many: int) -> list[dict[str, int]]:
        return [{'id': number} for number in range(many)]

    snapshots = Snapshots(key='the key of the tests', store=MemoryStore() if store else None)
    toolset = CodeModeToolset(FunctionToolset[object]([rows]), snapshots=snapshots)
    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        script = await play(toolset, run_code('len(await rows(many=10_000)) + len(await rows(many=1_000))'))
    finally:
        sys.setprofile(before)
    assert script.answers == [11_000]
    assert [len(value) for value in crossed.values()] == [10_000, 1_000]


async def test_a_state_is_made_without_a_look_at_what_earlier_calls_left() -> None:
    steps = list[int]()

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        # One function makes each state; what it goes over, it goes over in itself or in what it contains.
        if 'ScriptState.to_bytes' not in frame.f_code.co_qualname:
            return None
        steps.extend([0] if frame.f_code.co_name == 'to_bytes' and event == 'call' else [])
        steps[-1] += event == 'opcode'
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return trace

    def add(a: int, b: int) -> ToolReturn[int]:
        """Add two numbers."""
        return ToolReturn(a + b, metadata={'a': a})

    snapshots = Snapshots(key='the key of the tests', store=MemoryStore())
    toolset = CodeModeToolset(FunctionToolset[object]([add]), snapshots=snapshots)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        script = await play(toolset, run_code(LOOP.format(calls=200)))
    finally:
        sys.settrace(before)
    assert script.answers == [201]
    assert len(steps) >= 200
    assert max(steps[160:]) <= max(steps[40:80])


async def test_nothing_that_is_noted_of_a_script_that_ends_is_validated() -> None:
    validated = list[str]()

    def watch(frame: FrameType, event: str, arg: object) -> None:
        made = frame.f_locals.get('__dataclass_self__')
        if event == 'call' and frame.f_code.co_name == '__init__' and made is not None:
            validated.append(type(made).__name__)

    await watched([run_code(LOOP.format(calls=2))], watch)
    assert validated == []


async def test_a_call_does_not_ask_anew_what_the_store_can_do() -> None:
    asked = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal asked
        code = frame.f_code
        asked += event == 'call' and (code.co_name, code.co_filename) == ('__instancecheck__', typing.__file__)

    numbers = list[int]()
    for calls in (1, 2, 12):
        asked = 0
        snapshots = Snapshots(key='the key of the tests', store=MemoryStore())
        await watched([run_code(LOOP.format(calls=calls))], watch, snapshots=snapshots)
        numbers.append(asked)
    # Some of what pydantic-ai does for each call asks so, too.
    assert numbers[2] - numbers[1] <= 10 * 5
