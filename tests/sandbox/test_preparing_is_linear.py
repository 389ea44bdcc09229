"""To prepare a snippet takes work in proportion to its length, whatever it is made of."""

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from tests.sandbox.tables import Table
from toolscript_sandbox.checking.unawaited import unawaited
from toolscript_sandbox.contract.functions import Function
from toolscript_sandbox.contract.limits import Limits
from toolscript_sandbox.contract.outcomes import Failed
from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.execution.preparation import Asked, Prepared
from toolscript_sandbox.language.syntax import module_of
from toolscript_sandbox.transforms.preparation import prepared

TOOLS = Table(
    tool=Function('tool', 'async def tool(x: int) -> int: ...', False),
    now=Function('now', 'def now(x: int) -> int: ...', True),
)
SHAPES = {
    'sorted': ('def f(x): return x\nx = [1]\n', 'y@ = sorted(x, key=f)\n'),
    'mapped': ('def f(x): return now(x)\nx = [1]\n', 'y@ = list(map(f, x))\n'),
    'functions': ('', 'def f@(a, b):\n    return a + b\n'),
    'classes': ('', 'class C@:\n    def m(self): return 1\n'),
    'heirs': ('class C:\n    pass\n', 'class D@(C):\n    def m(self): return 1\n'),
    'wide characters': ('', "x@ = 'é' + str(@); y@ = x@.is_integer()\n"),
    'one long line': ('x = [', '"é@", ', ']'),
    'methods': ('x = 1.0\n', 'x.is_integer()\n'),
    'errors': ('class E(Exception): pass\n', 'try:\n    pass\nexcept E as e:\n    pass\n'),
    'loops': ('xs = []\n', 'for i@, x in enumerate(xs): pass\n'),
    'generators': ('', 'def g@(n):\n    for i in range(n):\n        yield i\n'),
    'expressions': ('xs = []\n', 'a@ = any(x > @ for x in xs)\n'),
    'awaits': ('', 'a@ = await tool(@)\n'),
    'comparisons': ('class A:\n    def __lt__(self, o): return True\n', 'z = A() < A()\n'),
    'properties': ('class A:\n    @property\n    def p(self): return 1\na = A()\n', 'a.p\n'),
    'tasks': ('import asyncio\n', 't@ = asyncio.create_task(tool(@))\nr@ = t@.result()\n'),
    'deleted': ('d = {}\n', 'del d["@"]\n'),
    'comprehensions': ('', 'm@ = [x for x in [@]]\n'),
    'sums': ('', 'row@ = {"id": @, "total": @ * 1.5, now(@): 2}\nrow@["id"] |= 1\n'),
}


def _text(shape: str, times: int) -> str:
    head, part, *tail = SHAPES[shape]
    return head + ''.join(part.replace('@', str(number)) for number in range(1000, 1000 + times)) + ''.join(tail)


def lines_run(work: Callable[[], object]) -> int:
    """Lines of Python that were run."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize('shape', SHAPES)
def test_twice_the_text_takes_twice_the_work(shape: str) -> None:
    small, large = _text(shape, 60), _text(shape, 120)
    prepared(small, TOOLS)
    once = lines_run(lambda: prepared(small + '# again', TOOLS))
    twice = lines_run(lambda: prepared(large, TOOLS))
    assert twice < 2.4 * once


def test_to_look_for_what_is_not_awaited_takes_twice_the_work_for_twice_the_calls() -> None:
    small, large = (
        module_of(''.join(f'a{number} = tool({number})\nprint(a{number})\n' for number in range(times)))
        for times in (60, 120)
    )
    once = lines_run(lambda: unawaited(small, {'tool'}.__contains__))
    twice = lines_run(lambda: unawaited(large, {'tool'}.__contains__))
    assert twice < 2.4 * once


def test_an_f_string_that_python_reads_in_quadratic_time_is_refused_unread() -> None:
    before = time.thread_time()
    refused = Asked('x = f"' + '{1}' * 60_000 + '"', TOOLS, Limits(max_code_chars=200_000), {}, Memory()).prepared()
    assert isinstance(refused, Failed)
    assert refused.error.kind == 'limit'
    assert refused.error.message.startswith('A text has more fields in braces')
    # To read it takes two seconds and more before Python 3.12.
    assert time.thread_time() - before < 0.5


def test_many_braces_that_are_no_f_string_are_read() -> None:
    text = 'x = [' + '{"a": 1}, ' * 9_000 + ']\ny = f"{x}"'
    assert isinstance(Asked(text, TOOLS, Limits(), {}, Memory()).prepared(), Prepared)
