"""A variable keeps its meaning, whatever the sandbox calls its own helpers."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

import pytest

from tests.sampling import share
from tests.sandbox.tables import NOTHING
from toolscript_sandbox import Call, Completed, Sandbox
from toolscript_sandbox.polyfills import linker

pytestmark = pytest.mark.anyio

FILES = [Path(linker.__file__).parent / f'{name}.py' for name in sorted(linker.names() - {linker.NATIVES})]


def helper_names() -> list[str]:
    """Everything that the polyfills define at their top."""
    defined = {
        node.name
        for file in FILES
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    # Monty itself takes a builtin's name in a comprehension for the builtin.
    return sorted(name for name in defined if not name.startswith('_') and not hasattr(builtins, name))


async def refuse(call: Call) -> None:
    raise AssertionError(call)


PLACES = {
    'in a function': 'def f(a):\n    def g(n):\n        return n\n    {name} = a + 1\n    return {name} > 0 and g({name})\nf(1)',
    'in a comprehension': '[{name} for {name} in [1, 2]][1]',
    'as a parameter': 'def f({name}):\n    return {name} + 1\nf(1)',
    'in a lambda': '(lambda {name}: {name} + 1)(1)',
    'at the top': '{name} = 1\n{name} + 1',
}


@share(5)
@pytest.mark.parametrize('place', PLACES.values(), ids=PLACES)
async def test_a_variable_may_have_the_name_of_a_helper(place: str, one_in: int) -> None:
    async with Sandbox.shared().session() as session:
        for name in helper_names()[len(place) % one_in :: one_in]:
            outcome = await session.run(place.format(name=name), NOTHING, refuse)
            assert isinstance(outcome, Completed), (name, outcome)
            assert outcome.value == 2, (name, outcome)
            await session.restart()


async def test_a_builtins_name_that_an_earlier_snippet_took_is_no_affair_of_polyfills() -> None:
    async with Sandbox.shared().session() as session:
        await session.run('max = len = iter = 0', NOTHING, refuse)
        outcome = await session.run(
            'import statistics\ndef f():\n    yield 1\nstatistics.mean([1, 3]), [*f()], max', NOTHING, refuse
        )
        assert isinstance(outcome, Completed), outcome
        assert outcome.value == [2, [1], 0]
