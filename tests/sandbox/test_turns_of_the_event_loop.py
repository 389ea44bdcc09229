"""Many runs and many calls leave the event loop to everybody else, turn by turn; who is alone never waits."""

import asyncio
from collections import Counter

import pytest

from tests.corpus.table import TABLE
from toolscript_sandbox import Call, Completed, Sandbox, wait_for_run_slot, wait_for_step_slot
from toolscript_sandbox.event_loop.loop_turns import BETWEEN_RUNS, CALLS

pytestmark = pytest.mark.anyio


class Turns:
    """Counts the turns of the event loop, as anything else on it has them."""

    def __init__(self) -> None:
        self.now = 0
        self._count()

    def _count(self) -> None:
        self.now += 1
        self._handle = asyncio.get_running_loop().call_soon(self._count)

    def end(self) -> None:
        self._handle.cancel()


async def test_the_first_of_many_runs_ends_before_most_have_begun() -> None:
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


async def test_a_run_begins_however_much_those_before_it_have_to_do() -> None:
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


async def test_who_was_cancelled_takes_the_turn_of_nobody() -> None:
    tasks = [asyncio.create_task(wait_for_step_slot()) for _ in range(6)]
    await asyncio.sleep(0)
    for task in tasks[1:5]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert [task.cancelled() for task in tasks] == [False, True, True, True, True, False]


async def test_calls_that_are_gathered_leave_turns_to_others() -> None:
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
