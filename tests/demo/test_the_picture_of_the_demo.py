"""The picture in the README shows what the demo prints."""

import html
import re
from pathlib import Path

import pytest
from pydantic_ai.mcp import MCPToolset

from demo import database
from demo.__main__ import both_ways
from demo.picture import PICTURE, drawn, excerpt, recording

pytestmark = pytest.mark.anyio


@pytest.mark.long
async def test_the_picture_shows_what_the_demo_prints_now(
    git_server: MCPToolset[object], repository: Path, tmp_path: Path
) -> None:
    console = recording()
    assert await both_ways(console, None, database.create(tmp_path / 'shop.db'), repository, [git_server])
    shown = _read(PICTURE.read_text())
    assert 'What it took' in shown
    assert _words(shown) == _words(_read(drawn(excerpt(console))))


async def test_the_picture_loads_nothing_from_elsewhere() -> None:
    assert set(re.findall(r'https?://[^"\s]+', PICTURE.read_text())) == {'http://www.w3.org/2000/svg'}


def _read(svg: str) -> str:
    """The text of a picture, line by line."""
    rows: dict[str, list[str]] = {}
    for height, text in re.findall(r'<text [^>]*\by="([\d.]+)"[^>]*>(.*?)</text>', svg):
        rows.setdefault(height, []).append(html.unescape(text).replace('\xa0', ' '))
    return '\n'.join(''.join(row) for row in rows.values())


def _words(text: str) -> list[str]:
    """What does not depend on the servers that can be had, on where the repository is, and on pydantic-ai."""
    lines = [line for line in text.splitlines() if not re.search('haracters|search_tool|made by the model', line)]
    return re.sub(r'\S*(routing|repository\d*)\b', 'routing', re.sub(r'[│╭╮╰╯─]', ' ', ' '.join(lines))).split()
