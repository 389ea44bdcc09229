"""How the command ends."""

import asyncio
from enum import IntEnum

import typer
from pydantic_ai import UserError
from typer.core import TyperGroup

from toolscript.discovery.search_config import ConfigError

from .console import complain


class Exit(IntEnum):
    """Exit codes; docs/cli.md has them."""

    DONE = 0
    NO = 1
    """It was done, and the answer is no: a tool or a script failed, a replay differs, there are warnings with
    `--strict`."""
    USAGE = 2
    """The command line is wrong."""
    TARGET = 3
    """The target, or another file, cannot be used."""
    DOWN = 4
    """No server of the target can be reached."""
    INTERRUPTED = 130
    """Ctrl-C."""


class CommandError(Exception):
    """Something that ends the command; the message says what to do."""

    def __init__(self, message: str, code: Exit = Exit.NO) -> None:
        super().__init__(message)
        self.code = code


class Commands(TyperGroup):
    """Commands whose errors are one line or a few on stderr, and become exit codes."""

    def invoke(self, ctx: typer.Context) -> object:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Run the command."""
        try:
            return super().invoke(ctx)
        except CommandError as error:
            complain(str(error))
            raise typer.Exit(error.code) from error
        except (ConfigError, ImportError, UserError) as error:
            complain(str(error))
            raise typer.Exit(Exit.TARGET) from error
        except (KeyboardInterrupt, asyncio.CancelledError) as error:
            raise typer.Exit(Exit.INTERRUPTED) from error
