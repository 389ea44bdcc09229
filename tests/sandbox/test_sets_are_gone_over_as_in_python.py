"""Sets of numbers, made in all ways, are shown and taken apart in the order that CPython has."""

import random

import pytest

from tests.sandbox.guest_cases import in_python, in_sandbox

pytestmark = pytest.mark.anyio

_MADE = ['set(xs)', '{x for x in xs}', 'frozenset(xs)', '{*xs}', 'set(range(0, 90, 7))', 'set().union(xs)', '{LITERAL}']
_SHOWN = [
    'print(s, list(s), f"{s}")',
    'print(s | t, s & t, s - t, s ^ t, (s | t) - {max(ys)})',
    'print(s.union(ys), s.copy(), set(s), frozenset(s) | t)',
    'print({"k": s}, [s], list(enumerate(s)), *t)',
    'w = set(s)\nwhile w: print(w.pop())',
    'w = set(s)\nfor y in ys: w.add(y)\nprint(w, [w.pop() for _ in list(w)[1:]], w)',
]


def _program(seed: int) -> str:
    choose = random.Random(seed)
    most = choose.choice([10, 40, 1000, 10**6])
    xs = [choose.randint(-3 if choose.random() < 0.2 else 0, most) for _ in range(choose.randint(1, 14))]
    ys = [choose.randint(0, most) for _ in range(choose.randint(1, 10))]
    made = choose.choice(_MADE).replace('LITERAL', ', '.join(map(str, xs)))
    return f'xs, ys = {xs}, {ys}\ns, t = {made}, set(ys)\n{choose.choice(_SHOWN)}'


async def test_sets_of_numbers_have_pythons_order() -> None:
    programs = [_program(seed) for seed in range(100)]
    different = list[str]()
    for program, python in zip(programs, in_python(programs), strict=True):
        sandbox, _ = await in_sandbox(program)
        if sandbox.printed != python.printed or sandbox.error is not None:
            different.append(f'{program}\nPython: {python.printed}the sandbox: {sandbox.printed}{sandbox.error or ""}')
    assert different == []
