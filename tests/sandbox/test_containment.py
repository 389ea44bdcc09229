"""Dying workers, dispatchers that never return, cancelled callers: the host and other sessions continue."""

import asyncio
import os
import signal
from itertools import product
from typing import Any

import pytest

from tests.corpus.table import TABLE, answer
from tests.sampling import sampled
from tests.sandbox.outcomes import completed, failed, run_script
from tests.sandbox.processes import run_program
from toolscript_sandbox import Call, Sandbox, ToolError

PROGRAMS = {
    'one run': 'asyncio.run(use(Sandbox.shared()))',
    'two loops': 'asyncio.run(use(Sandbox.shared())); asyncio.run(use(Sandbox.shared()))',
    'many sessions': 'async def many():\n    for _ in range(5): await use(Sandbox.shared())\nasyncio.run(many())',
    'at once': 'async def many():\n    await asyncio.gather(*[use(Sandbox.shared()) for _ in range(5)])\nasyncio.run(many())',
    'own sandbox': 'async def own():\n    async with Sandbox() as sandbox: await use(sandbox)\nasyncio.run(own())',
    'never closed': 'async def own():\n    await use(Sandbox())\nasyncio.run(own())',
    'session left open': "async def left():\n    await Sandbox.shared().session().run('1', NOTHING, None)\nasyncio.run(left())",
    'in a thread': 't = threading.Thread(target=lambda: asyncio.run(use(Sandbox.shared())))\nt.start(); t.join()',
    'in daemon threads': (
        'ts = [threading.Thread(target=lambda: asyncio.run(use(Sandbox.shared())), daemon=True) for _ in range(3)]\n'
        'for t in ts: t.start()\nfor t in ts: t.join()'
    ),
    'left running': (
        "async def left():\n    t = asyncio.create_task(use(Sandbox.shared(), 'while True: pass'))\n"
        '    await asyncio.sleep(0.2)\nasyncio.run(left())'
    ),
    'left in the library': (
        'code = \'import re\\nre.search("(a|aa)+$", "a" * 60 + "b")\'\n'
        'async def left():\n    t = asyncio.create_task(use(Sandbox.shared(), code))\n'
        '    await asyncio.sleep(0.3)\nasyncio.run(left())'
    ),
}
SCRIPTS = {
    'tasks': 'import asyncio\nsum(await asyncio.gather())',
    'library': (
        'import statistics\nfrom datetime import datetime\nfrom zoneinfo import ZoneInfo\n'
        "[statistics.mean([1, 3]), datetime(2026, 7, 1, tzinfo=ZoneInfo('Europe/Paris')).isoformat()]"
    ),
}

_FRAME = """\
import asyncio, threading
from tests.sandbox.tables import NOTHING
from toolscript_sandbox import Completed, Sandbox

async def use(sandbox, code=SCRIPT):
    async with sandbox.session() as session:
        for _ in range(3): assert type(await session.run(code, NOTHING, None)) is Completed

"""


@pytest.mark.parametrize(('program', 'script'), sampled(product(PROGRAMS, SCRIPTS), 5))
def test_short_programs_end_properly(program: str, script: str) -> None:
    done = run_program(_FRAME.replace('SCRIPT', repr(SCRIPTS[script])) + PROGRAMS[program])
    assert done.returncode == 0, done.stderr


async def test_a_killed_worker_is_an_outcome_and_the_next_snippet_gets_another() -> None:
    async with Sandbox.shared().session() as session, Sandbox.shared().session() as other:
        await other.run('z = 1', TABLE, answer)

        async def kill(call: Call) -> Any:
            assert session.worker is not None
            pid = session.worker.worker_pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            return await answer(call)

        outcome = failed(await session.run('await get_user(1)', TABLE, kill))
        assert (outcome.error.kind, outcome.session_lost) == ('crash', True)
        assert [record.status for record in outcome.calls] == ['finished']
        completed(await session.run('1 + 1', TABLE, answer))
        completed(await other.run('z', TABLE, answer))


async def test_cancellation_is_safe_at_any_moment() -> None:
    code = 'import asyncio\nfor i in range(3):\n    x = await asyncio.gather(get_user(1), get_user(2))\nlen(x)'

    async def slow(call: Call) -> Any:
        await asyncio.sleep(0.002)
        return await answer(call)

    for step in range(15):
        async with Sandbox.shared().session() as session:
            running = asyncio.create_task(session.run(code, TABLE, slow))
            await asyncio.sleep(0.001 * step)
            running.cancel()
            await asyncio.wait([running])
            completed(await session.run('1 + 1', TABLE, answer))


async def test_an_exception_of_the_dispatcher_ends_the_snippet_and_cancels_its_siblings() -> None:
    cancelled, all_run = list[int](), asyncio.Barrier(3)

    async def fail(call: Call) -> Any:
        await all_run.wait()
        if call.id == 2:
            raise ZeroDivisionError('a bug of the host')
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(call.id)
            raise

    with pytest.raises(ZeroDivisionError, match='a bug of the host'):
        await run_script('import asyncio\nawait asyncio.gather(*[get_user(i) for i in range(3)])', dispatch=fail)
    assert sorted(cancelled) == [1, 3]


async def test_no_text_of_a_tool_is_mistaken_for_a_coroutine_of_the_script() -> None:
    async def log(call: Call) -> Any:
        return '<coroutine object get_user>'

    assert completed(await run_script('await get_user(1)', dispatch=log)).value == '<coroutine object get_user>'


async def test_no_text_of_a_tool_is_mistaken_for_an_exception_of_the_script() -> None:
    code = (
        "class Mine(Exception): pass\n\ntry:\n    raise Mine('first')\nexcept Mine:\n    pass\n\n"
        'try:\n    await get_user(1)\nexcept Mine as error:\n    seen = str(error)\n'
        'except RuntimeError as error:\n    seen = str(error)\nseen'
    )

    async def fail(call: Call) -> Any:
        raise ToolError('RuntimeError', '\x001\x00Mine\x00hi')

    assert completed(await run_script(code, TABLE, fail)).value == '\ufffd1\x00Mine\x00hi'


async def test_calls_in_flight_may_finish_when_the_script_fails() -> None:
    all_run = asyncio.Barrier(3)

    async def uneven(call: Call) -> Any:
        await all_run.wait()
        await asyncio.sleep(0.02 * call.id)
        return await answer(call)

    code = 'import asyncio\nasync def bad():\n    await get_user(9)\n    raise ValueError("x")\n'
    outcome = failed(await run_script(f'{code}await asyncio.gather(bad(), get_user(1), get_user(2))', dispatch=uneven))
    assert [record.status for record in outcome.calls] == ['finished', 'finished', 'finished']


async def test_sessions_never_share_state() -> None:
    async def alone(number: int) -> Any:
        async with Sandbox.shared().session() as session:
            await session.run(f'x = {number}', TABLE, answer)
            await asyncio.sleep(0.01)
            return completed(await session.run('x', TABLE, answer)).value

    assert await asyncio.gather(*[alone(n) for n in range(10)]) == list(range(10))


async def test_an_argument_that_cannot_be_sent_raises_a_type_error_in_the_script() -> None:
    code = 'class A:\n    def __hash__(self):\n        return 1\nawait run_query("q", [{A()}])'
    outcome = failed(await run_script(code))
    assert (outcome.error.type_name, outcome.calls) == ('TypeError', ())


@pytest.mark.parametrize('code', ['-' * 50_000 + '1', '[' * 5_000, 'x' + '.a' * 45_000])
async def test_values_that_are_nested_too_deeply_are_refused_with_a_message(code: str) -> None:
    async with Sandbox.shared().session() as session:
        outcome = failed(await session.run(code, TABLE, answer))
        assert 'MemoryError' not in outcome.error.message
        assert 'Nothing was run.' in outcome.error.message
        completed(await session.run('1', TABLE, answer))
