"""Members of enumerations and their kin leave the sandbox as values, wherever they stand."""

import pytest
from inline_snapshot import snapshot

from tests.sandbox.guest_cases import in_sandbox
from toolscript_sandbox import Completed

pytestmark = pytest.mark.anyio

_ENUMERATIONS = """
from enum import Enum
class State(str, Enum):
    NEW = 'new'
    DONE = 'done'
class Level(Enum):
    LOW = 1
"""


async def test_a_function_of_the_host_is_given_the_values_of_members() -> None:
    ending, _ = await in_sandbox(
        f"{_ENUMERATIONS}await echo(State.NEW); await echo({{State.NEW: [State.DONE], 'at': Level.LOW}})"
    )
    assert ending.calls == snapshot(("echo(value='new')", "echo(value={'new': ['done'], 'at': 1})"))


async def test_a_result_has_the_values_of_members_even_as_keys() -> None:
    _, outcome = await in_sandbox(f'{_ENUMERATIONS}{{State.NEW: Level.LOW, Level.LOW: {{State.DONE}}}}')
    assert isinstance(outcome, Completed)
    assert outcome.value == snapshot({'new': 1, '1': ['done']})


async def test_named_tuples_with_methods_leave_as_lists() -> None:
    text = (
        'from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 2\n    def f(self): return 1\n'
    )
    ending, outcome = await in_sandbox(f"{text}await echo(P(1)); {{'p': P(1), 'all': [P(3, 4)]}}")
    assert ending.calls == snapshot(('echo(value=[1, 2])',))
    assert isinstance(outcome, Completed)
    assert outcome.value == snapshot({'p': [1, 2], 'all': [[3, 4]]})


async def test_a_result_given_back_early_has_the_values_of_members() -> None:
    _, outcome = await in_sandbox(f'{_ENUMERATIONS}if State.NEW:\n    return {{State.NEW: 1}}\nState.DONE')
    assert isinstance(outcome, Completed)
    assert outcome.value == snapshot({'new': 1})
