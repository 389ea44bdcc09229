"""Random programs about classes mean what they mean in CPython, or are refused before anything runs."""

from random import Random

import pytest

from tests.sampling import share
from tests.sandbox.class_programs import program
from tests.sandbox.guest_cases import in_python, in_sandbox

pytestmark = pytest.mark.anyio


@share(4)
async def test_random_class_programs_print_what_python_prints_or_are_refused(one_in: int) -> None:
    programs = [program(Random(seed)) for seed in range(0, 150, one_in)]
    same = 0
    for text, python in zip(programs, in_python(programs), strict=True):
        sandbox, _ = await in_sandbox(text)
        if sandbox.refused:
            assert sandbox.stdout == ''
        else:
            assert sandbox.stdout == python.stdout, text
            same += 1
    assert same > len(programs) // 4
