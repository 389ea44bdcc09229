"""What one thing more costs has a bound, however many there are. Operations are counted, not timed.

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
from tests.benchmarks.growth import GROWTHS
from toolscript_sandbox import Function
from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.transforms.preparation import prepared

pytestmark = pytest.mark.anyio

OWN = tuple(
    str(Path(package.__file__ or '').parent) for package in (toolscript, toolscript_sandbox, toolscript_signatures)
)


async def _own_calls(more: str, size: int) -> int:
    """How many functions are called by functions of this project, on all threads."""
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call') and frame.f_code.co_filename.startswith(OWN)

    async with GROWTHS[more](size) as action:
        if more != 'scripts of a session':
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
    ('more', 'few', 'each'),
    [
        ('all tools shown', 40, 20),
        ('all tools deferred', 40, 30),
        ('runs at once', 2, 5_000),
        ('characters of a script', 2_000, 2.3),
        ('scripts of a session', 5, 6),
        ('bytes of a result', 50_000, 0.05),
    ],
)
async def test_one_more_costs_a_bounded_number_of_calls(more: str, few: int, each: float) -> None:
    some, twice, thrice = [await _own_calls(more, few * times) for times in (1, 2, 3)]
    assert thrice - twice <= each * few
    # What is not the same for each grows in a straight line. A run that meets a busy moment takes a step or two more.
    assert thrice - twice <= 1.1 * (twice - some) + 200


class Nothing(dict[str, Function]):
    def hint(self, name: str, /) -> str | None:
        return None


def test_a_check_reads_a_bounded_part_of_what_the_session_ran() -> None:
    memory, lengths = Memory(), list[int]()
    for number in range(300):
        snippet = prepared(f'value_{number} = [{number}] * {number}', Nothing(), memory.earlier(memory.bound))
        memory = memory.after(snippet, ())
        lengths.append(sum(map(len, memory.history)))
    assert lengths[100] > lengths[10]
    assert max(lengths) <= 4_000
