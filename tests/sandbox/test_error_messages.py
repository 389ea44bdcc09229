"""Messages that a model can act on."""

from pathlib import Path

import pytest

from tests.sandbox.outcomes import failed, run_script
from tests.text_cases import TextCase, text_cases


async def _message(code: str) -> str:
    return failed(await run_script(code)).error.message


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('errors.txt')), ids=str)
async def test_an_error_says_where_it_is_and_what_to_write(case: TextCase) -> None:
    """The whole message; after three dots, one line of it."""
    message = await _message(case.given)
    if case.expected.startswith('... '):
        assert case.expected[4:] in message.split('\n')
    else:
        assert message == case.expected


async def test_messages_are_bounded() -> None:
    assert len(await _message('raise ValueError("x" * 100_000)')) < 5_000


@pytest.mark.parametrize(
    ('code', 'place'),
    [
        (
            "try:\n    x = 1\n    y = {}['k']\n    z = 2\nexcept ValueError:\n    x = 2\n    y = 3",
            'lines 2 to 4 (the body of `try`), or line 7:',
        ),
        ("try: int('x')\nexcept KeyError: pass", "line 1: try: int('x')"),
        (
            "try:\n    int('x')\n    x = 1\nfinally:\n    print(1)\n    x = 2",
            'lines 2 to 3 (the body of `try`), or line 6:',
        ),
        (
            "def f(x):\n    try:\n        return int(x)\n    except TypeError:\n        return None\nf('x')",
            'line 3 (the body of `try`), or line 5:',
        ),
        (
            "try:\n    try:\n        int('x')\n        a = 1\n    except KeyError:\n        b = 1\nexcept TypeError:\n    c = 1",
            'lines 2 to 6 (the body of `try`), or line 8:',
        ),
        pytest.param(
            'import contextlib\nwith contextlib.suppress(KeyError):\n    a = 1\n    1 / 0\n    b = 2',
            'lines 3 to 5 (the body of `with`):',
            marks=pytest.mark.xfail(reason='Monty reports the last line of the body'),
        ),
    ],
)
async def test_the_lines_of_an_uncaught_error_are_shown(code: str, place: str) -> None:
    assert (await _message(code)).split('\n')[0] == place
