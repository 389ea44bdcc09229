"""What is not kept of tasks is refused before anything runs, and what a cancellation is called stays."""

import pytest

from toolscript_sandbox import Failed, Sandbox

from .both import TABLE, in_monty, in_python

pytestmark = pytest.mark.anyio

DEADLINES = [
    "import asyncio\nawait asyncio.wait_for(tool('a', 1), 5)",
    "from asyncio import wait_for as bounded\nawait bounded(tool('a', 1), 5)",
    "import asyncio\nasync with asyncio.timeout(5):\n    await tool('a', 1)",
    "import asyncio\nawait asyncio.wait([asyncio.create_task(tool('a', 1))], timeout=5)",
    "import asyncio\noptions = {'timeout': 5}\nawait asyncio.wait([asyncio.create_task(tool('a', 1))], **options)",
    "import asyncio\nfor one in asyncio.as_completed([tool('a', 1)], timeout=5):\n    await one",
]


@pytest.mark.parametrize('code', DEADLINES)
async def test_a_script_that_may_be_replayed_sets_no_deadlines(code: str) -> None:
    started = list[str]()

    async def dispatch(call: object) -> str:
        started.append(str(call))
        return ''

    async with Sandbox.shared().session(ordered=True) as session:
        outcome = await session.run(code, TABLE, dispatch)
    assert isinstance(outcome, Failed)
    assert 'sets a deadline, and this script may be replayed' in outcome.error.message
    assert started == []


async def test_a_script_that_may_be_replayed_waits_without_deadlines() -> None:
    async def dispatch(call: object) -> str:
        return 'done'

    code = "import asyncio\ndone, _ = await asyncio.wait([asyncio.create_task(tool('a', 1))])\nlen(done)"
    async with Sandbox.shared().session(ordered=True) as session:
        outcome = await session.run(code, TABLE, dispatch)
    assert not isinstance(outcome, Failed), outcome.error.message


def test_a_handler_that_would_catch_cancellations_by_another_name_is_refused() -> None:
    seen = in_monty(
        "import asyncio\nt = asyncio.create_task(tool('a', 1))\ntry:\n    await t\nexcept SystemExit:\n    print('never')\n"
    )
    assert 'SystemExit cannot be told from a cancellation here' in (seen.error or '')
    assert seen.started == ()


NAMED = """import asyncio
t = asyncio.create_task(tool('a', 5))
await asyncio.sleep(1)
t.cancel('enough')
[got] = await asyncio.gather(t, return_exceptions=True)
async def group():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fail('b', 1))
try:
    await group()
except Exception as e:
    print(type(e).__name__, str(e))
print(repr(got), type(got).__name__, repr(1), type(1).__name__)
"""


def test_a_cancellation_has_its_name() -> None:
    assert in_monty(NAMED) == in_python(NAMED)
