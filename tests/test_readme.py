"""The examples of README and of the tutorial print the documented output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs import LIVE_MODEL, ROOT, blocks, run_block
from tests.toolscript.history.shop import plain
from tests.toolscript.scripted import Script, run_code, search

FIRST, SERVERS = blocks('README.md')
SHOP, REFUNDS = blocks('docs/tutorial.md')
RUN, SIGNATURE, APPROVED = blocks('docs/tutorial.md', 'text')


@pytest.mark.pydantic_ai
def test_the_first_example_prints_the_documented_result_without_a_key(tmp_path: Path) -> None:
    program = tmp_path / 'pasted.py'
    program.write_text(FIRST)
    environment = {'PATH': os.environ['PATH'], 'HOME': str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, program], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert ran.stderr == ''
    assert [ran.stdout] == blocks('README.md', 'text')


@pytest.mark.usefixtures('loop', 'without_keys')
def test_three_lines_connect_the_servers_of_a_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    server = {'command': sys.executable, 'args': [str(ROOT / 'tests' / 'servers' / 'odd.py'), '[]']}
    (tmp_path / 'mcp.json').write_text(json.dumps({'mcpServers': {'office': server}}))
    monkeypatch.chdir(tmp_path)
    model = "script_model('await office_add(a=1, b=2)')"
    exec('from toolscript.testing import script_model\n' + LIVE_MODEL.sub(model, SERVERS), {'__name__': 'pasted'})
    assert capfd.readouterr().out == 'add of odd\n'


@pytest.mark.usefixtures('loop', 'without_keys')
def test_the_tutorial_prints_the_documented_output(capsys: pytest.CaptureFixture[str]) -> None:
    run_block(SHOP + REFUNDS, {'__name__': 'pasted'})
    printed = capsys.readouterr().out
    assert plain(printed.removesuffix(APPROVED)).strip() == plain(RUN).strip()
    assert printed.endswith(APPROVED)


@pytest.mark.usefixtures('loop', 'without_keys')
@pytest.mark.pydantic_ai
def test_the_signature_of_a_found_tool_is_shown() -> None:
    names: dict[str, Any] = {'__name__': 'tutorial'}
    run_block(SHOP, names)
    model = Script([run_code('await orders_of(1)'), 'done', search('orders')])
    with names['agent'].override(model=model.model):
        names['agent'].run_sync('What did customers 1 to 3 spend?')
        names['agent'].run_sync('Hello')
    assert {*model.shown[0]} == {'pai_tool_search_tool', 'run_code'}
    shown = [SIGNATURE.strip() in (tools['run_code'].description or '') for tools in model.shown]
    assert shown == [True, True, False, True]


def test_the_tutorial_installs_as_the_readme_does() -> None:
    assert blocks('docs/tutorial.md', 'sh') == blocks('README.md', 'sh')


def test_readme_has_at_most_1100_words() -> None:
    assert len((ROOT / 'README.md').read_text().split()) <= 1_100
