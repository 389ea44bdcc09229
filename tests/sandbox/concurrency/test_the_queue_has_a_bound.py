"""A script cannot fill the host's queue: what is too much is refused, and what was taken still runs."""

from toolscript_sandbox.running.ready_queue import MOST_PASSES, MOST_TURNS, Ready


def test_the_queue_takes_so_many_turns_and_then_more_when_some_are_over() -> None:
    ready = Ready(lambda: 0.0)
    taken = [ready.soon(job) for job in range(1, MOST_TURNS + 2)]
    assert taken == [*[True] * MOST_TURNS, False]
    ready.park(7, 0, None, [])
    assert ready.pop({7}) == (7, {'return_value': 1})
    assert (ready.soon(1), ready.soon(2)) == (True, False)


def test_a_queue_that_was_kept_goes_on_with_the_same_turns() -> None:
    ready = Ready(lambda: 0.0)
    assert ready.soon(1)
    assert ready.soon(2)
    again = Ready.from_json(ready.to_json(), lambda: 5.0)
    again.park(7, 0, None, [])
    assert again.pop({7}) == (7, {'return_value': 1})
    again.park(8, 0, None, [])
    assert again.pop({8}) == (8, {'return_value': 2})


def test_turns_are_passed_over_so_often_and_then_nobody_is_woken_until_some_passes_are_over() -> None:
    ready = Ready(lambda: 0.0)
    for call in (7, 8, 9):
        ready.park(call, call, None, [])
    assert [ready.wake(7, 10**12), ready.wake(7, MOST_PASSES), ready.wake(8, 2)] == [False, True, False]
    again = Ready.from_json(ready.to_json(), lambda: 0.0)
    for queue in (ready, again):
        assert not queue.wake(8, 2)
        assert queue.pop({7}) == (7, {'return_value': True})
        assert queue.wake(8, 2)
