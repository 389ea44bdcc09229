"""Many runs and many calls leave the event loop to everybody else, turn by turn; who is alone never waits."""

import asyncio
import gc
import weakref
from collections import Counter

import pytest

from tests.corpus.table import TABLE
from toolscript_sandbox import Call, Completed, Sandbox, turn_for_step
from toolscript_sandbox.running.loop_turns import CALLS, turn_for_call

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
        await turn_for_step()
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


async def test_who_is_alone_never_waits() -> None:
    await asyncio.sleep(0)
    with pytest.raises(StopIteration):
        turn_for_step().send(None)


async def test_who_was_cancelled_takes_the_turn_of_nobody() -> None:
    tasks = [asyncio.create_task(turn_for_step()) for _ in range(6)]
    await asyncio.sleep(0)
    for task in tasks[1:5]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert [task.cancelled() for task in tasks] == [False, True, True, True, True, False]


def test_an_event_loop_that_ended_is_not_kept() -> None:
    loop = asyncio.new_event_loop()
    loop.run_until_complete(turn_for_step())
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
