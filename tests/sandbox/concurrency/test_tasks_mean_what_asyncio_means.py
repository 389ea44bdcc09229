"""Programs with tasks, beside CPython: results, prints, and when calls start, end and are cancelled."""

from pathlib import Path

import pytest

from .both import Seen, in_monty, in_python

PROGRAMS = [
    pytest.param(program, id=f'{path.stem}-{number}')
    for path in sorted((Path(__file__).parent / 'programs').glob('*.py'))
    for number, program in enumerate(path.read_text().split('# ---\n'), 1)
]


@pytest.mark.parametrize('program', PROGRAMS)
def test_a_program_does_the_same_in_both(program: str) -> None:
    assert in_monty(program) == in_python(program)


DECISIONS = (Path(__file__).parent / 'programs' / 'decisions.py').read_text().split('# ---\n')


@pytest.mark.parametrize('program', DECISIONS)
def test_what_waits_for_decisions_comes_to_the_same(program: str) -> None:
    # The last one that waits is decided first, so that what they print comes in another order.
    asked, straight = in_monty(program, pauses=True), in_python(program)
    assert (asked.value, asked.error) == (straight.value, straight.error)
    assert sorted(asked.printed.splitlines()) == sorted(straight.printed.splitlines())
    assert _ended(asked) == _ended(straight)


def _ended(seen: Seen) -> list[str]:
    words = [entry.split() for entry in seen.log]
    return sorted(name for _, what, name in words if what == 'end')
