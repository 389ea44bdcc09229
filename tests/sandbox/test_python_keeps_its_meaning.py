"""One program for each way in which the sandbox provides Python: by Monty, a transform, a polyfill, the host, or a refusal."""

import pytest

from tests.sandbox.guest_cases import in_sandbox

pytestmark = pytest.mark.anyio

_OWN_EXCEPTION = """\
class Missing(Exception):
    def __init__(self, name):
        super().__init__(name)
        self.name = name
class Other(Exception):
    pass
try:
    try:
        raise Missing('a')
    except Other:
        print('other')
except Missing as error:
    print(error.name)
"""
_PROPERTY = """\
class Circle:
    def __init__(self, radius):
        self.radius = radius
    @property
    def area(self):
        return 3 * self.radius ** 2
print(Circle(2).area)
"""
_LAZY = """\
def seen(x):
    print('seen', x)
    return x
found = (seen(x) for x in [1, 2, 3])
print(next(found))
"""
_INHERITED = """\
class Base:
    def greet(self):
        return 'base'
class Derived(Base):
    def greet(self):
        return f'derived of {super().greet()}'
print(Derived().greet())
"""
_GENERATOR = """\
def count(n):
    while n:
        yield n
        n -= 1
print([*count(3)])
"""


@pytest.mark.parametrize(
    ('program', 'printed'),
    [
        pytest.param(_OWN_EXCEPTION, 'a\n', id='a handler takes the exceptions of its class'),
        pytest.param(_PROPERTY, '12\n', id='a property is computed when it is read'),
        pytest.param(_LAZY, 'seen 1\n1\n', id='a generator expression computes what is asked of it'),
        pytest.param(_INHERITED, 'derived of base\n', id='a method calls the one that it overrides'),
        pytest.param(_GENERATOR, '[3, 2, 1]\n', id='a function yields'),
        pytest.param('import statistics\nprint(statistics.mean([1, 2]))', '1.5\n', id='the host computes a mean'),
        pytest.param('import heapq\nprint(heapq.nlargest(2, [1, 3, 2]))', '[3, 2]\n', id='a polyfill sorts'),
    ],
)
async def test_a_program_prints_what_it_prints_in_python(program: str, printed: str) -> None:
    ending, _ = await in_sandbox(program)
    assert (ending.error, ending.stdout) == (None, printed)


async def test_what_the_table_does_not_list_is_refused_before_anything_runs() -> None:
    ending, _ = await in_sandbox('import math\nprint(1)\nmath.nosuch')
    assert (ending.refused, ending.stdout, ending.line) == (True, '', 3)
