"""Each limit stops a real script, and its message names it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.table import TABLE, answer
from tests.sandbox.outcomes import completed, failed, run_script
from tests.sandbox.processes import run_program
from tests.text_cases import TextCase, text_cases
from toolscript_sandbox import Call, Limits, Sandbox, ToolError


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('limits.txt')), ids=str)
async def test_a_limit_stops_the_script_and_its_message_names_the_limit(case: TextCase) -> None:
    """The limits are in the first line."""
    limits, _, code = case.given.partition('\n')
    async with Sandbox.shared().session(limits=Limits(**json.loads(limits))) as session:
        outcome = failed(await session.run(code, TABLE, answer))
        assert (outcome.error.kind, outcome.error.message) == ('limit', case.expected)
        assert outcome.session_lost == ('The session was reset' in case.expected)
        completed(await session.run('1 + 1', TABLE, answer))


LONG = """
import asyncio, resource
from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Limits, Sandbox
async def main():
    limits = Limits(max_script_seconds=0.5, max_memory_bytes=2_000_000_000)
    async with Sandbox(warm=0) as sandbox, sandbox.session(limits=limits) as session:
        print((await session.run('10 ** (5 * 10 ** 8)', TABLE, answer)).error.message.split('. ')[0])
        print(sandbox.stats.workers_lost)
asyncio.run(main())
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
"""


def test_a_long_operation_is_stopped_after_twice_the_time_and_not_retried() -> None:
    # In a separate process, in which no other worker ends. The operation alone takes a minute.
    message, lost, seconds = run_program(LONG).stdout.splitlines()
    assert message == 'Limit max_script_seconds: the script computed longer than 0.5 s'
    assert lost == '1'
    # It computes a little longer if the watching process gets no processor.
    assert float(seconds) < 5


async def test_the_time_of_tools_and_sleeps_does_not_count_as_script_time() -> None:
    async def slow(call: Call) -> Any:
        await asyncio.sleep(1.2)
        return await answer(call)

    both = 'await asyncio.gather(get_user(1), asyncio.sleep(1.2))'
    code = f'import asyncio, time\nawait get_user(1)\ntime.sleep(1.2)\n{both}\n1'
    completed(await run_script(code, TABLE, slow, limits=Limits(max_script_seconds=3)))


async def test_a_cancelled_sleep_counts_only_as_far_as_it_was_slept() -> None:
    code = 'import asyncio\nlong = asyncio.create_task(asyncio.sleep(59.999))\nawait asyncio.sleep(0)\nlong.cancel()\n'
    completed(await run_script(f'{code}await asyncio.sleep(0.01)', TABLE, answer))


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
async def test_an_error_that_only_sounds_like_a_limit_is_reported_unchanged_and_keeps_the_variables(words: str) -> None:
    async def fail(call: Call) -> Any:
        raise ToolError('ValueError', words)

    async with Sandbox.shared().session() as session:
        await session.run('kept = 1', TABLE, answer)
        outcome = failed(await session.run('await get_user(1)', TABLE, fail))
        assert (outcome.error.kind, outcome.error.type_name, outcome.session_lost) == ('runtime', 'ValueError', False)
        assert f'ValueError: {words}' in outcome.error.message
        completed(await session.run('kept', TABLE, answer))


async def test_thousands_of_calls_run_if_they_are_allowed() -> None:
    code = 'n = 0\nfor i in range(1500):\n    n += len(await list_files())\nn'
    assert completed(await run_script(code, limits=Limits(max_calls=1500))).value == 4500


async def test_no_more_calls_than_allowed_are_in_flight() -> None:
    now = most = 0

    async def watch(call: Call) -> object:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1
        return await answer(call)

    code = 'import asyncio\nlen(await asyncio.gather(*[get_user(i) for i in range(40)]))'
    outcome = completed(await run_script(code, TABLE, watch, limits=Limits(max_concurrent_calls=4)))
    assert (outcome.value, most) == (40, 4)
