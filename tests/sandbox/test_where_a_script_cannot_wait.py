"""What waits for the host is written out where a builtin would call it, or refused before anything runs."""

from dataclasses import dataclass, field

import pytest

from tests.sandbox.tables import Table
from toolscript_sandbox import Call, Completed, Failed, Function, Outcome, Sandbox

pytestmark = pytest.mark.anyio


TABLE = Table(
    {
        'ask': Function('ask', 'async def ask(name: str) -> str: ...\n'),
        'now': Function('now', 'def now(name: str) -> str: ...\n', sequential=True),
    }
)


@dataclass
class Dispatch:
    """Gives back what it is given, and notes it."""

    asked: list[str] = field(default_factory=list[str])

    async def __call__(self, call: Call) -> str:
        """The argument."""
        self.asked.append(str(call.args[0]))
        return str(call.args[0])


async def _run(code: str) -> tuple[Outcome, list[str]]:
    dispatch = Dispatch()
    async with Sandbox.shared().session() as session:
        return await session.run(code, TABLE, dispatch), dispatch.asked


WRITTEN_OUT = [
    ("sorted(['b', 'a'], key=lambda name: now(name))", ['a', 'b']),
    ("sorted(['b', 'a'], key=now, reverse=True)", ['b', 'a']),
    ("sorted([('x', 2), ('x', 1)], key=lambda pair: now(pair[0]))", [['x', 2], ['x', 1]]),
    ("xs = ['b', 'a']\nxs.sort(key=lambda name: now(name))\nxs", ['a', 'b']),
    ("[name for name in (now(name) for name in 'ab')]", ['a', 'b']),
    ("max(['b', 'a'], key=now)", 'b'),
    ("min(['b', 'a'], key=lambda name: now(name))", 'a'),
    ("list(map(lambda name: now(name), ['b', 'a']))", ['b', 'a']),
    ("list(filter(lambda name: now(name) == 'a', ['b', 'a']))", ['a']),
    ("def rank(name):\n    return now(name)\nsorted(['b', 'a'], key=rank)", ['a', 'b']),
    ('import statistics\nmax([[1, 2], [5]], key=statistics.mean)', [5]),
    ("import asyncio\nawait asyncio.gather(*map(lambda name: asyncio.create_task(ask(name)), 'ab'))", ['a', 'b']),
    (
        "import asyncio\ntasks = dict((n, asyncio.create_task(ask(n))) for n in 'ab')\n[await tasks[n] for n in 'ab']",
        ['a', 'b'],
    ),
]


@pytest.mark.parametrize(('code', 'value'), WRITTEN_OUT)
async def test_what_a_builtin_would_call_is_written_out(code: str, value: object) -> None:
    outcome, _ = await _run(code)
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == value


COROUTINES = [
    "[await coro for coro in map(lambda name: ask(name), 'ab')]",
    "def calls():\n    for name in 'ab':\n        yield ask(name)\n[await coro for coro in calls()]",
    "import asyncio\ncoros = (ask(name) for name in 'ab')\nawait asyncio.gather(*coros)",
]


@pytest.mark.parametrize('code', COROUTINES)
async def test_coroutines_may_be_made_anywhere(code: str) -> None:
    outcome, asked = await _run(code)
    assert isinstance(outcome, Completed), outcome
    assert (outcome.value, asked) == (['a', 'b'], ['a', 'b'])


_LOOP = 'cannot be called in a function that a builtin calls. Write a loop or a comprehension, and call it there.'
REFUSED = [
    ("from collections import defaultdict\nd = defaultdict(lambda: now('a'))", f'now {_LOOP}'),
    (
        "class Name:\n    def __str__(self):\n        return now('a')",
        'now cannot be called in __str__. Write a method, and call it by its name.',
    ),
    (
        'import asyncio, time\ndef work():\n    time.sleep(1)\nawait asyncio.to_thread(work)',
        'There are no threads here, and time.sleep would block everything. Write an `async def` function with '
        '`await asyncio.sleep(...)`.',
    ),
]


@pytest.mark.parametrize(('code', 'message'), REFUSED)
async def test_the_rest_is_refused_before_anything_runs(code: str, message: str) -> None:
    outcome, asked = await _run(f"await ask('first')\n{code}")
    assert isinstance(outcome, Failed)
    assert message in outcome.error.message
    assert asked == []


ABLE = [
    "class Name:\n    def __init__(self):\n        self.name = now('a')\n    def __call__(self):\n        return now(self.name)\nName()()",
    "','.join(now(name) for name in 'a')",
    "def one():\n    return now('a')\n[one() for _ in range(1)][0]",
]


@pytest.mark.parametrize('code', ABLE)
async def test_what_may_wait_is_left_alone(code: str) -> None:
    outcome, _ = await _run(code)
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == 'a'
