"""The command line."""

import logging
from importlib.metadata import version
from typing import Annotated

import typer

from .call import call_command
from .inspect import inspect_command
from .recordings import record_command, replay_command, show_command
from .run import run_command
from .search import search_command
from .serve import serve_command
from .terminal import Commands
from .undo import undo_command

app: typer.Typer = typer.Typer(
    name='toolscript',
    cls=Commands,
    help='See, try and run the tools of MCP servers and agents as a model gets them.',
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode='rich',
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f'toolscript {version("toolscript")}')
        raise typer.Exit


@app.callback()
def _main(
    _: Annotated[
        bool, typer.Option('--version', callback=_print_version, is_eager=True, help='Print the version.')
    ] = False,
) -> None:
    # The command itself prints what a tool's failure leaves in the log.
    logging.getLogger('toolscript').addHandler(logging.NullHandler())


app.command('call')(call_command)
app.command('inspect')(inspect_command)
app.command('search')(search_command)
app.command('run')(run_command)
app.command('undo')(undo_command)
app.command('serve')(serve_command)
app.command('record')(record_command)
app.command('replay')(replay_command)
app.command('show')(show_command)
