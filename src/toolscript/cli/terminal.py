"""Shared by all commands: options, output to stdout and stderr, and exit codes."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

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


class Exit(IntEnum):
    """Exit codes, as documented in docs/cli.md."""

    DONE = 0
    NO = 1
    """The command ran, but with a negative result: a tool or a script failed, a replay differs, or there are warnings
    with `--strict`."""
    USAGE = 2
    """The command line is invalid."""
    TARGET = 3
    """The target, or another file, cannot be used."""
    DOWN = 4
    """No server of the target can be reached."""
    INTERRUPTED = 130
    """Ctrl-C."""


class CommandError(Exception):
    """An error that ends the command; the message says what to do."""

    def __init__(self, message: str, code: Exit = Exit.NO) -> None:
        super().__init__(message)
        self.code = code


def results() -> Console:
    """Return the console for results: colours only in a terminal without `NO_COLOR`; 80 columns without a terminal."""
    return Console(markup=False, highlight=False, emoji=False)


def notes() -> Console:
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def write(text: str) -> None:
    """Write a result as it is, neither coloured nor wrapped."""
    sys.stdout.write(text if text.endswith('\n') else f'{text}\n')


def write_value(value: object) -> None:
    from toolscript.results.values import as_json

    write(value if isinstance(value, str) else as_json(value, indent=2))


def complain(text: str) -> None:
    """Print an error; escape sequences in its text have no effect on the terminal."""
    _note(f'toolscript: {text}', 'red')


def remark(text: str) -> None:
    _note(text, 'dim')


def _note(text: str, style: str) -> None:
    from toolscript_signatures import with_visible

    notes().print(with_visible(text), style=style if sys.stderr.isatty() else None, soft_wrap=True)


@contextmanager
def working(what: str) -> Generator[None]:
    console = notes()
    if not console.is_terminal:
        yield
        return
    with console.status(what):
        yield


def write_file(file: Path, text: str) -> None:
    """Write a file, and report that on stderr. Raises `CommandError` if the file cannot be written."""
    try:
        file.write_text(text, 'utf-8')
    except OSError as error:
        raise CommandError(f'{file} cannot be written: {error.strerror}.', Exit.TARGET) from error
    remark(f'written: {file}')
