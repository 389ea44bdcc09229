"""The example of the page on watching runs, and tells what it says."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent

from tests.docs import ROOT, run_blocks
from tests.toolscript.scripted import Script, run_code, streaming
from toolscript.observability.script_calls import MOST_CHARS, ROOM
from toolscript.scripts.event_buffer import MOST_EVENTS

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


@pytest.mark.usefixtures('without_keys')
async def test_the_page_goes_as_told(capsys: pytest.CaptureFixture[str]) -> None:
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
    told = [f'{MOST_EVENTS:,} events', f'{ROOM:,} characters', f'{MOST_CHARS:,} characters']
    page = (ROOT / 'docs' / 'watching.md').read_text()
    assert [one for one in told if one not in page] == []
