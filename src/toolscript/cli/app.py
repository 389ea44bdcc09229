"""The command line."""

import asyncio
import logging
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from .terminal import CommandError, Exit, complain

COMMANDS = {
    'call': ('call', 'Call one tool, and print its result.'),
    'inspect': ('inspect', 'Show what a model sees, and what it costs in tokens.'),
    'search': ('search', 'Search the tools as a model would, and see why each is found.'),
    'run': ('run', 'Run a script against the real tools, as if a model had sent it.'),
    'undo': ('undo', 'List what a script changed, the latest first, and with --commit undo it.'),
    'serve': ('serve', 'Serve the tools of a target to any MCP client, as code mode.'),
    'record': ('recordings', 'Record a run: its messages, and what each call returned.'),
    'replay': ('recordings', 'Replay a recording: no model is asked, and no tool is called.'),
    'show': (
        'recordings',
        'Show a run: what the model read and wrote, its scripts with their calls, and their results.',
    ),
}
"""The module of each command and the first line of its help, by name, because importing all modules would be slow."""


class Commands(TyperGroup):
    """Imports only the command that runs. Errors are printed as a few lines on stderr, and become exit codes."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, (_, first_line) in COMMANDS.items():
            self.add_command(TyperCommand(name, help=first_line))

    # Releases of typer either depend on click or include a copy of it.

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else _whole(name), rest

    def invoke(self, ctx: Any) -> object:
        try:
            return super().invoke(ctx)
        except CommandError as error:
            complain(str(error))
            raise typer.Exit(error.code) from error
        except (KeyboardInterrupt, asyncio.CancelledError) as error:
            raise typer.Exit(Exit.INTERRUPTED) from error
        except Exception as error:
            from pydantic_ai import UserError

            from toolscript.mistakes import ConfigError

            if not isinstance(error, ConfigError | ImportError | UserError):
                raise
            complain(str(error))
            raise typer.Exit(Exit.TARGET) from error


def _whole(name: str) -> Any:
    one = typer.Typer(rich_markup_mode='rich', add_completion=False)
    one.command(name)(getattr(import_module(f'.{COMMANDS[name][0]}', __package__), f'{name}_command'))
    return typer.main.get_command(one)


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
        from importlib.metadata import version

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
