"""What a step with a snippet takes of this project's own functions, counted."""

import pytest

from tests.toolscript.counting import own_calls
from tests.toolscript.scripted import run_code

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


@pytest.mark.parametrize(('tools', 'most'), [(1, 1_500), (101, 2_600)])
async def test_a_step_with_a_trivial_snippet_takes_a_bounded_number_of_calls(tools: int, most: int) -> None:
    await own_calls([run_code('1 + 1')], tools=tools)
    # In one of them workers that earlier tests left may be ended, or a worn type checker replaced.
    assert min([await _four_steps(tools, number) for number in range(2)]) < 4 * most


async def _four_steps(tools: int, number: int) -> int:
    few, many = [await own_calls([run_code(f'{n} + {number}') for n in range(steps)], tools=tools) for steps in (2, 6)]
    return many - few
