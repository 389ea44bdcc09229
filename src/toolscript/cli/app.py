"""The command line."""

import logging

import typer

from toolscript.cli.call_command import call_command
from toolscript.cli.exits import Commands
from toolscript.cli.inspect_command import inspect_command
from toolscript.cli.record_command import record_command
from toolscript.cli.replay_command import replay_command
from toolscript.cli.run_command import run_command
from toolscript.cli.search_command import search_command
from toolscript.cli.serve_command import serve_command
from toolscript.cli.show_command import show_command

app: typer.Typer = typer.Typer(
    name='toolscript',
    cls=Commands,
    help='See, try and run the tools of MCP servers and agents as a model gets them. docs/cli.md has it all.',
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode='rich',
)


@app.callback()
def _main() -> None:
    # What a tool's failure leaves in the log is told by the command itself.
    logging.getLogger('toolscript').addHandler(logging.NullHandler())


app.command('inspect')(inspect_command)
app.command('search')(search_command)
app.command('call')(call_command)
app.command('run')(run_command)
app.command('serve')(serve_command)
app.command('record')(record_command)
app.command('replay')(replay_command)
app.command('show')(show_command)
