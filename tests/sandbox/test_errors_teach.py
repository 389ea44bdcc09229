"""Messages that a model can act on."""

from pathlib import Path

import pytest

from tests.corpus.table import TABLE, answer
from tests.text_cases import TextCase, text_cases
from toolscript_sandbox import Failed, Sandbox

pytestmark = pytest.mark.anyio


async def _message(code: str) -> str:
    async with Sandbox.shared().session() as session:
        outcome = await session.run(code, TABLE, answer)
    assert isinstance(outcome, Failed), outcome
    return outcome.error.message


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('errors.txt')), ids=str)
async def test_an_error_says_where_it_is_and_what_to_write(case: TextCase) -> None:
    """The whole message, or behind three dots one line of it."""
    message = await _message(case.given)
    if case.expected.startswith('... '):
        assert case.expected[4:] in message.split('\n')
    else:
        assert message == case.expected


async def test_messages_are_bounded() -> None:
    message = await _message('raise ValueError("x" * 100_000)')
    assert len(message) < 5_000


@pytest.mark.parametrize(
    'code',
    [
        'x = 0\ntry:\n    await get_user(404)\n    x = 1\nexcept KeyError:\n    print("no")',
        'x = 0\ntry:\n    await get_user(404)\nexcept ValueError:\n    x = 1\n    raise',
        'for n in (1, 2, 404):\n    try:\n        x = 1; await get_user(n)\n    finally:\n        x = 2',
        'import contextlib\nwith contextlib.nullcontext():\n    await get_user(404)\n    x = 1',
    ],
)
async def test_a_call_that_failed_is_shown_at_its_line_and_not_where_its_error_was_passed_on(code: str) -> None:
    assert (await _message(code)).startswith('line 3: ')
    assert 'get_user' in (await _message(code)).split('\n')[0]


async def test_a_handler_that_fails_as_the_call_did_is_shown_itself() -> None:
    code = 'try:\n    await get_user(404)\nexcept ValueError:\n    await get_user(404)'
    assert (await _message(code)).startswith('line 4: ')


async def test_a_gather_that_was_not_awaited_is_reported_by_its_own_name() -> None:
    message = await _message('import asyncio\nboth = asyncio.gather(get_user(1), get_user(2))\nboth[0]["name"]')
    assert "'Future' object is not subscriptable. An `await` is missing." in message


@pytest.mark.parametrize(
    ('code', 'line'),
    [
        ("try:\n    x = 1\n    y = {}['k']\n    z = 2\nexcept ValueError:\n    x = 2\n    y = 3", 3),
        ("try: int('x')\nexcept KeyError: pass", 1),
        ("try:\n    int('x')\n    x = 1\nfinally:\n    print(1)\n    x = 2", 2),
        ('import contextlib\nwith contextlib.suppress(KeyError):\n    a = 1\n    1 / 0\n    b = 2', 4),
        ("def f(x):\n    try:\n        return int(x)\n    except TypeError:\n        return None\nf('x')", 3),
        (
            "try:\n    try:\n        int('x')\n        a = 1\n    except KeyError:\n        b = 1\nexcept TypeError:\n    c = 1",
            3,
        ),
        ("try:\n    a = int('1')\n    b = {}['k']\nexcept ValueError:\n    c = 1", 1),
    ],
)
@pytest.mark.xfail(reason='Monty tells the last line of the handler that passes an error on')
async def test_the_line_of_an_error_that_no_handler_catches(code: str, line: int) -> None:
    assert (await _message(code)).startswith(f'line {line}: ')


async def test_a_member_that_an_enumeration_lacks_is_reported_in_pythons_words() -> None:
    enumeration = 'from enum import Enum\nclass State(Enum):\n    OPEN = 1\n'
    message = await _message(f'{enumeration}try: State.SHUT\nexcept AttributeError: pass\nState.CLOSED')
    assert message.endswith('AttributeError: CLOSED')
