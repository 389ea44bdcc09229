"""The example of the page on reading runs gives what the page shows."""

from pathlib import Path

import pytest

from tests.docs import ROOT, blocks, run_blocks
from tests.toolscript.history.shop import plain
from toolscript.history import Bounds

PAGE = (ROOT / 'docs' / 'reading.md').read_text()


@pytest.mark.usefixtures('loop', 'without_keys')
def test_the_example_gives_what_the_page_shows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run_blocks('docs/reading.md')
    (shown,) = blocks('docs/reading.md', 'text')[:1]
    assert plain(capsys.readouterr().out).strip() == plain(shown).strip()
    assert '<h1>The shop</h1>' in (tmp_path / 'run.html').read_text()


def test_the_bounds_are_those_that_the_page_names() -> None:
    bounds = Bounds()
    first = bounds.requests // 4
    reported = [f'{bounds.chars:,} characters are', f'{bounds.calls} calls', f'{bounds.parts} parts']
    reported += [f'first {first} and the last {bounds.requests - first}', f'{bounds.all_chars:,} characters']
    assert [one for one in reported if one not in PAGE] == []
