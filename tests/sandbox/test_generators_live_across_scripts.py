"""Generators and iterators of one script continue in the next ones, which may wait in them."""

import pytest

from tests.sandbox.case_tools import CaseTools
from tests.sandbox.guest_cases import FUNCTIONS
from toolscript_sandbox import Call, Completed, Sandbox, to_json

pytestmark = pytest.mark.anyio


async def _printed(*scripts: str) -> str:
    """What all scripts of one session print."""
    functions, texts = CaseTools().namespace(), list[str]()

    async def dispatch(call: Call) -> object:
        value = functions[call.function](*call.args, **call.kwargs)
        return to_json(value if call.function == 'next_number' else await value)

    async with Sandbox.shared().session() as session:
        for script in scripts:
            outcome = await session.run(script, FUNCTIONS, dispatch)
            assert isinstance(outcome, Completed), outcome
            texts.append(outcome.stdout)
    return ''.join(texts)


async def test_a_generator_that_waits_goes_on_in_a_loop_of_the_next_script() -> None:
    first = 'import time\ndef ticks(n):\n    for i in range(n):\n        time.sleep(0.001)\n        yield i\nit = ticks(4)\n'
    assert await _printed(first + 'print(next(it))', 'for x in it: print(x)\nprint(sum(ticks(3)), next(it, None))') == (
        '0\n1\n2\n3\n3 None\n'
    )


async def test_a_method_of_an_earlier_class_may_be_a_generator_that_waits() -> None:
    first = 'class Pages:\n    def items(self):\n        yield next_number()\n        yield next_number()'
    assert await _printed(first, 'for page in Pages().items(): print(page)') == '1\n2\n'


async def test_what_a_generator_of_an_earlier_script_returned_is_read_from_its_end() -> None:
    first = 'def g():\n    yield 1\n    return "done"\nit = g()'
    later = 'try:\n    while True: print(next(it))\nexcept StopIteration as e: print(e.value)'
    assert await _printed(first, later) == '1\ndone\n'


async def test_an_iterator_of_an_earlier_script_gives_each_value_once() -> None:
    assert await _printed('m = map(str, [1, 2, 3])\nprint(next(m))', 'print([*zip(m, m)], list(m))') == (
        "1\n[('2', '3')] []\n"
    )


async def test_an_asynchronous_generator_goes_on_in_the_next_script() -> None:
    first = 'async def users():\n    for i in (1, 2):\n        yield (await get_user(i))["name"]\nit = users()'
    assert await _printed(first, 'print(await anext(it))', 'print([name async for name in it])') == "Ada\n['Bob']\n"
