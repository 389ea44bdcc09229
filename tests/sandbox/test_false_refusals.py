"""The checker refuses no valid code; an error after a call is reported before the call runs."""

import ast
import builtins
import re
from pathlib import Path

import pytest

from tests.sandbox.outcomes import completed, failed
from tests.sandbox.tables import table
from tests.text_cases import TextCase, text_cases
from toolscript_sandbox import Call, Completed, Failed, Outcome, Sandbox, ToolError
from toolscript_sandbox.language.dialect import BUILTINS

_PAGE = """\
from typing import TypedDict
class Page(TypedDict):
    items: list[int]
    total: int
    title: str
async def page(number: int = ...) -> Page: ...
"""
_TOOLS = table(
    'async def price(sku: str) -> float: ...',
    'async def slow(n: int) -> int: ...',
    _PAGE,
    _PAGE.replace('def page(number: int = ...) -> Page', 'def pages() -> list[Page]'),
    'async def loose() -> dict[str, str | int]: ...',
)


async def _answer(call: Call) -> object:
    if any(isinstance(value, str) and value == 'zz' for value in call.args):
        raise ToolError('ValueError', 'zz')
    page = {'items': [1], 'total': 2, 'title': 'x'}
    return {'price': 2.5, 'slow': 3, 'loose': {'a': 'x', 'n': 1}, 'pages': [page]}.get(call.function, page)


async def _last(code: str) -> Outcome:
    """Return the outcome of the last of some snippets of one session."""
    async with Sandbox.shared().session() as session:
        *before, last = code.split('\n#+++\n')
        for part in before:
            completed(await session.run(part, _TOOLS, _answer))
        return await session.run(last, _TOOLS, _answer)


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('beside_the_checker.txt')), ids=str)
async def test_code_that_may_work_runs_and_code_that_must_fail_is_refused_before_a_call(case: TextCase) -> None:
    """After `=` comes the value of the last script; after `!`, words of its refusal."""
    outcome = await _last(case.given)
    if case.expected.startswith('='):
        assert completed(outcome).value == ast.literal_eval(case.expected[2:])
    else:
        message = failed(outcome).error.message
        assert (outcome.calls, message.endswith('Nothing was run.')) == ((), True)
        assert case.expected[2:] in message


async def test_every_builtin_exists_or_is_listed_as_missing_with_an_alternative() -> None:
    names = [name for name in dir(builtins) if not name.startswith('_') and name not in _MARKS]
    found = dict[str, bool]()
    async with Sandbox.shared().session() as session:
        for name in names:
            outcome = await session.run(f'x = {name}\n1', _TOOLS, _answer)
            found[name] = isinstance(outcome, Completed)
            if isinstance(outcome, Failed):
                reported = (f'There is no {name} here.', f'{name} can only be a decorator of a method here.')
                assert any(words in outcome.error.message for words in reported)
                assert outcome.error.message.endswith('Nothing was run.')
    assert {name for name in names if not found[name]} - {'property'} == BUILTINS.refused.keys() & set(names)


_MARKS = frozenset(
    ['classmethod', 'property', 'staticmethod', 'super', 'vars', 'issubclass', 'delattr', 'aiter', 'anext']
)
"""A transform rewrites calls of these names; they cannot be used as values."""


@pytest.mark.parametrize('name', ['bytarray', 'inputt', 'gloabls', 'compil', 'memoryvew', 'superr', 'vras'])
async def test_every_suggested_name_exists(name: str) -> None:
    _, _, question = failed(await _last(f'{name}(1)')).error.message.partition('Did you mean')
    assert not set(re.findall(r'\w+', question)) & set(BUILTINS.refused)


async def test_a_script_may_test_whether_a_builtin_exists() -> None:
    completed(await _last('try:\n    memoryview(b"")\nexcept NameError:\n    x = 1\nx'))
