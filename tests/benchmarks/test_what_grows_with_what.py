"""The curves of docs/benchmarks.md, counted instead of timed: what one thing more costs has a bound, however many there are.

That of the calls in a script is counted in `tests/toolscript/test_what_a_nested_call_costs.py`.
"""

import asyncio
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

import pytest

import toolscript
import toolscript_sandbox
import toolscript_signatures
from benchmarks.costs.growth import GROWTHS, Line
from toolscript_sandbox import Function
from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.language.analysis import Session
from toolscript_sandbox.preparation import prepared

pytestmark = pytest.mark.anyio

OWN = tuple(
    str(Path(package.__file__ or '').parent) for package in (toolscript, toolscript_sandbox, toolscript_signatures)
)


async def _own_calls(line: Line, size: int) -> int:
    """How many functions are called by functions of this project, on all threads."""
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call') and frame.f_code.co_filename.startswith(OWN)

    async with line.at(size) as action:
        if line.again:
            await action()
        before = sys.getprofile()
        # Threads that are there already would not be watched.
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
    ('curve', 'line', 'few', 'each'),
    [
        ('tools', 'all shown', 40, 20),
        ('tools', 'deferred', 40, 30),
        ('runs', 'toolscript', 2, 4_000),
        ('code', 'toolscript', 2_000, 2.3),
        ('session', 'toolscript', 5, 6),
        ('result', 'toolscript', 50_000, 0.05),
    ],
)
async def test_one_more_costs_a_bounded_number_of_calls(curve: str, line: str, few: int, each: float) -> None:
    way = GROWTHS[curve].lines[line]
    some, twice, thrice = [await _own_calls(way, few * times) for times in (1, 2, 3)]
    assert thrice - twice <= each * few
    # What is not the same for each grows in a straight line.
    assert thrice - twice <= 1.1 * (twice - some) + 50


class Nothing(dict[str, Function]):
    def hint(self, name: str, /) -> str | None:
        """Nothing."""
        return None


def test_a_check_reads_a_bounded_part_of_what_the_session_ran() -> None:
    memory, lengths = Memory(), list[int]()
    for number in range(300):
        snippet = prepared(f'value_{number} = [{number}] * {number}', Nothing(), Session(memory.bound))
        memory = memory.after(snippet, ())
        lengths.append(sum(map(len, memory.history)))
    assert lengths[100] > lengths[10]
    assert max(lengths) <= 4_000
