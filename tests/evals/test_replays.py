"""Published plans by each route: the same calls, the same results, the same final state."""

import asyncio

import pytest

from demo.installation import CannotInstall
from evals.measuring.tokenizer import estimate
from evals.replays.bfcl import Task, tasks
from evals.replays.replay import difference, replay
from evals.routes import route_named


@pytest.fixture(scope='module')
def task() -> Task:
    try:
        return tasks()[5]
    except CannotInstall:
        pytest.skip('needs the package bfcl-eval')


@pytest.mark.parametrize('route', ['direct', 'code', 'code + search'])
def test_a_published_plan_gives_the_same_state_by_each_route(task: Task, route: str) -> None:
    played = asyncio.run(replay(task, route_named(route), estimate()))
    assert played.error is None
    assert played.requests >= 2 * len(task.turns)


def test_a_missing_call_a_different_result_and_a_different_state_are_detected(task: Task) -> None:
    calls = [call for turn in task.turns for call in turn.calls]
    expected, shorter, other = task.open(), task.open(), task.open()
    for call in calls:
        expected.call(call)
        other.call(call)
    for call in calls[:-1]:
        shorter.call(call)
    assert difference(expected, other) is None
    assert difference(expected, shorter) == f'{len(calls) - 1} calls instead of {len(calls)}'
    vars(next(iter(other.objects.values())))['changed'] = True
    assert difference(expected, other) == 'the final state differs'
    other.results[0] = (str(calls[0]), 'another')
    assert str(difference(expected, other)).startswith('call 0: ')
