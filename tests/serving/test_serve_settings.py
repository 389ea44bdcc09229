"""`toolscript.toml`: what it may say, and its mistakes, all at once."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

from toolscript import Limits, ToolRule
from toolscript.command.app import app
from toolscript.command.serve_command import tell_of_target
from toolscript.command.serving.settings import ServeSettings, read_settings, settings_beside
from toolscript.command.targets import TargetError, load_target


def refused(tmp_path: Path, text: str) -> str:
    file = tmp_path / 'toolscript.toml'
    file.write_text(text)
    with pytest.raises(TargetError) as error:
        read_settings(file)
    return str(error.value).replace(str(tmp_path), '.')


def test_the_file_says_rules_and_settings(tmp_path: Path) -> None:
    file = tmp_path / 'toolscript.toml'
    file.write_text("""\
default_callers = "both"
[limits]
max_script_seconds = 5
[[rules]]
server = "git"
tools = ["push", "reset"]
requires_approval = true
[[rules]]
server = "sqlite"
tools = "read_*"
mark_read_only = true
[[rules]]
read_only = false
requires_approval = true
[[rules]]
timeout = 60
""")
    assert read_settings(file) == ServeSettings(
        default_callers='both',
        limits=Limits(max_script_seconds=5),
        rules=[
            ToolRule(['push', 'reset'], server='git', requires_approval=True),
            ToolRule('read_*', server='sqlite', mark_read_only=True),
            ToolRule(read_only=False, requires_approval=True),
            ToolRule(timeout=60),
        ],
    )


def test_a_mistake_in_each_line_is_told_with_its_line(tmp_path: Path) -> None:
    text = """\
defalt_callers = "code"
defer = "sometimes"
max_result_chars = "many"
tool_errors = 'type
[limits]
script_second = 3
max_calls = "few"
[[rules]]
server = 7
tool = "x"
[[rules]]
requires_approval = "perhaps"
[[rules]]
tools = "only_this"
[[rules]]
tools = "x"
timeout = -1
"""
    assert refused(tmp_path, text) == snapshot("""\
./toolscript.toml has 11 mistakes:
  line 1, defalt_callers: unknown key; is "default_callers" meant?
  line 2, defer: Input should be 'marked', 'auto' or 'all' (it is 'sometimes').
  line 3, max_result_chars: Input should be a valid integer (it is 'many').
  line 4: not valid TOML: Expected "'".
  line 6, limits.script_second: unknown key; is "max_script_seconds" meant?
  line 7, limits.max_calls: Input should be a valid integer (it is 'few').
  line 9, rules[0].server: Input should be a valid string (it is 7).
  line 10, rules[0].tool: unknown key; is "tools" meant?
  line 12, rules[1].requires_approval: Input should be a valid boolean (it is 'perhaps').
  line 13, rules[2]: ToolRule('only_this') settles nothing; give it one of mark_read_only, hidden, allowed_callers, defer_loading, requires_approval, timeout, max_calls, max_result_chars.
  line 15, rules[3]: timeout of ToolRule is -1.0; use a number of seconds above 0.\
""")


def test_it_is_found_beside_the_target(tmp_path: Path) -> None:
    target = tmp_path / 'mcp.json'
    target.write_text('{}')
    (tmp_path / 'toolscript.toml').write_text('defer = "all"')
    settings, file = settings_beside(str(target), None)
    assert (settings.defer, file) == ('all', tmp_path / 'toolscript.toml')


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match='No such file or directory'):
        settings_beside('shop:tools', tmp_path / 'other.toml')


def test_a_target_in_code_mode_is_told_to_take_no_rules(capsys: pytest.CaptureFixture[str]) -> None:
    tell_of_target(load_target('tests.command.shop:agent'), Path('toolscript.toml'))
    assert capsys.readouterr().err == ''
    tell_of_target(load_target('tests.command.shop:in_code_mode'), Path('toolscript.toml'))
    told = 'is in code mode already, as its module sets it up: of toolscript.toml, only max_result_chars holds.'
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ('options', 'told'),
    [
        (['--port', '99'], 'only --http takes --port; add --http, or leave it away.'),
        (['--host', 'here', '--allow-host', 'a'], 'only --http takes --host and --allow-host;'),
        (['--http', '--token', 'secret', '--no-token'], '--token closes what --no-token opens; give one of them.'),
    ],
)
def test_options_that_would_do_nothing_are_refused(options: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ['serve', '--example', *options], env={'TOOLSCRIPT_TOKEN': 'of all shells'})
    assert done.exit_code == 2
    assert told in done.output
