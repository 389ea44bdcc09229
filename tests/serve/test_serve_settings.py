"""`toolscript.toml`: its settings, and its mistakes, all at once."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

from toolscript import Files, Limits, ToolRule, Undo
from toolscript.cli.app import app
from toolscript.mistakes import TargetError
from toolscript.serve.settings import ServeSettings, read_settings, settings_beside


def refused(tmp_path: Path, text: str) -> str:
    file = tmp_path / 'toolscript.toml'
    file.write_text(text)
    with pytest.raises(TargetError) as error:
        read_settings(file)
    return str(error.value).replace(str(tmp_path), '.')


def test_the_file_has_rules_and_settings(tmp_path: Path) -> None:
    file = tmp_path / 'toolscript.toml'
    file.write_text("""\
default_callers = "both"
files = { folders = { "/data" = "." } }
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
        files=Files(folders={'/data': '.'}),
        limits=Limits(max_script_seconds=5),
        rules=[
            ToolRule(['push', 'reset'], server='git', requires_approval=True),
            ToolRule('read_*', server='sqlite', mark_read_only=True),
            ToolRule(read_only=False, requires_approval=True),
            ToolRule(timeout=60),
        ],
    )


def test_all_mistakes_are_reported_with_their_places(tmp_path: Path) -> None:
    text = """\
defalt_callers = "code"
defer = "sometimes"
max_result_chars = "many"
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
./toolscript.toml has 10 mistakes:
  limits.max_calls: Input should be a valid integer (it is 'few').
  limits.script_second: unknown key; is 'max_script_seconds' meant?
  max_result_chars: Input should be a valid integer (it is 'many').
  rules[0].server: Input should be a valid string (it is 7).
  rules[0].tool: unknown key; is 'tools' meant?
  rules[1].requires_approval: Input should be a valid boolean (it is 'perhaps').
  rules[2]: ToolRule('only_this') has no setting; add one of mark_read_only, hidden, allowed_callers, defer_loading, requires_approval, timeout, max_calls, max_result_chars, undo, plan_writes.
  rules[3]: timeout of ToolRule is -1.0; use a number of seconds above 0.
  defer: Input should be 'marked' or 'auto' (it is 'sometimes').
  defalt_callers: unknown key; is 'default_callers' meant?\
""")


def test_a_value_with_alternatives_has_one_mistake(tmp_path: Path) -> None:
    text = 'sessions = {folder = 1}\n[[rules]]\ntools = 3\n'
    assert refused(tmp_path, text) == snapshot("""\
./toolscript.toml has 2 mistakes:
  sessions.folder: unknown key; there are store, ttl, max_bytes, wait, max_sessions, max_total_bytes.
  rules[0].tools: Input should be a valid string (it is 3).\
""")


def test_invalid_toml_is_reported_with_its_line(tmp_path: Path) -> None:
    text = 'defer = "all"\ntool_errors = \'type\n'
    assert refused(tmp_path, text) == snapshot('./toolscript.toml: not valid TOML: Expected "\'" (at end of document).')


def test_a_value_outside_of_its_limits_is_refused(tmp_path: Path) -> None:
    assert 'max_script_seconds' in refused(tmp_path, '[limits]\nscript_seconds = -1\n')
    assert 'max_result_chars is 0; use a whole number of at least 1' in refused(tmp_path, 'max_result_chars = 0')


def test_the_settings_file_is_found_beside_the_target(tmp_path: Path) -> None:
    target = tmp_path / 'mcp.json'
    target.write_text('{}')
    (tmp_path / 'toolscript.toml').write_text('defer = "marked"')
    settings, file = settings_beside(str(target), None)
    assert (settings.defer, file) == ('marked', tmp_path / 'toolscript.toml')


@pytest.mark.parametrize(
    ('options', 'message'),
    [
        (['--port', '99'], 'only --http takes --port; add --http, or remove it.'),
        (['--host', 'here', '--allow-host', 'a'], 'only --http takes --host and --allow-host;'),
        (['--http', '--token', 'secret', '--no-token'], 'use either --token or --no-token.'),
    ],
)
def test_options_without_effect_are_refused(options: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ['serve', '--example', *options], env={'TOOLSCRIPT_TOKEN': 'of all shells'})
    assert done.exit_code == 2
    assert message in done.output


def test_a_rule_in_toml_defines_the_inverse_of_a_tool(tmp_path: Path) -> None:
    file = tmp_path / 'toolscript.toml'
    file.write_text(
        '[[rules]]\ntools = "create_issue"\nundo = { tool = "close_issue", number = "{result.number}" }\n'
        '[[rules]]\ntools = "send_*"\nundo = "none"\n'
    )
    assert [rule.undo for rule in read_settings(file).rules] == [Undo('close_issue', number='{result.number}'), 'none']
    file.write_text('[[rules]]\ntools = "send_*"\nundo = "never"\n')
    with pytest.raises(TargetError):
        read_settings(file)
