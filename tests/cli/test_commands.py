"""`toolscript call`, `run` and `search`. `commands.txt` has their output."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.text_cases import TextCase, text_cases
from toolscript.cli.app import COMMANDS, app
from toolscript.cli.terminal import write_value

SHOP = 'tests.cli.shop:tools'


def _ran(command: str, stdin: str = '') -> Result:
    return CliRunner().invoke(app, shlex.split(command.replace('SHOP', SHOP)), input=stdin)


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('commands.txt')), ids=str)
def test_a_command_prints_its_help(case: TextCase) -> None:
    """Lines after the command are its stdin; after `! ` comes its stderr, and below that its stdout."""
    command, _, stdin = case.given.partition('\n')
    done = _ran(command, stdin)
    reported = ''.join(f'! {line}\n' for line in re.sub(r'\d+ ms', '1 ms', done.stderr).splitlines())
    assert f'ends with {done.exit_code}\n{reported}{done.stdout}' == f'{case.expected}\n'


def test_the_general_help_imports_no_command() -> None:
    code = "import sys; from toolscript.cli.app import app; app(['--help'], standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    *_, modules = done.stdout.splitlines()
    assert {'pydantic_ai', 'pydantic', 'toolscript_sandbox'}.isdisjoint(modules.split())
    assert 'Call one tool' in done.stdout


@pytest.mark.parametrize('name', COMMANDS)
def test_the_general_help_has_the_first_line_of_each_command(name: str) -> None:
    assert COMMANDS[name][1] in ' '.join(_ran(f'{name} --help').stdout.split())


def test_a_file_result_is_written_as_bytes_and_others_as_the_model_reads_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _ran('call SHOP photo').stdout_bytes == b'\x89PNG'
    write_value([b'\xff'])
    assert capsys.readouterr().out == '[\n  "_w=="\n]\n'


def test_a_script_may_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / 'script.py').write_text('1 + 1')
    assert _ran(f'run SHOP {tmp_path}/script.py').stdout == '2\n'


@pytest.mark.long
def test_a_result_that_cannot_be_written_completely_is_reported(tmp_path: Path) -> None:
    command = [sys.executable, '-m', 'toolscript', 'call', SHOP, 'label', 'text=größe']
    with Path('/dev/full').open('w') as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, 'toolscript: the result cannot be written: No space left on device.\n')
    ascii_only = {**os.environ, 'PYTHONIOENCODING': 'ascii'}
    shown = subprocess.run(command, capture_output=True, text=True, env=ascii_only, check=True)
    assert shown.stdout == 'gr\\xf6\\xdfe x1 None\n'


def _json(*arguments: str) -> list[dict[str, Any]]:
    return json.loads(_ran(shlex.join(['search', 'SHOP', *arguments, '--json'])).stdout)


def test_parts_that_the_model_does_not_receive_are_marked() -> None:
    shown = [each['shown'] for each in _json('order', '-n', '1')]
    assert shown == sorted(shown, reverse=True)
    assert shown.count(True) == 1


def test_a_name_finds_its_tool() -> None:
    assert [each['name'] for each in _json('select:label')] == ['label']
