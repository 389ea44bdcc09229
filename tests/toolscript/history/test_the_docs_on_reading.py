"""The example of the page on reading runs gives what the page shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.toolscript.history.shop import plain
from toolscript.history import Bounds

pytestmark = pytest.mark.anyio

PAGE = (Path(__file__).parents[3] / 'docs' / 'reading.md').read_text()


async def test_the_example_gives_what_the_page_shows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {'__name__': 'docs'}
    (example,) = re.findall(r'```python\n(.*?)```', PAGE, re.DOTALL)
    exec(compile(example, 'reading.md', 'exec', dont_inherit=True), names)
    await names['main']()
    shown = re.findall(r'```text\n(.*?)```', PAGE, re.DOTALL)[0]
    told = re.sub(r'^tool .*\n(?:  .*\n|\n(?=  ))*', '', capsys.readouterr().out, flags=re.MULTILINE)
    assert plain(told).strip() == plain(shown).strip()
    assert '<h1>The shop</h1>' in text_of(tmp_path / 'run.html')


def text_of(file: Path) -> str:
    return file.read_text()


def test_the_bounds_are_those_that_the_page_names() -> None:
    bounds = Bounds()
    first = bounds.requests // 4
    told = [f'{bounds.chars:,} characters are', f'{bounds.calls} calls', f'{bounds.parts} parts']
    told += [f'first {first} and the last {bounds.requests - first}', f'{bounds.all_chars:,} characters']
    assert [one for one in told if one not in PAGE] == []
