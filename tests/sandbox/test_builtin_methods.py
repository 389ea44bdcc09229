"""Each method, operator and builtin means for each kind of value what it means in CPython 3.11, odd arguments included.

A file of `methods/` has values, an empty line, and expressions in which `§` stands for each of the values.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sampling import share
from tests.sandbox.case_files import in_python, in_sandbox

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 12), reason='the measure of what is odd is Python 3.11')

_FILES = sorted((Path(__file__).parent / 'methods').glob('*.txt'))
_AT_ONCE = 100
_START = """
import cmath, collections, copy, functools, itertools, json, math
from datetime import date
from decimal import Decimal
"""


@share(8)
@pytest.mark.parametrize('text', [pytest.param(file.read_text(), id=file.stem) for file in _FILES])
async def test_expressions_give_the_same_results_as_in_python(text: str, one_in: int) -> None:
    expressions = list(_expressions(text))[::one_in]
    programs = [_program(expressions[place : place + _AT_ONCE]) for place in range(0, len(expressions), _AT_ONCE)]
    wrong = list[tuple[str, str, str]]()
    for place, python in enumerate(in_python(programs)):
        sandbox, _ = await in_sandbox(programs[place])
        assert sandbox.error is None, sandbox.error
        here = expressions[place * _AT_ONCE : (place + 1) * _AT_ONCE]
        meant, found = python.stdout.split(_END)[:-1], sandbox.stdout.split(_END)[:-1]
        wrong += [one for one in zip(here, meant, found, strict=True) if one[1] != one[2]]
    assert wrong == []


def _expressions(text: str) -> Iterator[str]:
    values, _, expressions = text.partition('\n\n')
    for expression in expressions.splitlines():
        filled = [expression.replace('§', f'({value})') for value in values.splitlines()]
        yield from (one for one in filled if _REFUSED not in one)


def _program(expressions: list[str]) -> str:
    return _START + ''.join(_TRIED.format(expression, repr(_END)) for expression in expressions)


_REFUSED = "(float('nan')) in "
"""CPython finds them by identity, which Monty's numbers lack."""
_END = '\x1e\n'
_TRIED = """
try:
    _value = {}
    print(type(_value).__name__, repr(_value), end={end})
except Exception as _error:
    print(type(_error).__name__, end={end})
""".replace('{end}', '{1}').replace('{}', '{0}')
