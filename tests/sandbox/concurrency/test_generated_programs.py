"""Programs that chance wrote do the same here as in CPython, in the order in which they do it."""

import gc
import sys

import pytest

from tests.sampling import sampled

from .both import Seen, in_monty, in_python
from .generated import program


@pytest.mark.skipif(sys.version_info >= (3, 12), reason='later versions take other turns around what is over already')
@pytest.mark.filterwarnings('ignore:coroutine .* was never awaited:RuntimeWarning')
@pytest.mark.parametrize('start', sampled(range(0, 60, 10), 2))
def test_programs_by_chance_do_the_same_in_both(start: int) -> None:
    for seed in range(start, start + 10):
        code = program(seed)
        assert _settled(in_monty(code), code) == _settled(in_python(code), code), f'seed {seed}\n{code}'
    gc.collect()  # What a cancelled task never awaited is told of here.


def _settled(seen: Seen, code: str) -> tuple[object, ...]:
    """What is settled: a group cancels its tasks in no order, for it keeps them in a set."""
    lines, started = seen.stdout.splitlines(), list(seen.started)
    if 'TaskGroup' in code:
        lines, started = sorted(lines), sorted(started)
    return seen.value, lines, seen.error, started, seen.log
