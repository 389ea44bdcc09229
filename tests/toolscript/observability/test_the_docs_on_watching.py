"""The pages on watching and on traces say what there is."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from opentelemetry.sdk.trace import ReadableSpan
from pydantic_ai import Agent

from examples.traces.recording import record
from tests.docs import ROOT, run_blocks
from tests.toolscript.scripted import Script, run_code, streaming
from toolscript.observability.events import MOST_EVENTS
from toolscript.observability.script_calls import MOST_CHARS, ROOM

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


@pytest.mark.usefixtures('without_keys')
async def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_blocks('docs/watching.md')
    agent: Agent[None, str] = names['agent']
    with agent.override(model=streaming(Script([run_code('[await stock(n) for n in (1, 2)]')]))):
        await names['main']()
    assert capsys.readouterr().out == snapshot("""\
line 1: stock {'article': 1}
stock finished: 3
line 1: stock {'article': 2}
stock finished: 6
stock({'article': 1}) gave 3 to line 1
stock({'article': 2}) gave 6 to line 1
""")


def test_the_bounds_are_those_that_the_page_names() -> None:
    reported = [f'{MOST_EVENTS:,} events', f'{ROOM:,} characters', f'{MOST_CHARS:,} characters']
    page = (ROOT / 'docs' / 'watching.md').read_text()
    assert [one for one in reported if one not in page] == []


DOCS = Path(__file__).parents[3] / 'docs'
PAGE = (DOCS / 'traces.md').read_text()
PICTURE = DOCS / 'pictures' / 'trace_in_a_viewer.png'
_PYDANTIC_AIS = {'invoke_agent', 'chat'}


@pytest.fixture(scope='module')
def spans() -> Sequence[ReadableSpan]:
    return asyncio.run(record())


def test_every_kind_of_span_is_on_the_page(spans: Sequence[ReadableSpan]) -> None:
    reported = {name.partition(' ')[0] for name in re.findall(r'^\| `([a-z_]+ [^`]+)` \|', PAGE, re.MULTILINE)}
    emitted = {span.name.partition(' ')[0] for span in spans}
    assert emitted - _PYDANTIC_AIS <= reported


def test_every_attribute_of_ours_is_on_the_page(spans: Sequence[ReadableSpan]) -> None:
    words = re.findall(r'`([a-z_.]+)`', PAGE)
    keys = {key for span in spans for key in span.attributes or {} if key.startswith('toolscript.')}
    assert {key for key in keys if key not in words and f'.{key.rpartition(".")[2]}' not in words} == set()


def test_the_picture_is_small_and_on_the_page() -> None:
    assert PICTURE.stat().st_size < 100_000
    assert f'(pictures/{PICTURE.name})' in PAGE
