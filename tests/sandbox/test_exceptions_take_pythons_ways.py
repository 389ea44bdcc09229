"""Programs made at random that raise, catch, leave and end in all sorts of ways go through the same places as in CPython."""

import pytest

from tests.sampling import share
from tests.sandbox.exception_programs import program
from tests.sandbox.guest_cases import Case, disagreement, in_python, in_sandbox

pytestmark = pytest.mark.anyio

SEEDS = range(7_000, 7_080)


@share(4)
async def test_exceptions_go_the_ways_that_they_go_in_python(one_in: int) -> None:
    seeds = SEEDS[::one_in]
    programs = [program(seed) for seed in seeds]
    differing = list[str]()
    for seed, text, python in zip(seeds, programs, in_python(programs), strict=True):
        sandbox, _ = await in_sandbox(text)
        told = disagreement(Case('', seed, text), python, sandbox)
        if told is not None:
            differing.append(f'seed {seed}: {told}\n{text}')
    assert not differing, differing[0]


def test_the_programs_raise_and_catch_what_they_are_about() -> None:
    endings = in_python([program(seed) for seed in SEEDS])
    printed = ''.join(ending.printed for ending in endings)
    assert all(name in printed for name in ('Deep', 'Own', 'KeyError', 'FileNotFoundError', 'finally', 'exit'))
    assert any(ending.error for ending in endings)
    assert not all(ending.error for ending in endings)
