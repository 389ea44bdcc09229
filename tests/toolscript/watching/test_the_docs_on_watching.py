"""The example of the page on watching runs, and tells what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent

from tests.toolscript.scripted import Script, run_code, streaming
from toolscript.running.held_events import MOST_EVENTS
from toolscript.watching.call_log import ROOM
from toolscript.watching.glimpse import MOST_CHARS

pytestmark = pytest.mark.anyio

PAGE = (Path(__file__).parents[3] / 'docs' / 'watching.md').read_text()


async def test_the_page_goes_as_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'none')
    names: dict[str, Any] = {'__name__': 'docs'}
    (example,) = re.findall(r'```python\n(.*?)```', PAGE, re.DOTALL)
    exec(compile(example, 'watching.md', 'exec', dont_inherit=True), names)
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
    assert [one for one in told if one not in PAGE] == []
