"""`toolscript replay`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from toolscript.cli.console import remark, working, write
from toolscript.cli.exits import CommandError, Exit
from toolscript.testing import RecordedRun, replay
from toolscript_signatures import with_visible

_TEST = '''\
"""What {target} did is what it does; written by toolscript replay --as-test."""

from pathlib import Path

from toolscript.testing import replay


def test_{name}_replays() -> None:
    replayed = replay(Path(__file__).parent / {file!r})
    assert list(map(str, replayed.differences)) == []
'''


def replay_command(
    recording: Annotated[Path, typer.Argument(help='What toolscript record wrote.', show_default=False)],
    as_test: Annotated[bool, typer.Option('--as-test', help='Write a test for pytest that replays it.')] = False,
    output: Annotated[
        Path | None,
        typer.Option('--output', '-o', metavar='FILE', help='Where the test goes; test_NAME.py.', show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option('--force', help='Write over a file that is there.')] = False,
) -> None:
    """Replay a recording: no model is asked, and no tool is called.

    Its scripts run in the sandbox with the results that were recorded. What comes out otherwise is told, and ends it
    with 1.

    Examples:

    toolscript replay report.json

    toolscript replay report.json --as-test -o tests/test_report.py
    """
    run = read_recording(recording)
    with working('replaying …'):
        differences = replay(run).differences
    if differences:
        write(with_visible('\n'.join(map(str, differences))))
        raise typer.Exit(Exit.NO)
    remark(f'{len(run.calls):,} calls and all answers are as recorded')
    if as_test:
        _write_test(run, recording, output or recording.with_name(f'test_{_name_of(recording)}.py'), force=force)


def read_recording(file: Path) -> RecordedRun:
    """A recording.

    Raises:
        CommandError: It cannot be read, or is none.
    """
    try:
        return RecordedRun.read(file)
    except OSError as error:
        raise CommandError(f'{file} cannot be read: {error.strerror}.', Exit.TARGET) from error
    except ValueError as error:
        raise CommandError(str(error), Exit.TARGET) from error


def _write_test(run: RecordedRun, recording: Path, output: Path, *, force: bool) -> None:
    if output.exists() and not force:
        raise CommandError(f'{output} is there already; --force writes over it, -o FILE takes another.', Exit.USAGE)
    file = os.path.relpath(recording.resolve(), output.resolve().parent)
    target = ''.join(letter for letter in run.target if letter.isprintable() and letter not in '"\\') or 'this run'
    try:
        output.write_text(_TEST.format(target=target, name=_name_of(recording), file=file), 'utf-8')
    except OSError as error:
        raise CommandError(f'{output} cannot be written: {error.strerror}.', Exit.TARGET) from error
    remark(f'written: {output}')


def _name_of(recording: Path) -> str:
    return ''.join(letter if letter.isascii() and letter.isalnum() else '_' for letter in recording.stem).lower()
