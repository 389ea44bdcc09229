"""A process that forks keeps its workers, and its child gets an error with advice instead of waiting forever."""

import os

import pytest

from tests.sandbox.processes import run_program

REFUSED = "this process was forked from one that had used the sandbox, so it lacks its workers and threads; fork before a run that offers code begins, or start processes with 'spawn' or 'forkserver'"
pytestmark = pytest.mark.skipif(not hasattr(os, 'fork'), reason='there is no fork here')

PROGRAM = """\
import asyncio, gc, os, warnings
from tests.sandbox.tables import NOTHING, table
from toolscript_sandbox import Sandbox, Unavailable

async def use(sandbox):
    async with sandbox.session() as session:
        await session.run('1', NOTHING, None)
        return session.worker.worker_pid

async def attempt(sandbox):
    try:
        return await use(sandbox)
    except Unavailable as error:
        return str(error)

# Python 3.12 warns of each fork beside threads, which is what is tried here.
warnings.filterwarnings('ignore', '.*fork', DeprecationWarning)

def forked(child):
    if process := os.fork():
        os.waitpid(process, 0)
    else:
        try:
            child()
        finally:
            os._exit(0)

def say(text):
    print(text, flush=True)

"""

USED_BEFORE = """\
own = Sandbox()

def child():
    say(asyncio.run(attempt(Sandbox.shared())))
    say(asyncio.run(attempt(own)) == asyncio.run(attempt(Sandbox.shared())))
    asyncio.run(own.close())
    # What a child drops, its parent must still have.
    globals().pop('own')
    gc.collect()

before = [asyncio.run(use(Sandbox.shared())), asyncio.run(use(own))]
forked(child)
say(before == [asyncio.run(use(Sandbox.shared())), asyncio.run(use(own))])
"""

USED_AFTER = """\
forked(lambda: say(asyncio.run(use(Sandbox.shared())) > 0))
say(asyncio.run(use(Sandbox.shared())) > 0)
"""

FORKED_WHILE_IT_STARTS = """\
own = Sandbox()
own.start_ahead()
forked(lambda: say(asyncio.run(attempt(own))))
say(asyncio.run(use(own)) > 0)
"""

FORKED_IN_A_SCRIPT = """\
async def in_a_script():
    async def forks(call):
        forked(gc.collect)
        return 1
    async with Sandbox.shared().session() as session:
        functions = table('async def fork() -> int: ...')
        return (await session.run('await fork() + await fork()', functions, forks)).value

say(asyncio.run(in_a_script()))
"""


def output_of(program: str) -> list[str]:
    done = run_program(PROGRAM + program)
    assert (done.returncode, done.stderr) == (0, '')
    return done.stdout.splitlines()


def test_a_child_forked_after_use_is_refused_and_takes_nothing_from_its_parent() -> None:
    assert output_of(USED_BEFORE) == [REFUSED, 'True', 'True']


def test_a_child_forked_before_use_has_its_own_sandbox() -> None:
    assert output_of(USED_AFTER) == ['True', 'True']


def test_a_child_forked_while_a_sandbox_starts_is_refused_without_waiting() -> None:
    assert output_of(FORKED_WHILE_IT_STARTS) == [REFUSED, 'True']


def test_a_script_continues_when_one_of_its_functions_forks() -> None:
    assert output_of(FORKED_IN_A_SCRIPT) == ['2']
