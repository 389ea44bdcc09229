"""The results that clients receive, and their cost."""

from __future__ import annotations

import json
from datetime import date
from time import thread_time
from typing import Any

import pytest
from mcp_types import TextContent
from pydantic_ai import BinaryContent, ToolReturn

from toolscript.serve.contents import LongResults, called


def _text(value: object, long_results: LongResults) -> str:
    answer = called(ToolReturn(value, metadata={'executed_code': 'rows'}), long_results, 2_000)
    assert isinstance(answer.content[0], TextContent)
    return answer.content[0].text


def test_a_long_result_of_a_script_is_not_read_whole() -> None:
    value = {f'k{number}': number for number in range(200_000)}
    long_results, whole = LongResults(), json.dumps(value)
    text = ''
    ratios = list[float]()
    while not ratios or (min(ratios) >= 0.5 and len(ratios) < 4):
        begun = thread_time()
        text = _text(value, long_results)
        answered = thread_time()
        json.loads(whole)
        ratios.append((answered - begun) / (thread_time() - answered))
    assert min(ratios) < 0.5, ratios
    assert text.startswith('[200,000 keys, more than 50,000 characters; whole in the variable rows')
    assert json.loads(next(iter(long_results.texts.values()))) == value


def test_a_long_result_that_is_not_json_is_shown_as_json() -> None:
    days = [date(2026, 1, 1 + number % 28) for number in range(1_000)]
    assert '"2026-01-02"' in _text(days, LongResults())
    assert '2026-01-02' in _text({'result': days}, LongResults())


@pytest.mark.parametrize(
    ('value', 'shown'),
    [
        (b'\xff', '"_w=="'),
        ([b'\xff'] * 1_000, '_w=='),
        (['caf\udce9'], r"['caf\udce9']"),
        ('\udce9' * 3_000, r'\udce9'),
        ('a\u202eb', r'a\u202eb'),
        ('a\u202eb' * 1_000, r'a\u202eb'),
    ],
)
def test_a_result_that_json_cannot_hold_is_shown_as_text(value: Any, shown: str) -> None:
    long_results = LongResults()
    assert shown in _text(value, long_results)
    assert all(text.encode() for text in long_results.texts.values())


@pytest.mark.parametrize(
    'parts',
    [['plan'], *(['plan', BinaryContent(b'x', media_type=kind)] for kind in ('image/png', 'audio/mpeg', 'text/csv'))],
)
def test_content_of_a_tool_may_be_one_part_or_several(parts: list[Any]) -> None:
    shown = {'image/png': 'image', 'audio/mpeg': 'audio', 'text/csv': 'resource'}
    kinds = ['text', *('text' if isinstance(part, str) else shown[part.media_type] for part in parts)]
    assert [block.type for block in called(ToolReturn(1, content=parts), LongResults(), 2_000).content] == kinds
    alone = called(ToolReturn(1, content=parts[-1]), LongResults(), 2_000)
    assert [block.type for block in alone.content] == ['text', kinds[-1]]


@pytest.mark.parametrize(('chars', 'kept'), [(60_000, 20), (3_000_000, 6), (20_000_001, 0)])
def test_the_latest_long_results_are_kept_up_to_a_number_and_a_size(chars: int, kept: int) -> None:
    long_results = LongResults()
    for number in range(25):
        _text(f'{number}:'.ljust(chars), long_results)
    assert [text.partition(':')[0] for text in long_results.texts.values()] == [*map(str, range(25 - kept, 25))]
