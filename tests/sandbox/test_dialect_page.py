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


@pytest.mark.parametrize(
    'program',
    [
        'd = {"b": 1}\nimport json\njson.dumps(d, default=str)',
        'import json\njson.loads("[1]")',
        'import tomllib\ntomllib.loads("a = 1")',
        'from datetime import datetime\ndatetime.strptime("2024", "%Y").timetuple()',
        'from datetime import timedelta, timezone\ntimezone(timedelta(hours=2))',
        'from decimal import Decimal\nimport math\nDecimal("0.5"), math.gcd(4, 6)',
        'from collections import deque\ndeque([1]).popleft()',
        'import html, re\nhtml.unescape("&amp;"), re.findall("<(.+?)>", "<a><b>")',
        'import asyncio\nawait asyncio.gather(echo(1), echo(2))',
        'len(repr([1]))',
        'type(1), hasattr(1, "x"), getattr(1, "x", None)',
        '(5).to_bytes(2, "big"), b"\\x00\\x05"',
        'try:\n    1 / 0\nexcept Exception as error:\n    print(repr(error))',
    ],
)
async def test_the_advice_of_the_page_runs(program: str) -> None:
    ending, _ = await in_sandbox(program)
    assert ending.error is None
