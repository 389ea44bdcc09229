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


@pytest.mark.xfail(reason='Monty reports the last line of the body')
async def test_an_error_that_a_with_lets_pass_is_shown_at_its_line() -> None:
    code = 'import contextlib\nwith contextlib.suppress(KeyError):\n    a = 1\n    1 / 0\n    b = 2'
    assert (await _message(code)).split('\n')[0] == 'lines 3 to 5 (the body of `with`):'
