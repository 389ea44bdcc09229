"""Messages that a model can act on."""

import pytest
from inline_snapshot import snapshot

from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Failed, Sandbox

pytestmark = pytest.mark.anyio


async def _message(code: str) -> str:
    async with Sandbox.shared().session() as session:
        outcome = await session.run(code, TABLE, answer)
    assert isinstance(outcome, Failed), outcome
    return outcome.error.message


async def test_a_wrong_argument_name() -> None:
    assert await _message('await get_user(id=1)') == snapshot("""\
line 1: await get_user(id=1)
              ^^^^^^^^^^^^^^
No argument provided for required parameter `user_id` of function `get_user`. Signature: async def get_user(user_id: int) -> User: ...
line 1: await get_user(id=1)
                       ^^^^
Argument `id` does not match any known parameter of function `get_user`. Signature: async def get_user(user_id: int) -> User: ...
Nothing was run.\
""")


async def test_a_missing_await() -> None:
    assert await _message("user = get_user(1)\nuser['name']") == snapshot("""\
line 2: user['name']
        ^^^^^^^^^^^^
An `await` is missing: the call gives its result `User` only when it is awaited.
Nothing was run.\
""")


@pytest.mark.parametrize(
    ('code', 'last'),
    [
        (
            'try:\n    await get_user(404)\nexcept ValueError as e:\n    e.code',
            'Object of type `ValueError` has no attribute `code`.',
        ),
        ('x = null', 'Name `null` used when not defined. Did you mean None?'),
        (
            "for issue in await get_page('x'):\n    issue['title']",
            "TypeError: string indices must be integers, not 'str'. "
            'A loop over a dict gives its keys: loop over the list under one of them, or over .items().',
        ),
        (
            "for key in await get_user(1):\n    key['name']",
            'An object of type `str` takes numbers in brackets, not "name". '
            'A loop over a dict gives its keys: loop over the list under one of them, or over .items().',
        ),
        (
            'from datetime import datetime, timezone\ndatetime.now(timezone.utc) - datetime(2024, 1, 1)',
            "TypeError: unsupported operand type(s) for -: 'datetime.datetime' and 'datetime.datetime'. One has a time "
            'zone and the other has none: remove it with .replace(tzinfo=None), or give both the same.',
        ),
        (
            'u = await get_user(1)\nu[0]',
            '`User` is a dict: it has keys, not numbers. Keys: id, name, email, team, active, manager_id',
        ),
        (
            'max(await list_users())',
            "`User` is a dict, and dicts have no order. Write key=lambda item: item['id'].",
        ),
        (
            'async def three():\n    return 3\nthree()[0]',
            'An `await` is missing: the call gives its result only when it is awaited.',
        ),
    ],
)
async def test_the_cause_comes_first_and_then_one_advice(code: str, last: str) -> None:
    lines = (await _message(code)).split('\n')
    assert last in lines


async def test_a_missing_key_at_run_time() -> None:
    assert await _message("page = await get_page('x')\npage['titel']") == snapshot("""\
line 2: page['titel']
        ^^^^^^^^^^^^^
KeyError: titel. Available keys: title, links, meta, body, url
Calls: get_page finished.\
""")


async def test_an_attribute_of_a_dict_at_run_time() -> None:
    assert await _message("page = await get_page('x')\npage.title") == snapshot("""\
line 2: page.title
AttributeError: 'dict' object has no attribute 'title'. It is a dict: write ['title'].
Calls: get_page finished.\
""")


async def test_an_error_of_a_function() -> None:
    assert await _message('a = await get_user(1)\nb = await get_user(404)') == snapshot("""\
line 2: b = await get_user(404)
            ^^^^^^^^^^^^^^^^^^^
ValueError: 404 does not exist
Calls: get_user finished, get_user failed.\
""")


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
async def test_a_call_that_failed_is_shown_where_it_stands_and_not_where_its_error_was_passed_on(code: str) -> None:
    assert (await _message(code)).startswith('line 3: ')
    assert 'get_user' in (await _message(code)).split('\n')[0]


async def test_a_handler_that_fails_as_the_call_did_is_shown_itself() -> None:
    code = 'try:\n    await get_user(404)\nexcept ValueError:\n    await get_user(404)'
    assert (await _message(code)).startswith('line 4: ')


async def test_a_gather_that_nobody_awaited_is_told_by_its_own_name() -> None:
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


async def test_a_member_that_an_enumeration_lacks_is_told_in_pythons_words() -> None:
    enumeration = 'from enum import Enum\nclass State(Enum):\n    OPEN = 1\n'
    message = await _message(f'{enumeration}try: State.SHUT\nexcept AttributeError: pass\nState.CLOSED')
    assert message.endswith('AttributeError: CLOSED')
