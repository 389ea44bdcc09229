"""A script cannot fill the host's queue: excess turns are refused, and accepted ones run."""

from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.execution.protocol import Returned
from toolscript_sandbox.execution.scheduler import MAX_PASSES, MAX_TURNS, Scheduler
from toolscript_sandbox.execution.state import State
from toolscript_sandbox.language.snippet import Code, Snippet


def saved(scheduler: Scheduler) -> Scheduler:
    return State.from_bytes(State(Snippet('', Code('')), Memory(), scheduler=scheduler).to_bytes()).scheduler


def test_the_queue_is_bounded_and_has_room_again_after_turns_end() -> None:
    ready = Scheduler()
    taken = [ready.soon(job) for job in range(1, MAX_TURNS + 2)]
    assert taken == [*[True] * MAX_TURNS, False]
    ready.park(7, 0, None, [])
    assert ready.pop({7}) == (7, Returned(1))
    assert (ready.soon(1), ready.soon(2)) == (True, False)


def test_a_saved_queue_continues_with_the_same_turns() -> None:
    ready = Scheduler()
    assert ready.soon(1)
    assert ready.soon(2)
    again = saved(ready)
    again.park(7, 0, None, [])
    assert again.pop({7}) == (7, Returned(1))
    again.park(8, 0, None, [])
    assert again.pop({8}) == (8, Returned(2))


def test_wakes_beyond_the_bound_are_refused_until_earlier_ones_end() -> None:
    ready = Scheduler()
    for call in (7, 8, 9):
        ready.park(call, call, None, [])
    assert [ready.wake(7, 10**12), ready.wake(7, MAX_PASSES), ready.wake(8, 2)] == [False, True, False]
    again = saved(ready)
    for queue in (ready, again):
        assert not queue.wake(8, 2)
        assert queue.pop({7}) == (7, Returned(True))
        assert queue.wake(8, 2)
