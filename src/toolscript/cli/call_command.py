"""`toolscript call`."""

import asyncio
import sys
from typing import Annotated, Any

import pydantic_core
import typer
from pydantic_ai.messages import BinaryContent

from toolscript.cli.arguments import read_arguments
from toolscript.cli.calling import call, listed, pick, together
from toolscript.cli.console import complain, write
from toolscript.cli.exits import CommandError, Exit
from toolscript.cli.opening import opened
from toolscript.cli.shared_options import Approve, Inputs, TargetText


def call_command(
    target: TargetText,
    tool: Annotated[str, typer.Argument(help='The name of the tool.', show_default=False)],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar='[KEY=VALUE]...', help="Typed by the tool's schema; KEY:=JSON, KEY=@FILE.", show_default=False
        ),
    ] = None,
    approve: Approve = None,
    inputs: Inputs = None,
) -> None:
    """Call one tool, and print what it gives.

    Text is printed as it is, all else as JSON. Ends with 1 if the tool fails.

    Examples:

    toolscript call mcp.json git_log repo_path=. max_count:=3

    toolscript call shop.tools:orders order text=@letter.txt urgent=true
    """
    given = asyncio.run(_call(target, tool, arguments or [], approve or [], inputs or []))
    if given.failed:
        complain(str(given.content))
        raise typer.Exit(Exit.NO)
    _write(given.content)


async def _call(text: str, name: str, words: list[str], approve: list[str], inputs: list[str]) -> Any:
    async with opened(text, inputs) as (_, live):
        toolset = together(live)
        definition = pick(name, await listed(toolset))
        arguments = read_arguments(words, definition.parameters_json_schema)
        return await call(toolset, name, arguments, approve=tuple(approve))


def _write(content: object) -> None:
    if isinstance(content, BinaryContent):
        if sys.stdout.isatty():
            raise CommandError(f'{name_of(content)}; write it to a file: toolscript call … > FILE', Exit.USAGE)
        sys.stdout.buffer.write(content.data)
    elif isinstance(content, str):
        write(content)
    else:
        write(pydantic_core.to_json(content, indent=2, fallback=str).decode())


def name_of(content: BinaryContent) -> str:
    """What a file is, in words."""
    return f'{content.media_type}, {len(content.data):,} bytes'
