"""Generators, enum members and names of helpers, across the scripts of a session."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.sampling import share
from tests.sandbox.case_files import FUNCTIONS, dispatch_to, in_sandbox
from tests.sandbox.case_tools import CaseTools
from tests.sandbox.outcomes import completed, failed, run_script
from tests.sandbox.tables import NOTHING
from tests.text_cases import TextCase, text_cases
from toolscript_sandbox import Call, Sandbox
from toolscript_sandbox.polyfills import linker
from toolscript_sandbox.transforms.preparation import prepared


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('sessions.txt')), ids=str)
async def test_later_scripts_use_objects_of_earlier_scripts(case: TextCase) -> None:
    scripts, dispatch = case.given.split('\n#+++\n'), dispatch_to(CaseTools())
    async with Sandbox.shared().session() as session:
        printed = [completed(await session.run(script, FUNCTIONS, dispatch)).stdout for script in scripts]
    assert ''.join(printed) == f'{case.expected}\n'


async def test_generators_load_exceptions_only_for_scripts_that_inspect_them() -> None:
    numbers = 'def numbers():\n    yield 1\n'
    looking = (
        f'{numbers}found = numbers()\nnext(found)\ntry:\n    next(found)\nexcept StopIteration as end:\n    end.value'
    )
    loaded = [prepared(text, FUNCTIONS).polyfills for text in (f'{numbers}list(numbers())', looking)]
    assert [any(name.startswith('_exceptions__') for name in names) for names in loaded] == [False, True]


_ENUMERATIONS = """
from enum import Enum
class State(str, Enum):
    NEW = 'new'
    DONE = 'done'
class Level(Enum):
    LOW = 1
"""


async def test_functions_of_the_host_receive_the_values_of_enum_members() -> None:
    ending, _ = await in_sandbox(
        f"{_ENUMERATIONS}await echo(State.NEW); await echo({{State.NEW: [State.DONE], 'at': Level.LOW}})"
    )
    assert ending.calls == snapshot(("echo(value='new')", "echo(value={'new': ['done'], 'at': 1})"))


async def test_a_result_has_the_values_of_enum_members_even_as_keys() -> None:
    _, outcome = await in_sandbox(f'{_ENUMERATIONS}{{State.NEW: Level.LOW, Level.LOW: {{State.DONE}}}}')
    assert completed(outcome).value == {'new': 1, '1': ['done']}
    _, outcome = await in_sandbox(f'{_ENUMERATIONS}if State.NEW:\n    return {{State.NEW: 1}}\nState.DONE')
    assert completed(outcome).value == {'new': 1}


async def test_named_tuples_are_returned_as_lists() -> None:
    text = 'from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 2\n'
    ending, outcome = await in_sandbox(f"{text}await echo(P(1)); {{'p': P(1), 'all': [P(3, 4)]}}")
    assert ending.calls == snapshot(('echo(value=[1, 2])',))
    assert completed(outcome).value == {'p': [1, 2], 'all': [[3, 4]]}


async def test_a_result_has_the_attributes_of_objects_that_the_script_lists() -> None:
    text = (
        'from types import SimpleNamespace\nclass A: pass\na = A()\na.x = 1\n[SimpleNamespace(b=1, _c=2), a, vars(a)]'
    )
    _, outcome = await in_sandbox(text)
    assert completed(outcome).value == [{'b': 1, '_c': 2}, {'x': 1}, {'x': 1}]


@pytest.mark.parametrize('later', ['vars(a)', 'a.__dict__', 'import types\ntypes.SimpleNamespace(b=1)'])
async def test_attributes_that_an_earlier_script_sets_unseen_are_not_listed(later: str) -> None:
    async with Sandbox.shared().session() as session:
        completed(await session.run('class A:\n    def go(self): self.x = 1\na = A()', NOTHING, refuse))
        error = failed(await session.run(later, NOTHING, refuse)).error
        assert 'The attributes are not known here.' in error.message


FILES = [Path(linker.__file__).parent / f'{name}.py' for name in sorted(linker.names() - {linker.NATIVES})]


def helper_names() -> list[str]:
    """Return the names that the polyfills define at the top."""
    defined = {
        node.name
        for file in FILES
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    # In a comprehension, Monty itself uses the builtin of that name.
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


@share(10)
@pytest.mark.parametrize('place', PLACES.values(), ids=PLACES)
async def test_a_variable_may_have_the_name_of_a_helper(place: str, one_in: int) -> None:
    async with Sandbox.shared().session() as session:
        for name in helper_names()[len(place) % one_in :: one_in]:
            assert completed(await session.run(place.format(name=name), NOTHING, refuse)).value == 2, name
            await session.restart()


async def test_a_script_may_rebind_a_builtin_that_polyfills_use() -> None:
    async with Sandbox.shared().session() as session:
        await session.run('max = len = iter = 0', NOTHING, refuse)
        code = 'import statistics\ndef f():\n    yield 1\nstatistics.mean([1, 3]), [*f()], max'
        assert completed(await session.run(code, NOTHING, refuse)).value == [2, [1], 0]


async def test_pprint_takes_values_that_hold_a_value_many_times_or_themselves() -> None:
    code = 'from pprint import pformat\nitems = [1]\nitems.append(items)\nshown = pformat(items)\n'
    code += 'for _ in range(40):\n    items = [items, items]\n'
    code += 'try:\n    pformat(items)\nexcept MemoryError:\n    shown += " and no more"\nshown'
    assert completed(await run_script(code)).value == "[1, '[...]'] and no more"
