"""Statistics of any numbers are those of CPython, to the last digit."""

import random
import sys

import pytest

from tests.sandbox.guest_cases import in_python, in_sandbox

pytestmark = pytest.mark.anyio

_PROGRAM = """
import statistics as s
functions = [
    s.mean, s.median, s.median_low, s.median_high, s.median_grouped, s.variance, s.pvariance, s.stdev, s.pstdev, s.quantiles,
    s.mode, s.multimode, lambda d: s.quantiles(d, n=5, method='inclusive'), lambda d: s.variance(d, 3), NEWER
]
for data in DATA:
    for function in functions:
        try:
            print(repr(function(data)))
        except Exception as error:
            print(str(error))
"""
_NEWER = """
    s.fmean, s.geometric_mean, s.harmonic_mean, lambda d: s.covariance(d, d[::-1]), lambda d: s.correlation(d, d[::-1]),
    lambda d: s.linear_regression(d, d[::-1]), lambda d: s.fmean(d, d),
"""
"""Later Pythons compute these in another way than 3.11, which the sandbox follows."""


def _number(chance: random.Random) -> float:
    kinds = [
        chance.randint(-5, 20),
        round(chance.uniform(0, 100), 2),
        chance.uniform(-1e3, 1e3),
        chance.randint(1, 10**12),
    ]
    return chance.choice([*kinds, True, chance.uniform(0, 1e-8), 0.1])


async def test_statistics_of_any_numbers_are_those_of_python() -> None:
    chance = random.Random(7)
    data = [[_number(chance) for _ in range(chance.randint(0 if n % 5 else 2, 7))] for n in range(100)]
    if sys.version_info >= (3, 13):
        # One number has quantiles there, and none is told in other words.
        data = [values for values in data if len(values) > 1]
    newer = _NEWER if sys.version_info < (3, 12) else ''
    program = _PROGRAM.replace('DATA', repr(data)).replace('NEWER', newer)
    python, (sandbox, _) = in_python([program])[0], await in_sandbox(program)
    compared = zip(python.stdout.split('\n'), sandbox.stdout.split('\n'), strict=True)
    assert [(wanted, got) for wanted, got in compared if wanted != got] == []
