"""A sandbox that will be needed starts in advance, on no event loop, and leaves nothing behind."""

import asyncio
from pathlib import Path

import pytest

from benchmarks.processes import children
from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Completed, Sandbox

pytestmark = pytest.mark.skipif(not Path('/proc/self/stat').exists(), reason='looks into /proc')


async def _one_snippet(sandbox: Sandbox) -> bool:
    async with sandbox.session() as session:
        return isinstance(await session.run('1 + 1', TABLE, answer), Completed)


def test_a_worker_that_was_started_ahead_serves_the_first_snippet_on_any_event_loop() -> None:
    before = children()
    sandbox = Sandbox()

    async def ahead() -> None:
        sandbox.start_ahead()
        sandbox.start_ahead()

    async def use() -> set[int]:
        await sandbox.start()
        started = children() - before
        assert await _one_snippet(sandbox)
        assert children() - before == started
        await sandbox.close()
        return started

    # The event loop on which it started has ended by then.
    asyncio.run(ahead())
    assert len(asyncio.run(use())) >= 2
    assert children() - before == set()


def test_a_sandbox_closed_while_it_starts_leaves_no_process_and_may_start_again() -> None:
    before = children()

    async def begin_and_close() -> None:
        sandbox = Sandbox()
        for _ in range(2):
            sandbox.start_ahead()
            await sandbox.close()
            assert children() - before == set()
        assert await _one_snippet(sandbox)
        await sandbox.close()

    asyncio.run(begin_and_close())
    assert children() - before == set()


def test_nothing_starts_ahead_without_idle_workers() -> None:
    before = children()
    sandbox = Sandbox(warm=0)
    sandbox.start_ahead()

    async def use() -> None:
        await sandbox.close()
        assert (sandbox.stats.checks, children() - before) == (0, set())
        assert await _one_snippet(sandbox)
        await sandbox.close()

    asyncio.run(use())
