"""`docs/reference/dialect.md` agrees with the tables and the sandbox."""

import sys

import pytest

from tests.sandbox.case_files import in_sandbox
from tests.sandbox.dialect_page import PAGE, generated
from toolscript_sandbox.language.dialect import ADVICE, MODULES


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason='the page is about the names of Python 3.11')
def test_the_page_agrees_with_the_table() -> None:
    assert PAGE.read_text() == generated()


@pytest.mark.parametrize('missing', sorted({*ADVICE} - {module.partition('.')[0] for module in MODULES}))
async def test_modules_that_the_page_calls_missing_are_refused_with_its_words(missing: str) -> None:
    ending, _ = await in_sandbox(f'import {missing}\nprint(1)\n{missing}')
    assert (ending.refused, ending.stdout) == (True, '')
    assert ADVICE[missing] in (ending.error or ('', ''))[1]
