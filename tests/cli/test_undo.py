"""`toolscript undo`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from toolscript.cli.app import app
from toolscript.cli.terminal import Exit

SHOP = """
from pathlib import Path
from pydantic_ai import Agent
from tests.toolscript.scripted import Script, streaming
from tests.toolscript.undoing.shop import Shop
from pydantic_ai.messages import ToolCallPart
from toolscript import CodeModeToolset, Snapshots, SqliteStore, ToolRule
here = Path(__file__).parent
shop = Shop(here / 'shop.db')
snapshots = Snapshots(key='the key of the tests', store=SqliteStore(here / 'state.db'))
call = ToolCallPart('run_code', {'code': 'await refund(order=1, amount=5)\\nawait refund(order=2, amount=6)'}, 'call_17')
agent = Agent(streaming(Script([call])), toolsets=[CodeModeToolset(shop.tools, snapshots=snapshots)])
careful = CodeModeToolset(shop.tools, snapshots=snapshots, rules=[ToolRule('take_back', requires_approval=True)])
tools = shop.tools
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a shop, after a run of its agent."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'a_shop.py').write_text(SHOP)
    ran = CliRunner().invoke(app, ['record', 'a_shop.py:agent', '--prompt', 'go', '-o', 'ran.json'])
    assert ran.exit_code == 0, ran.output
    return tmp_path


def _undo(*words: str) -> Result:
    return CliRunner().invoke(app, ['undo', *words])


def test_a_script_is_listed_and_then_undone(shop: Path) -> None:
    listed = _undo('a_shop.py:agent', 'call_17')
    listing = """\
refund(order=2, amount=6) can be undone by take_back(refund=1002)
refund(order=1, amount=5) can be undone by take_back(refund=1001)
"""
    assert (listed.exit_code, listed.stdout) == (0, listing)
    done = _undo('a_shop.py:agent', 'call_17', '--commit')
    assert (done.exit_code, done.stdout) == (0, listing.replace('can be undone', 'was undone'))
    again = _undo('a_shop.py:agent', 'call_17', '--commit')
    assert (again.exit_code, again.stdout) == (done.exit_code, done.stdout)


def test_inverses_that_need_an_approval_get_it_on_the_command_line(shop: Path) -> None:
    waits = _undo('a_shop.py:careful', 'call_17', '--commit')
    assert (waits.exit_code, waits.stdout.count('waits for an approval')) == (1, 2)
    done = _undo('a_shop.py:careful', 'call_17', '--commit', '--approve', 'take_back')
    assert (done.exit_code, done.stdout.count('was undone')) == (0, 2)


def test_a_target_without_code_mode_is_refused(shop: Path) -> None:
    refused = _undo('a_shop.py:tools', 'call_17')
    message = 'toolscript: There is no code mode here; name the agent or CodeModeToolset whose script it is.\n'
    assert (refused.exit_code, refused.stderr) == (Exit.NO, message)
