"""`toolscript show`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from toolscript.cli.console import remark, results, write
from toolscript.cli.exits import CommandError, Exit
from toolscript.history import Transcript, render_html, render_text, transcript_of
from toolscript.testing import RecordedRun

_NARROWEST = 20


def show_command(
    recording: Annotated[
        Path,
        typer.Argument(help='What toolscript record wrote, or result.all_messages_json().', show_default=False),
    ],
    html: Annotated[
        Path | None, typer.Option(metavar='FILE', help='Write it as one page instead.', show_default=False)
    ] = None,
) -> None:
    """Show a run: what the model was shown, its scripts with their calls, and what came of them.

    Examples:

    toolscript show refund.json

    toolscript show refund.json --html refund.html
    """
    told = _transcript(recording)
    if html is None:
        write(render_text(told, width=max(_NARROWEST, results().width) if sys.stdout.isatty() else 80))
        return
    try:
        html.write_text(render_html(told, title=recording.stem), 'utf-8')
    except OSError as error:
        raise CommandError(f'{html} cannot be written: {error.strerror}.', Exit.TARGET) from error
    remark(f'written: {html}')


def _transcript(file: Path) -> Transcript:
    """What a recording tells, or any history.

    Raises:
        CommandError: It is neither.
    """
    try:
        data = file.read_bytes()
        if data.lstrip()[:1] == b'[':
            return transcript_of(data)
        return transcript_of(RecordedRun.read(file).messages)
    except OSError as error:
        raise CommandError(f'{file} cannot be read: {error.strerror}.', Exit.TARGET) from error
    except ValueError as error:
        raise CommandError(f'{error}', Exit.TARGET) from error
