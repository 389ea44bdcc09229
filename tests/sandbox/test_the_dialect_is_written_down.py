"""`docs/python.md` says what the tables and the sandbox say."""

import re
from pathlib import Path

import pytest

from tests.sandbox.guest_cases import in_sandbox
from toolscript_sandbox.language.dialect import ADVICE, MODULES

_PAGE = (Path(__file__).parents[2] / 'docs' / 'python.md').read_text()
_INSTEAD = {
    f'{module}.{name}': advice for module, names in MODULES.items() for name, advice in names.refused.items() if advice
}
_ROWS = dict(re.findall(r'^\| `([^`]+)` \| (.*) \|$', _PAGE, re.MULTILINE))


@pytest.mark.parametrize('module', sorted({*MODULES} - {'asyncio', 'concurrent.futures'}))
def test_the_page_lists_the_names_of_each_module(module: str) -> None:
    assert _ROWS[module] == ' '.join(f'`{name}`' for name in sorted(MODULES[module].providers))


@pytest.mark.parametrize(('missing', 'instead'), sorted({**ADVICE, **_INSTEAD}.items()))
def test_the_page_says_what_to_write_instead(missing: str, instead: str) -> None:
    assert _ROWS.get(missing, '') == instead


@pytest.mark.anyio
@pytest.mark.parametrize(
    'missing', sorted({*ADVICE, *_INSTEAD} - {*MODULES} - {module.partition('.')[0] for module in MODULES})
)
async def test_what_the_page_calls_missing_is_refused_with_those_words(missing: str) -> None:
    module = missing.rpartition('.')[0]
    program = f'import {module if missing in _INSTEAD else missing}\nprint(1)\n{missing}'
    ending, _ = await in_sandbox(program)
    assert (ending.refused, ending.stdout) == (True, '')
    assert {**ADVICE, **_INSTEAD}[missing] in (ending.error or ('', ''))[1]


@pytest.mark.anyio
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
async def test_what_is_advised_runs(program: str) -> None:
    ending, _ = await in_sandbox(program)
    assert ending.error is None
