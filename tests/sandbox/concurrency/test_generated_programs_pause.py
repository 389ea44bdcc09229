"""Programs that chance wrote, whose calls wait for decisions at random, come to what CPython makes of them without a pause."""

from random import Random

import pytest

from tests.sampling import sampled
from toolscript_sandbox import Call

from .both import Seen, in_monty, in_python
from .generated import patient_program


@pytest.mark.parametrize('start', sampled(range(10, 50, 10), 1))
def test_programs_that_pause_come_to_the_same(start: int) -> None:
    for seed in range(start, start + 10):
        code = patient_program(seed)
        asked = set[int]()

        def waits(call: Call, seed: int = seed, asked: set[int] = asked) -> bool:
            if Random(f'{seed} {call.id}').random() < 0.3:
                asked.add(call.id)
            return call.id in asked

        paused, straight = in_monty(code, waits=waits), in_python(code)
        assert _whole(paused) == _whole(straight), f'seed {seed}\n{code}'
        assert asked or len(straight.started) < 10, 'no call ever waited'


def _whole(seen: Seen) -> tuple[object, ...]:
    """What does not depend on who was faster."""
    ended = sorted(entry.split()[-1] for entry in seen.log if ' end ' in entry)
    return seen.value, sorted(seen.stdout.splitlines()), seen.error, ended, sorted(seen.started)
