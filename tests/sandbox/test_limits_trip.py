"""Each limit trips against the real thing, and its message names it."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest
from inline_snapshot import snapshot

from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Call, Completed, Failed, Limits, Sandbox, ToolError

pytestmark = pytest.mark.anyio


async def _failed(code: str, limits: Limits) -> tuple[str, bool]:
    async with Sandbox.shared().session(limits=limits) as session:
        outcome = await session.run(code, TABLE, answer)
        assert isinstance(outcome, Failed), outcome
        assert outcome.error.kind == 'limit', outcome.error
        after = await session.run('1 + 1', TABLE, answer)
        assert isinstance(after, Completed)
    return outcome.error.message, outcome.session_lost


async def test_script_seconds() -> None:
    assert await _failed('while True: pass', Limits(max_script_seconds=1)) == snapshot(
        (
            """\
Limit max_script_seconds: the script computed longer than 1 s. Look for a loop that does not end, or do less at once.
The session was reset: earlier variables are gone.\
""",
            True,
        )
    )


LONG = """
import asyncio, resource
from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Limits, Sandbox
async def main():
    async with Sandbox(warm=0) as sandbox, sandbox.session(limits=Limits(max_script_seconds=1)) as session:
        print((await session.run('10 ** 10 ** 8', TABLE, answer)).error.message.split('.')[0])
asyncio.run(main())
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
"""


def test_an_operation_that_takes_long_is_stopped_after_twice_the_time_and_not_tried_again() -> None:
    # In a process of its own, in which no other worker ends. The operation alone takes about six seconds.
    done = subprocess.run([sys.executable, '-c', LONG], capture_output=True, text=True, check=True, timeout=100)
    message, seconds = done.stdout.splitlines()
    assert message == 'Limit max_script_seconds: the script computed longer than 1 s'
    assert float(seconds) < 3


async def test_script_seconds_count_what_the_script_makes_the_host_do() -> None:
    nap = 'async def nap():\n    await asyncio.sleep(0)'
    code = f'import asyncio\n{nap}\nawait asyncio.gather(*[nap() for _ in range(100_000)])'
    assert await _failed(code, Limits(max_script_seconds=1)) == snapshot(
        (
            """\
Limit max_script_seconds: the script kept the host busy longer than 1 s; call and sleep less often.
The session was reset: earlier variables are gone.\
""",
            True,
        )
    )


async def test_script_seconds_do_not_count_what_tools_and_sleeps_take() -> None:
    async def slow(call: Call) -> Any:
        await asyncio.sleep(1.2)
        return await answer(call)

    both = 'await asyncio.gather(get_user(1), asyncio.sleep(1.2))'
    code = f'import asyncio, time\nawait get_user(1)\ntime.sleep(1.2)\n{both}\n1'
    async with Sandbox.shared().session(limits=Limits(max_script_seconds=3)) as session:
        outcome = await session.run(code, TABLE, slow)
    assert isinstance(outcome, Completed)


async def test_memory_bytes() -> None:
    assert await _failed("x = 'a' * 10 ** 9", Limits(max_memory_bytes=10_000_000)) == snapshot(
        (
            """\
Limit max_memory_bytes: the session needed more than 10,000,000 bytes. Keep less data at once.
The session was reset: earlier variables are gone.\
""",
            True,
        )
    )


async def test_calls() -> None:
    code = 'for i in range(9):\n    await get_user(i)'
    assert await _failed(code, Limits(max_calls=3)) == snapshot(
        (
            """\
Limit max_calls: the snippet made more than 3 calls; this one of get_user was not run.
Calls: get_user finished (3 times).\
""",
            False,
        )
    )


async def test_printed_chars() -> None:
    code = "for i in range(9999):\n    print('x' * 100)"
    assert await _failed(code, Limits(max_stdout_chars=5_000)) == snapshot(
        ('Limit max_stdout_chars: the script printed more than 5,000 characters. Print less.', False)
    )


async def test_sleep_seconds() -> None:
    assert await _failed('import asyncio\nawait asyncio.sleep(99)', Limits(max_sleep_seconds=1)) == snapshot(
        ('Limit max_sleep_seconds: the script slept more than 1 s in all.', False)
    )


async def test_result_bytes() -> None:
    assert await _failed("'x' * 999", Limits(max_result_bytes=100)) == snapshot(
        (
            'Limit max_result_bytes: the result has more than 100 bytes, 100 are allowed. The variable `result_1` has all of it. '
            'Return less of it: a slice, a count, a summary.',
            False,
        )
    )


async def test_argument_bytes() -> None:
    assert await _failed("await translate('x' * 999, 'de')", Limits(max_argument_bytes=100)) == snapshot(
        ('Limit max_argument_bytes: the arguments of translate have more than 100 bytes, 100 are allowed.', False)
    )


async def test_recursion_depth() -> None:
    assert await _failed('def f(n):\n    return f(n + 1)\nf(0)', Limits()) == snapshot(
        (
            'Limit max_recursion_depth: functions called each other more than 10,000 deep, or a dozen deep through builtins '
            '(`sorted(xs, key=f)`, `repr(x)`). Use a loop, or look for a recursion that does not end.',
            False,
        )
    )


@pytest.mark.parametrize(
    'words',
    [
        'time limit exceeded',
        'the server says: feed time limit exceeded: 5s > 1s',
        'memory limit exceeded: 9 bytes > 1 bytes',
        'the worker exceeded its memory limit',
        'maximum recursion depth exceeded',
    ],
)
async def test_an_error_that_only_sounds_like_a_limit_is_told_as_what_it_is_and_takes_no_variables(words: str) -> None:
    async def fail(call: Call) -> Any:
        raise ToolError('ValueError', words)

    async with Sandbox.shared().session() as session:
        await session.run('kept = 1', TABLE, answer)
        outcome = await session.run('await get_user(1)', TABLE, fail)
        assert isinstance(outcome, Failed)
        assert (outcome.error.kind, outcome.error.type_name, outcome.session_lost) == ('runtime', 'ValueError', False)
        assert f'ValueError: {words}' in outcome.error.message
        assert isinstance(await session.run('kept', TABLE, answer), Completed)


async def test_code_chars() -> None:
    assert await _failed('x = 1\n' * 99, Limits(max_code_chars=100)) == snapshot(
        ('The snippet is longer than 100 characters (max_code_chars).', False)
    )


async def test_thousands_of_calls_run_where_they_are_allowed() -> None:
    code = 'n = 0\nfor i in range(3000):\n    n += len(await list_files())\nn'
    async with Sandbox.shared().session(limits=Limits(max_calls=3000)) as session:
        outcome = await session.run(code, TABLE, answer)
    assert isinstance(outcome, Completed)
    assert outcome.value == 9000


async def test_no_more_calls_are_in_flight_than_allowed() -> None:
    import asyncio

    from toolscript_sandbox import Call

    now = most = 0

    async def watch(call: Call) -> object:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1
        return await answer(call)

    code = 'import asyncio\nlen(await asyncio.gather(*[get_user(i) for i in range(40)]))'
    async with Sandbox.shared().session(limits=Limits(max_concurrent_calls=4)) as session:
        outcome = await session.run(code, TABLE, watch)
    assert isinstance(outcome, Completed)
    assert (outcome.value, most) == (40, 4)
