"""What a call of a script takes of this project's own functions, counted: a bound for each, however many there are."""

import pytest

from tests.toolscript.counting import own_calls
from tests.toolscript.scripted import run_code
from toolscript import MemoryStore, Snapshots

pytestmark = pytest.mark.anyio

LOOP = 'for n in range({calls}):\n    total = await add(a=n, b=2)\ntotal'
GATHER = 'import asyncio\nlen(await asyncio.gather(*[add(a=n, b=2) for n in range({calls})]))'


@pytest.mark.parametrize(('code', 'most'), [(LOOP, 178), (GATHER, 208)])
async def test_a_nested_call_takes_a_bounded_number_of_calls(code: str, most: int) -> None:
    await own_calls([run_code(code.format(calls=1))])
    few, many = [await own_calls([run_code(code.format(calls=calls))]) for calls in (50, 150)]
    assert many - few < 100 * most


@pytest.mark.parametrize(('code', 'most'), [(LOOP, 365), (GATHER, 360)])
async def test_so_does_one_of_which_a_store_is_told(code: str, most: int) -> None:
    numbers = list[int]()
    for calls in (1, 40, 80):
        snapshots = Snapshots(key='the key of the tests', store=MemoryStore())
        numbers.append(await own_calls([run_code(code.format(calls=calls))], snapshots=snapshots))
    assert numbers[2] - numbers[1] < 40 * most
