"""The targets of a command."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolscript.cli.app import app
from toolscript.cli.connections import connected
from toolscript.cli.target import load_target
from toolscript.mcp.server_names import names_with_server
from toolscript.mistakes import TargetError

SHOP = 'tests.cli.shop'
ISSUES = Path(__file__).parent.parent / 'servers' / 'issues.py'


def test_a_toolset_of_a_module_is_a_target() -> None:
    target = load_target(f'{SHOP}:tools')
    assert [source.name for source in target.sources] == ['shop']
    assert target.agent is None


def test_an_agent_is_a_target_with_its_toolsets() -> None:
    target = load_target('tests/cli/shop.py:agent')
    assert target.agent is not None
    assert [source.toolset for source in target.sources] == [*target.agent.toolsets]


@pytest.mark.parametrize(
    ('text', 'reported'),
    [
        ('nothing', 'there is no such file; name an mcp.json, or module:attribute of a toolset or an agent (shop.tools:orders).'),
        (f'{SHOP}:toools', "tests.cli.shop has no 'toools'. It has tools (FunctionToolset), in_code_mode (CodeModeToolset), agent (Agent), agent_with_deps (Agent), followed (Agent), followed_tools (CodeModeToolset)."),
        (f'{SHOP}:number', 'is an int. A target is a toolset, a list of them, or an agent.'),
        (f'{SHOP}:label', 'is a function; name what it returns. A target is a toolset, a list of them, or an agent.'),
        ('tests.cli.gone:tools', "there is no module 'tests.cli.gone' in {here} or among the installed packages."),
        ('gone.py:tools', 'there is no file gone.py.'),
    ],
)  # fmt: skip
def test_an_error_explains_why_something_is_not_a_target(text: str, reported: str) -> None:
    with pytest.raises(TargetError) as error:
        load_target(text)
    assert str(error.value) == f'{text}: {reported.format(here=Path.cwd())}'


@pytest.mark.parametrize(
    ('server', 'names', 'outside'),
    [
        ('git', ['git_log', 'status'], ['git_log', 'git_status']),
        ('my server', ['my-server.go', 'my_serverless'], ['my-server.go', 'my_server_my_serverless']),
        ('git', ['git_log', 'log'], ['git_git_log', 'git_log']),
        ('日本', ['log'], ['server_cf2abf_log']),
        ('中国', ['log'], ['server_f0e952_log']),
    ],
)
def test_tools_are_named_after_their_server(server: str, names: list[str], outside: list[str]) -> None:
    assert [*names_with_server(server, names).values()] == outside


async def test_a_server_that_does_not_start_leaves_the_others_usable(tmp_path: Path) -> None:
    file = _config(
        tmp_path, gone={'command': 'no-such-program'}, ends={'command': sys.executable, 'args': ['-c', 'raise Trouble']}
    )
    async with connected(load_target(str(file), logs=tmp_path)) as live:
        down = live.down
    assert live.sources == ()
    assert down['gone'] == "there is no program 'no-such-program'; install it, or write its full path."
    assert down['ends'].endswith("It wrote: NameError: name 'Trouble' is not defined")
    assert '\n' not in down['ends']


def test_a_tool_of_a_real_server_is_called_and_only_that_server_starts(tmp_path: Path) -> None:
    file = _config(tmp_path, issues={'command': sys.executable, 'args': [str(ISSUES)]}, gone={'command': 'no-such'})
    done = CliRunner().invoke(app, ['call', str(file), 'issues_get_issue', 'about=2'])
    assert done.stderr == ''
    assert (done.exit_code, done.stdout) == (0, 'get_issue: 2\n')


def _config(folder: Path, **servers: object) -> Path:
    file = folder / 'mcp.json'
    file.write_text(json.dumps({'mcpServers': servers}))
    return file
