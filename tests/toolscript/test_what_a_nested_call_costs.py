"""What a call of a script takes of this project's own functions, counted: a bound for each, however many there are."""

import pytest

from tests.toolscript.counting import own_calls
from tests.toolscript.scripted import run_code

pytestmark = pytest.mark.anyio

LOOP = 'for n in range({calls}):\n    total = await add(a=n, b=2)\ntotal'
GATHER = 'import asyncio\nlen(await asyncio.gather(*[add(a=n, b=2) for n in range({calls})]))'


@pytest.mark.parametrize(('code', 'most'), [(LOOP, 265), (GATHER, 270)])
async def test_a_nested_call_takes_a_bounded_number_of_calls(code: str, most: int) -> None:
    await own_calls([run_code(code.format(calls=1))])
    few, many = [await own_calls([run_code(code.format(calls=calls))]) for calls in (50, 150)]
    assert many - few < 100 * most
