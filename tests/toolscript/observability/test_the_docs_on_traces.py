"""The page on traces: its table names what spans there are, and has a picture."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan

from examples.traces.recording import record

pytestmark = pytest.mark.pydantic_ai

DOCS = Path(__file__).parents[3] / 'docs'
PAGE = (DOCS / 'traces.md').read_text()
PICTURE = DOCS / 'pictures' / 'trace_in_a_viewer.png'
_PYDANTIC_AIS = {'invoke_agent', 'chat'}


@pytest.fixture(scope='module')
def spans() -> Sequence[ReadableSpan]:
    """Of the example."""
    return asyncio.run(record())


def test_every_kind_of_span_is_on_the_page(spans: Sequence[ReadableSpan]) -> None:
    told = {name.partition(' ')[0] for name in re.findall(r'^\| `([a-z_]+ [^`]+)` \|', PAGE, re.MULTILINE)}
    emitted = {span.name.partition(' ')[0] for span in spans}
    assert emitted - _PYDANTIC_AIS <= told


def test_every_attribute_of_ours_is_on_the_page(spans: Sequence[ReadableSpan]) -> None:
    words = re.findall(r'`([a-z_.]+)`', PAGE)
    keys = {key for span in spans for key in span.attributes or {} if key.startswith('toolscript.')}
    assert {key for key in keys if key not in words and f'.{key.rpartition(".")[2]}' not in words} == set()


def test_the_picture_is_small_and_on_the_page() -> None:
    assert PICTURE.stat().st_size < 100_000
    assert f'(pictures/{PICTURE.name})' in PAGE
