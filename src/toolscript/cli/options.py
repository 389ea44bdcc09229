"""Arguments that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from .console import remark
from .exits import CommandError, Exit

TARGET_HELP = 'An mcp.json as Claude, Cursor or VS Code write it, or module:attribute of a toolset or an agent.'
TargetText = Annotated[str, typer.Argument(metavar='TARGET', help=TARGET_HELP, show_default=False)]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        '--input', metavar='ID=VALUE', help="A value for ${input:ID} in VS Code's configuration.", show_default=False
    ),
]
Approve = Annotated[
    list[str] | None,
    typer.Option(
        '--approve',
        metavar='TOOL',
        help="Approve this tool's calls without asking; '*' for all tools.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option('--json', help='As JSON, for scripts.')]
Recording = Annotated[Path, typer.Argument(help='A file that toolscript record wrote.', show_default=False)]


def write_file(file: Path, text: str) -> None:
    """Write a file, and say so on stderr.

    Raises:
        CommandError: It cannot be written.
    """
    try:
        file.write_text(text, 'utf-8')
    except OSError as error:
        raise CommandError(f'{file} cannot be written: {error.strerror}.', Exit.TARGET) from error
    remark(f'written: {file}')
