"""A snippet is read as Python 3.11 reads it, whichever Python the host has."""

import warnings

import pytest

from tests.sandbox.guest_cases import in_sandbox

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ('program', 'instead'),
    [
        ('print(1)\ntype Row = dict[str, int]', 'It is newer than Python 3.11: write Row = ...'),
        ('print(1)\ntype Row[T] = dict[str, T]', 'It is newer than Python 3.11: write Row = ..., without parameters.'),
        ('print(1)\ndef first[T](xs: list[T]) -> T: return xs[0]', 'write first without the brackets, and use Any for'),
        ('print(1)\nclass Box[T]:\n    value: T', 'write Box without the brackets, and use Any for'),
        ('print(1)\nasync def go[T](x: T): pass', 'write go without the brackets, and use Any for'),
        ('print(1)\nPythonFinalizationError', 'Newer than Python 3.11: use `RuntimeError`.'),
    ],
)
async def test_what_is_newer_is_refused_with_what_to_write_instead(program: str, instead: str) -> None:
    ending, _ = await in_sandbox(program)
    assert (ending.refused, ending.stdout, ending.line) == (True, '', 2)
    assert instead in (ending.error or ('', ''))[1]


async def test_a_variable_may_be_called_type() -> None:
    ending, _ = await in_sandbox('type = [3]\ntype [0] = 4\nprint(type)')
    assert (ending.error, ending.stdout) == (None, '[4]\n')


async def test_what_python_warns_of_is_no_error_where_warnings_are_and_is_told_to_nobody() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter('always')
        shown, _ = await in_sandbox(r"print('\d', 1if 1else 2)")
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert (await in_sandbox(r"print('\d', 1if 1else 2)"))[0] == shown
    assert (shown.stdout, shown.error, told) == ('\\d 1\n', None, [])
