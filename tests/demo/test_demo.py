"""The demo: its shop, its job by code and by direct calls, its output and its picture."""

import html
import re
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.tools import ToolDefinition
from rich.console import Console

from demo import database, installation, job
from demo.__main__ import both_ways
from demo.agents import code_agent, direct_agent
from demo.by_hand import by_hand
from demo.database import Database
from demo.in_code import in_code
from demo.job import Fact
from demo.picture import PICTURE, drawn, excerpt, recording
from demo.screen import Metered, Screen
from demo.scripted import scripted


@pytest.fixture
def shop_database(tmp_path: Path) -> Database:
    return database.create(tmp_path / 'shop.db')


def test_the_answer_of_the_demo_is_stable(shop_database: Database) -> None:
    assert [fact.text for fact in job.facts(shop_database)] == snapshot(
        ['east', '16,430.25', 'Leon Krause', 'Carla Krause', 'Kaja Adler', 'Hugo', 'Lindholm']
    )


RAN = Counter(today=1, list_regions=1, orders_placed=10, shipment_of=210, customer=3, git_log=1, git_show=1)


async def test_a_script_finds_the_answer(
    shop_database: Database, git_server: MCPToolset[object], repository: Path
) -> None:
    screen = Screen(recording(), frozenset())
    model = Metered(scripted(in_code), screen)
    result = await code_agent(model, [git_server], screen.called).run(job.prompt(repository), deps=shop_database)
    assert job.missing(result.output, job.facts(shop_database)) == []
    assert (screen.runs, model.totals.turns, model.totals.calls) == (RAN, 3, 4)


async def test_direct_calls_find_the_same_answer(
    shop_database: Database, git_server: MCPToolset[object], repository: Path
) -> None:
    screen = Screen(recording(), frozenset())
    model = Metered(scripted(by_hand), screen)
    result = await direct_agent(model, [git_server], screen.called).run(job.prompt(repository), deps=shop_database)
    assert job.missing(result.output, job.facts(shop_database)) == []
    assert (screen.runs, model.totals.turns, model.totals.calls) == (RAN, 7, 227)


def test_an_answer_is_compared_with_the_database(shop_database: Database) -> None:
    facts = job.facts(shop_database)
    assert job.missing('EAST: 16430.25, thanks to Leon Krause, Carla Krause and Kaja Adler.', facts) == snapshot(
        [Fact(what='who made the commit', text='Hugo'), Fact(what='what it changed', text='Lindholm')]
    )


FOUND = '{"tools":[{"name":"order","description":"Look up.","signature":"def order(id: int) -> str: ..."}]}'


def test_a_run_reads_from_top_to_bottom() -> None:
    screen = Screen(Console(file=StringIO(), width=72), frozenset({'order', 'refund'}))
    before = ToolDefinition(name='run_code', description='Run Python.')
    after = ToolDefinition(name='run_code', description='Run Python.\n\ndef order(id: int) -> str: ...')
    search = ToolDefinition(name='search', description='Find tools.')

    screen.headline('As a script')
    screen.shown(1, [search, before], [])
    screen.answered(ModelResponse([ToolCallPart('search', {'query': 'order'})]))
    screen.shown(2, [search, after], [ToolReturnPart('search', FOUND)])
    screen.answered(ModelResponse([ToolCallPart('run_code', {'code': '[order(n) for n in range(14)]'})]))
    for number in range(14):
        screen.called('order', {'id': number})
    screen.called('refund', {'id': 3, 'reason': 'a reason that is much too long'})
    screen.shown(3, [search, after], [ToolReturnPart('run_code', 'x' * 500)])
    screen.answer('All is well.', [], checked=2)

    assert _text(screen) == snapshot("""\

───────────────────────────── As a script ──────────────────────────────

Turn 1
  The model is shown 2 tools, 128 characters: search, run_code
  ╭─ run_code ───────────────────────────────────────────────────────╮
  │ Run Python.                                                      │
  ╰──────────────────────────────────────────────────────────────────╯
  The model calls search
    search(query="order")
  search returned 98 characters, with the signatures of order

Turn 2
  The model is shown 2 tools, 162 characters: search, run_code
  ╭─ new in run_code ────────────────────────────────────────────────╮
  │ def order(id: int) -> str: ...                                   │
  ╰──────────────────────────────────────────────────────────────────╯
  The model calls run_code
  ╭─ run_code ───────────────────────────────────────────────────────╮
  │ [order(n) for n in range(14)]                                    │
  ╰──────────────────────────────────────────────────────────────────╯
    order (0) (1) (2) (3) (4) (5) (6) (7) (8) (9) (10) (11) (12) (13)
    refund (3, …n that is much too long)
  run_code returned 500 characters:
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  xxxxxxxxxxxxxxxxxxxx …

Turn 3
╭─────────────────────────────── Answer ───────────────────────────────╮
│ All is well.                                                         │
╰──────────────────────────────────────────────────────────────────────╯
  ✓ all 2 facts agree with the database\
""")


def _text(screen: Screen) -> str:
    assert isinstance(screen.console.file, StringIO)
    return '\n'.join(line.rstrip() for line in screen.console.file.getvalue().splitlines())


@pytest.mark.long
async def test_the_picture_shows_what_the_demo_prints_now(
    git_server: MCPToolset[object], repository: Path, tmp_path: Path
) -> None:
    console = recording()
    assert await both_ways(console, None, database.create(tmp_path / 'shop.db'), repository, [git_server])
    shown = _read(PICTURE.read_text())
    assert 'What it took' in shown
    assert _words(shown) == _words(_read(drawn(excerpt(console))))


async def test_the_picture_loads_no_external_resource() -> None:
    assert set(re.findall(r'https?://[^"\s]+', PICTURE.read_text())) == {'http://www.w3.org/2000/svg'}


def _read(svg: str) -> str:
    """Return the text of a picture, line by line."""
    rows: dict[str, list[str]] = {}
    for height, text in re.findall(r'<text [^>]*\by="([\d.]+)"[^>]*>(.*?)</text>', svg):
        rows.setdefault(height, []).append(html.unescape(text).replace('\xa0', ' '))
    return '\n'.join(''.join(row) for row in rows.values())


def _words(text: str) -> list[str]:
    """Return the parts that do not depend on installed servers, the path of the repository, or pydantic-ai."""
    lines = [line for line in text.splitlines() if not re.search('haracters|search_tool|made by the model', line)]
    return re.sub(r'\S*(routing|repository\d*)\b', 'routing', re.sub(r'[│╭╮╰╯─]', ' ', ' '.join(lines))).split()


# -- environments of MCP servers are created once for each lock, and errors say why one cannot be created


@pytest.fixture
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate folder of locks and environments."""
    folder = tmp_path / 'locks'
    folder.mkdir()
    monkeypatch.setattr('demo.installation._LOCKS', folder)
    monkeypatch.setattr('demo.installation._ENVIRONMENTS', tmp_path / 'environments')
    return folder


def test_an_environment_is_reused_until_its_lock_changes(locks: Path) -> None:
    (locks / 'small.lock').write_text('# nothing\n')
    python = installation.python_environment('small')
    assert python.exists()
    mark = python.parent / 'mark'
    mark.touch()

    installation.python_environment('small')
    assert mark.exists()

    (locks / 'small.lock').write_text('# nothing at all\n')
    installation.python_environment('small')
    assert not mark.exists()


def test_a_failed_installation_is_retried(locks: Path) -> None:
    (locks / 'broken.lock').write_text('--no-such-option\n')
    with pytest.raises(installation.CannotInstall, match=r'^uv pip failed: ') as failed:
        installation.python_environment('broken')
    assert not failed.value.needs_node

    (locks / 'broken.lock').write_text('# nothing\n')
    assert installation.python_environment('broken').exists()
