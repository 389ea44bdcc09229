"""Turns of the event loop: each is bounded, long work runs elsewhere, calls that do not end are abandoned."""

import asyncio
import threading
import time
from collections import Counter
from contextlib import suppress

import anyio
import pytest

from tests.corpus.table import TABLE, answer
from tests.sandbox.outcomes import completed, run_script
from tests.sandbox.tables import Table
from toolscript_sandbox import Call, Completed, Function, Limits, Sandbox, wait_for_run_slot, wait_for_step_slot
from toolscript_sandbox.event_loop.loop_turns import BETWEEN_RUNS, CALLS
from toolscript_sandbox.event_loop.on_threads import run_in_thread


class Turns:
    """Counts the turns of the event loop that other tasks get."""

    def __init__(self) -> None:
        self.now = 0
        self._count()

    def _count(self) -> None:
        self.now += 1
        self._handle = asyncio.get_running_loop().call_soon(self._count)

    def end(self) -> None:
        self._handle.cancel()


async def test_the_first_of_many_runs_ends_before_most_have_started() -> None:
    begun, ended = list[int](), dict[int, int]()

    async def run(number: int) -> None:
        await wait_for_run_slot()
        begun.append(number)
        for _ in range(10):
            await wait_for_step_slot()
        ended[number] = len(begun)

    await asyncio.gather(*map(run, range(20)))
    assert begun == list(range(20))
    assert ended[0] <= 3
    assert list(ended.values()) == sorted(ended.values())


async def test_a_run_starts_however_much_work_earlier_ones_have() -> None:
    turns = Turns()

    async def long() -> None:
        for _ in range(10):
            await wait_for_step_slot()

    busy = [asyncio.create_task(long()) for _ in range(20)]
    await asyncio.sleep(0)
    await wait_for_run_slot()
    assert turns.now <= 4
    await wait_for_run_slot()
    assert turns.now <= BETWEEN_RUNS + 6
    turns.end()
    await asyncio.gather(*busy)


async def test_a_cancelled_wait_takes_no_turn() -> None:
    tasks = [asyncio.create_task(wait_for_step_slot()) for _ in range(6)]
    await asyncio.sleep(0)
    for task in tasks[1:5]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert [task.cancelled() for task in tasks] == [False, True, True, True, True, False]


async def test_gathered_calls_leave_turns_to_others() -> None:
    called = Counter[int]()

    async def answer(call: Call) -> dict[str, int]:
        called[turns.now] += 1
        return {'id': 1}

    async with Sandbox.shared().session() as session:
        turns = Turns()
        gathered = 'import asyncio\nlen(await asyncio.gather(*[get_user(user_id=n) for n in range(40)]))'
        outcome = await session.run(gathered, TABLE, answer)
        turns.end()
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == called.total() == 40
    # The counter and the calls share a turn in any order.
    assert max(called.values()) <= 2 * CALLS, called


async def test_only_one_thread_of_a_queue_computes_at_a_time() -> None:
    seen = list[str]()

    def work() -> None:
        seen.append('in')
        # Other threads continue meanwhile.
        time.sleep(0.001)
        seen.append('out')

    await asyncio.gather(*[run_in_thread(work) for _ in range(8)])
    assert seen == ['in', 'out'] * 8


async def test_short_work_does_not_wait_for_long_work() -> None:
    resume = threading.Event()
    long = asyncio.create_task(run_in_thread(lambda: resume.wait(300), long=True))
    await asyncio.sleep(0)
    await run_in_thread(resume.set)
    assert await long, 'what is short waited for what is long'


async def test_a_cancelled_wait_delays_no_other() -> None:
    resume = threading.Event()

    async def first() -> None:
        await run_in_thread(lambda: resume.wait(300))
        # The thread already belongs to the next one, which has not noticed yet.
        waiting[1].cancel()

    begun = asyncio.create_task(first())
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(run_in_thread(lambda: None)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    resume.set()
    await begun
    done, _ = await asyncio.wait(waiting, timeout=300)
    assert [task in done and not task.cancelled() for task in waiting] == [False, False, True]


@pytest.mark.parametrize(('lines', 'aside'), [(10, False), (150, False), (200, True), (2_000, True)])
async def test_a_large_snippet_is_prepared_and_checked_outside_the_event_loop(lines: int, aside: bool) -> None:
    here, seen = threading.get_ident(), set[int]()

    class Watching:
        def get(self, name: str, /) -> Function | None:
            seen.add(threading.get_ident())
            return TABLE.get(name)

        def hint(self, name: str, /) -> str | None:
            return TABLE.hint(name)

    code = '\n'.join(f'x{number} = sorted([{number}])' for number in range(lines)) + "\n(await get_user(1))['id']"
    completed(await run_script(code, Watching(), answer))
    assert bool(seen - {here}) == aside


FUNCTIONS = Table(wait=Function('wait', 'async def wait() -> str: ...\n'))


@pytest.mark.parametrize('by', ['its task', 'a scope of anyio'])
@pytest.mark.parametrize(
    ('code', 'first'), [('await wait()\nawait wait()', 1), ('import asyncio\nawait asyncio.gather(wait(), wait())', 2)]
)
async def test_cancelled_calls_end_within_their_grace_and_their_results_are_dropped(
    code: str, first: int, by: str
) -> None:
    begun, calls, left = asyncio.Event(), 0, 0

    async def wait(call: Call) -> str:
        nonlocal calls, left
        calls += 1
        if calls == first:
            begun.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        with anyio.CancelScope(shield=True):
            for _ in range(200):
                await asyncio.sleep(0)
        left += 1
        return 'all the same'

    async def run() -> None:
        with scope:
            await run_script(code, FUNCTIONS, wait, limits=Limits(cancel_grace_seconds=300))

    scope = anyio.CancelScope()
    task = asyncio.create_task(run())
    await begun.wait()
    (task if by == 'its task' else scope).cancel()
    await asyncio.wait([task])
    assert (task.cancelled() or scope.cancelled_caught, calls, left) == (True, first, first)
