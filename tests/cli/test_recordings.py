"""`toolscript record`, `replay` and `show`."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from toolscript.cli.app import app
from toolscript.testing import RecordedRun, replay

SHOP, RENAMED = 'tests.cli.shop', 'tests.cli.renamed'
SCRIPT = """\
orders = await orders_of(2)
print('refunding', orders[0]['id'])
done = await refund(order_id=orders[0]['id'])
try:
    await broken()
except OSError as error:
    print(error)
[done, len(orders)]
"""


@pytest.fixture(scope='module')
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with an approval, prints, and a tool that fails."""
    folder = tmp_path_factory.mktemp('recordings')
    (folder / 'script.py').write_text(SCRIPT)
    file = folder / 'refund.json'
    done = _command('record', f'{SHOP}:tools', str(folder / 'script.py'), '-o', str(file), '--approve', 'refund')
    assert (done.exit_code, done.stdout) == (0, 'refunding 20\nthe printer is on fire\n')
    return file


def test_a_run_replays_without_its_tools(recording: Path) -> None:
    done = _command('replay', str(recording))
    assert (done.exit_code, done.stdout) == (0, '')
    assert done.stderr == 'all calls and answers are as recorded\n'


def test_differences_in_a_replay_are_reported(recording: Path, tmp_path: Path) -> None:
    run = RecordedRun.read(recording)
    other = replace(run.calls[0], result=[{'id': 99, 'total': 1.0}])
    file = tmp_path / 'other.json'
    run.model_copy(update={'calls': [other, *run.calls[1:]]}).write(file)
    done = _command('replay', str(file))
    assert done.exit_code == 1
    assert 'The recording has no decision about this call.' in done.stdout
    assert 'A call to refund is missing.' in done.stdout


@pytest.mark.parametrize('target', [f'{SHOP}:agent', f'{RENAMED}:prefixed', f'{RENAMED}:renamed'])
def test_an_agents_run_is_recorded_and_replayed(tmp_path: Path, target: str) -> None:
    file = tmp_path / 'orders.json'
    done = _command('record', target, '--prompt', 'What was ordered?', '-o', str(file))
    assert done.exit_code == 0
    run = RecordedRun.read(file)
    assert [call.tool_name for call in run.calls] == ['orders_of']
    assert replay(run).differences == ()
    assert 'user: What was ordered?' in _command('show', str(file)).stdout


@pytest.mark.parametrize('target', ['prefixed', 'renamed', 'combined'])
def test_a_script_is_recorded_under_any_name_of_run_code(tmp_path: Path, target: str) -> None:
    script, file = tmp_path / 'script.py', tmp_path / 'run.json'
    script.write_text('len(await orders_of(2))')
    assert _command('run', f'{RENAMED}:{target}', str(script)).stdout == '2\n'
    assert _command('record', f'{RENAMED}:{target}', str(script), '-o', str(file)).exit_code == 0
    assert [call.tool_name for call in RecordedRun.read(file).calls] == ['orders_of']
    assert replay(file).differences == ()


def test_a_replay_gives_scripts_the_results_that_json_lacks(tmp_path: Path) -> None:
    script, file = tmp_path / 'script.py', tmp_path / 'run.json'
    script.write_text('await odd()')
    odd = "def odd() -> list[object]:\n    return [float('nan'), bytes([255])]\n"
    (tmp_path / 'odd.py').write_text(f'from toolscript import FunctionToolset\n{odd}tools = FunctionToolset([odd])\n')
    assert _command('record', f'{tmp_path}/odd.py:tools', str(script), '-o', str(file)).exit_code == 0
    assert [call.result for call in RecordedRun.read(file).calls] == [['NaN', '_w==']]
    assert replay(file).differences == ()


def test_a_recording_is_shown_as_text_and_as_a_page(recording: Path, tmp_path: Path) -> None:
    output = _command('show', str(recording)).stdout
    assert "  line 3: refund(order_id=20) → '100% of order 20 refunded'" in output
    assert 'paused, and resumed in a later run' in output
    page = tmp_path / 'page.html'
    assert _command('show', str(recording), '--html', str(page)).exit_code == 0
    assert page.read_text().startswith('<!doctype html>')
    nowhere = page / 'page.html'
    done = _command('show', str(recording), '--html', str(nowhere))
    assert (done.exit_code, done.stderr) == (3, f'toolscript: {nowhere} cannot be written: Not a directory.\n')


def test_a_file_that_is_no_recording_is_named(tmp_path: Path) -> None:
    file = tmp_path / 'run.json'
    file.write_text('{')
    done = _command('show', str(file))
    assert (done.exit_code, done.stderr.partition('.json')[0]) == (3, f'toolscript: {file}'.removesuffix('.json'))


def test_without_the_folder_of_the_recording_nothing_runs(recording: Path) -> None:
    file = recording / 'run.json'
    done = _command('record', f'{SHOP}:tools', str(recording.with_name('script.py')), '-o', str(file))
    assert (done.exit_code, done.stderr) == (3, f'toolscript: {file} cannot be written: there is no such folder.\n')


def test_an_existing_recording_is_not_overwritten(recording: Path) -> None:
    done = _command('record', f'{SHOP}:agent', '--prompt', 'x', '-o', str(recording))
    assert (done.exit_code, done.stderr) == (2, f'toolscript: {recording} exists already; --force overwrites it.\n')


def _command(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments])
