"""Sleeps of tasks that start in one turn end in the order of their lengths, however slow the host is."""

from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.execution.protocol import Returned
from toolscript_sandbox.execution.scheduler import Scheduler
from toolscript_sandbox.execution.state import State
from toolscript_sandbox.language.snippet import Code, Snippet


def saved(scheduler: Scheduler) -> Scheduler:
    return State.from_bytes(State(Snippet('', Code('')), Memory(), scheduler=scheduler).to_bytes()).scheduler


def two_sleeps(*, apart: float) -> Scheduler:
    """Call 7 sleeps for 0.03 s, and call 8 for 0.02 s, but the host starts call 8 this many seconds later."""
    ready = Scheduler()
    ready.sleep(7, 0.03)
    ready.now = apart
    ready.sleep(8, 0.02)
    return ready


def test_sleeps_end_in_the_order_of_their_lengths_although_the_host_is_slow() -> None:
    ready = two_sleeps(apart=0.02)
    ready.now = 0.035
    left = ready.settle_timers([])
    assert (left is not None and round(left, 6), ready.pop({7, 8})) == (0.005, None)
    ready.now = 0.05
    again = saved(ready)
    for queue in (ready, again):
        assert queue.settle_timers([]) is None
        assert [queue.pop({7, 8}), queue.pop({7, 8})] == [(8, Returned(None)), (7, Returned(None))]


def test_the_computing_time_of_a_script_counts() -> None:
    ready = two_sleeps(apart=0.4)
    ready.now = 0.5
    assert ready.settle_timers([]) is None
    assert [ready.pop({7, 8}), ready.pop({7, 8})] == [(7, Returned(None)), (8, Returned(None))]
