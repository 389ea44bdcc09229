"""The page on traces: its table names what spans there are, and its picture shows the example's."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from opentelemetry.sdk.trace import ReadableSpan

from examples.traces.recording import record
from examples.traces.waterfall import waterfall

pytestmark = pytest.mark.pydantic_ai

DOCS = Path(__file__).parents[3] / 'docs'
PAGE = (DOCS / 'traces.md').read_text()
PICTURES = [DOCS / 'pictures' / 'trace.svg', DOCS / 'pictures' / 'trace_in_a_viewer.png']
_PYDANTIC_AIS = {'invoke_agent', 'chat'}


@pytest.fixture(scope='module')
def spans() -> Sequence[ReadableSpan]:
    """Of the example."""
    return asyncio.run(record())


def names_in(svg: str) -> set[str]:
    """The names of the rows."""
    texts = ElementTree.fromstring(svg).iter('{http://www.w3.org/2000/svg}text')
    return {text.text or '' for text in texts if text.get('class') != 'time' and int(text.get('x', '0')) < 200}


def kinds(names: set[str]) -> set[str]:
    return {name.partition(' ')[0] for name in names}


def test_the_picture_shows_what_the_example_does(spans: Sequence[ReadableSpan]) -> None:
    # Which reads start early depends on how fast the machine checks while the model writes.
    emitted = {span.name for span in spans if not span.name.startswith('speculative_result')}
    shown = {name for name in names_in(PICTURES[0].read_text()) if not name.startswith('speculative_result')}
    assert shown == emitted


def test_every_kind_of_span_is_on_the_page(spans: Sequence[ReadableSpan]) -> None:
    told = {name.partition(' ')[0] for name in re.findall(r'^\| `([a-z_]+ [^`]+)` \|', PAGE, re.MULTILINE)}
    emitted = kinds({span.name for span in spans}) | kinds(names_in(PICTURES[0].read_text()))
    assert emitted - _PYDANTIC_AIS <= told


def test_every_attribute_of_ours_is_on_the_page(spans: Sequence[ReadableSpan]) -> None:
    words = re.findall(r'`([a-z_.]+)`', PAGE)
    keys = {key for span in spans for key in span.attributes or {} if key.startswith('toolscript.')}
    assert {key for key in keys if key not in words and f'.{key.rpartition(".")[2]}' not in words} == set()


def test_a_drawn_trace_has_a_row_for_every_span(spans: Sequence[ReadableSpan]) -> None:
    assert names_in(waterfall(spans)) == {span.name for span in spans}


@pytest.mark.parametrize('picture', PICTURES, ids=lambda picture: picture.name)
def test_pictures_are_small_and_on_the_page(picture: Path) -> None:
    assert picture.stat().st_size < 100_000
    assert f'(pictures/{picture.name})' in PAGE
