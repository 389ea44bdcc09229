"""`toolscript undo`: undoes what a script changed."""

import asyncio
from collections.abc import Collection
from typing import Annotated

import typer
from pydantic_ai import Agent, UserError
from pydantic_ai.models.test import TestModel

from toolscript.undoing.report import UndoReport
from toolscript.undoing.undo import undo

from .connections import opened
from .terminal import Approve, CommandError, Exit, Inputs, TargetText, write_value


def undo_command(
    target: TargetText,
    script_id: Annotated[str, typer.Argument(help='The id of the script: of its run_code call.', show_default=False)],
    commit: Annotated[bool, typer.Option('--commit', help='Undo it. Otherwise it is only listed.')] = False,
    approve: Approve = None,
    inputs: Inputs = None,
) -> None:
    """List what a script changed, the latest first, and with --commit undo it.

    The exit code is 1 if anything is not undone.

    Examples:

    toolscript undo shop.agents:support call_17

    toolscript undo shop.agents:support call_17 --commit
    """
    report = asyncio.run(_undo(target, script_id, approve or [], inputs or [], commit=commit))
    write_value(report.render())
    if commit and not report.is_complete:
        raise typer.Exit(Exit.NO)


async def _undo(text: str, script_id: str, approve: Collection[str], inputs: list[str], *, commit: bool) -> UndoReport:
    async with opened(text, inputs) as live:
        agent = Agent(TestModel(), toolsets=[live.toolset])
        try:
            report = await undo(script_id, agent, commit=commit)
            approved = [
                call.tool_call_id for call in report.having('waits') if {call.undo_tool_name, '*'}.intersection(approve)
            ]
            if not approved:
                return report
            return await undo(script_id, agent, commit=report, decisions=dict.fromkeys(approved, True))
        except UserError as error:
            raise CommandError(error.message) from error
