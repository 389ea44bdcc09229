"""Many runs and many calls leave the event loop to everybody else, turn by turn; who is alone never waits."""

import asyncio
import gc
import weakref
from collections import Counter
from collections.abc import Callable, Coroutine

import pytest

from tests.corpus.table import TABLE
from toolscript_sandbox import Call, Completed, Sandbox, wait_for_run_slot, wait_for_step_slot
from toolscript_sandbox.event_loop.loop_turns import BETWEEN_RUNS, CALLS, turn_for_call

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


async def test_a_turn_has_room_for_one_step_and_steps_come_in_the_order_of_asking() -> None:
    turns, had = Turns(), list[tuple[int, int]]()

    async def step(number: int) -> None:
        await wait_for_step_slot()
        had.append((turns.now, number))

    await asyncio.gather(*map(step, range(20)))
    turns.end()
    assert [number for _, number in had] == list(range(20))
    assert len({turn for turn, _ in had}) == 20


async def test_a_turn_has_room_for_several_calls() -> None:
    turns, had = Turns(), Counter[int]()

    async def call() -> None:
        await turn_for_call()
        had[turns.now] += 1

    await asyncio.gather(*[call() for _ in range(10 * CALLS)])
    turns.end()
    assert set(had.values()) == {CALLS}


@pytest.mark.parametrize('turn', [wait_for_run_slot, wait_for_step_slot, turn_for_call])
async def test_who_is_alone_never_waits(turn: Callable[[], Coroutine[None, None, None]]) -> None:
    await asyncio.sleep(0)
    with pytest.raises(StopIteration):
        turn().send(None)


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


async def test_a_run_that_was_cancelled_before_it_began_keeps_no_other_from_beginning() -> None:
    tasks = [asyncio.create_task(wait_for_run_slot()) for _ in range(4)]
    await asyncio.sleep(0)
    for task in tasks[1:3]:
        task.cancel()
    turns = Turns()
    await asyncio.gather(*tasks, return_exceptions=True)
    turns.end()
    assert [task.cancelled() for task in tasks] == [False, True, True, False]
    assert turns.now <= BETWEEN_RUNS + 3


async def test_who_was_cancelled_takes_the_turn_of_nobody() -> None:
    tasks = [asyncio.create_task(wait_for_step_slot()) for _ in range(6)]
    await asyncio.sleep(0)
    for task in tasks[1:5]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert [task.cancelled() for task in tasks] == [False, True, True, True, True, False]


def test_an_event_loop_that_ended_is_not_kept() -> None:
    loop = asyncio.new_event_loop()
    loop.run_until_complete(wait_for_step_slot())
    loop.close()
    ended = weakref.ref(loop)
    del loop
    gc.collect()
    assert ended() is None


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
