"""Programs with tasks, beside CPython: results, prints, and when calls start, end and are cancelled.

`# with N = 1, 2` in the first line of a program: it is one program for each of these.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from .both import Seen, in_monty, in_python


def _programs(path: Path) -> Iterator[str]:
    for program in path.read_text().split('# ---\n'):
        first, _, rest = program.partition('\n')
        given = re.fullmatch(r'# with (\w+) = (.+)', first)
        yield from [f'{given[1]} = {value}\n{rest}' for value in given[2].split(', ')] if given else [program]


PROGRAMS = [
    pytest.param(program, id=f'{path.stem}-{number}')
    for path in sorted((Path(__file__).parent / 'programs').glob('*.py'))
    for number, program in enumerate(_programs(path), 1)
]


@pytest.mark.parametrize('program', PROGRAMS)
def test_a_program_does_the_same_in_both(program: str) -> None:
    assert in_monty(program) == in_python(program)


DECISIONS = (Path(__file__).parent / 'programs' / 'decisions.py').read_text().split('# ---\n')


@pytest.mark.parametrize('program', DECISIONS)
def test_what_waits_for_decisions_comes_to_the_same(program: str) -> None:
    # The last one that waits is decided first, so that what they print comes in another order.
    asked, straight = in_monty(program, waits=lambda call: call.function == 'ask'), in_python(program)
    assert (asked.value, asked.error) == (straight.value, straight.error)
    assert sorted(asked.stdout.splitlines()) == sorted(straight.stdout.splitlines())
    assert _ended(asked) == _ended(straight)


def _ended(seen: Seen) -> list[str]:
    words = [entry.split() for entry in seen.log]
    return sorted(name for _, what, name in words if what == 'end')
