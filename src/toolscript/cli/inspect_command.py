"""`toolscript inspect`."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from toolscript.cli.console import remark, results, working, write
from toolscript.cli.exits import CommandError, Exit
from toolscript.cli.inspecting.as_json import inspection_json
from toolscript.cli.inspecting.as_page import inspection_page
from toolscript.cli.inspecting.as_text import inspection_text
from toolscript.cli.inspecting.inspection import Inspection, inspected
from toolscript.cli.opening import opened
from toolscript.cli.shared_options import Inputs, TargetText


def inspect_command(
    target: TargetText,
    html: Annotated[
        Path | None, typer.Option(metavar='FILE', help='Write it as one page instead.', show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option('--json', help='As JSON, for scripts.')] = False,
    strict: Annotated[bool, typer.Option('--strict', help='End with 1 if there are warnings.')] = False,
    brief: Annotated[bool, typer.Option('--brief', help='Leave out the text that a model is shown.')] = False,
    every: Annotated[bool, typer.Option('--all', help='List all tools and warnings, however many.')] = False,
    prompt: Annotated[str, typer.Option(help='What the user says in the first request.')] = 'Hello.',
    inputs: Inputs = None,
) -> None:
    """Show what a model would be shown, and what it takes.

    The first request word for word, then one after a discovery; tokens of each tool as a JSON tool and as a signature;
    how rarely a tool has to be needed for deferring it to pay; and what to mend. Nothing is called.

    Examples:

    toolscript inspect mcp.json

    toolscript inspect shop.agents:support --prompt 'Refund order 17' --html support.html

    toolscript inspect mcp.json --json --strict > inspected.json
    """
    inspection = asyncio.run(_inspected(target, inputs or [], prompt))
    if html is not None:
        try:
            html.write_text(inspection_page(inspection), 'utf-8')
        except OSError as error:
            raise CommandError(f'{html} cannot be written: {error.strerror}.', Exit.TARGET) from error
        remark(f'written: {html}')
    elif as_json:
        write(inspection_json(inspection))
    else:
        width = max(60, results().width) if sys.stdout.isatty() else 80
        write(inspection_text(inspection, brief=brief, every=every, width=width))
    if strict and inspection.warnings:
        remark(f'{len(inspection.warnings):,} warnings')
        raise typer.Exit(Exit.NO)


async def _inspected(text: str, inputs: list[str], prompt: str) -> Inspection:
    async with opened(text, inputs) as (target, live):
        with working('looking at the tools …'):
            return await inspected(target, live, prompt)
