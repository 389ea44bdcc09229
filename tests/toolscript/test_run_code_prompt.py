"""The prompt of `run_code`: short, and sufficient."""

import pytest

from toolscript.run_code.prompt import (
    BOTH_CALLERS,
    NO_FUNCTIONS,
    RUN_CODE_DESCRIPTION,
    SEARCH_IN_CODE_TEXT,
    UNKNOWN_RESULTS,
)
from toolscript_signatures import estimate_tokens

ALL = '\n\n'.join([RUN_CODE_DESCRIPTION, UNKNOWN_RESULTS, BOTH_CALLERS, SEARCH_IN_CODE_TEXT, NO_FUNCTIONS])


def test_the_fixed_text_takes_at_most_250_tokens() -> None:
    assert estimate_tokens(ALL) <= 250


@pytest.mark.parametrize(
    'needed',
    [
        'already defined',
        '`async def` functions need `await`',
        'asyncio.gather',
        'value of the last expression',
        'what you print',
        'try/except',
        'Variables stay',
        "row['key']",
        'Where a result is Any',
        'json, re, math, datetime, collections',
        'no files, no network',
        "await search_tools('what it does')",
        'exact name',
        'call the tool directly',
    ],
)
def test_a_model_finds_the_documented_tools(needed: str) -> None:
    assert needed in ALL.replace('\n', ' ')
