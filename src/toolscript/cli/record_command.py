"""`toolscript record`."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from toolscript.cli.calling import listed, together
from toolscript.cli.console import complain, remark
from toolscript.cli.exits import CommandError, Exit
from toolscript.cli.opening import opened
from toolscript.cli.recorder import Recorder
from toolscript.cli.run_command import code_of
from toolscript.cli.seen_calls import SeenCalls
from toolscript.cli.shared_options import Approve, Inputs, TargetText
from toolscript.cli.under_code_mode import for_scripts
from toolscript.testing import RecordedRun

_FILE = Path('run.json')


def record_command(
    target: TargetText,
    script: Annotated[
        Path | None, typer.Argument(help='A file of Python to run; - for stdin.', show_default=False)
    ] = None,
    output: Annotated[Path, typer.Option('--output', '-o', metavar='FILE', help='Where to keep it.')] = Path(
        'run.json'
    ),
    prompt: Annotated[
        str | None, typer.Option(help='Let a model answer this, instead of a script.', show_default=False)
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar='PROVIDER:NAME', help="The model, if not the agent's own.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option('--force', help='Write over a file that is there.')] = False,
    approve: Approve = None,
    inputs: Inputs = None,
) -> None:
    """Record a run: its messages, and what each call gave.

    The recording holds arguments and results as they were; who may not see those should not get it.

    Examples:

    toolscript record mcp.json report.py -o report.json

    toolscript record shop.agents:support --prompt 'Refund order 17' -o refund.json
    """
    if (script is None) == (prompt is None):
        raise CommandError('give a script, or --prompt with what a user says.', Exit.USAGE)
    if output.exists() and not force:
        raise CommandError(f'{output} is there already; --force writes over it.', Exit.USAGE)
    code = code_of(script) if script is not None else ''
    run, error = asyncio.run(_recorded(target, code, prompt, model, approve or [], inputs or []))
    try:
        run.write(output)
    except OSError as failed:
        raise CommandError(f'{output} cannot be written: {failed.strerror}.', Exit.TARGET) from failed
    remark(f'written: {output} ({len(run.calls):,} calls)')
    if error is not None:
        complain(error)
        raise typer.Exit(Exit.NO)


async def _recorded(
    text: str, code: str, prompt: str | None, model: str | None, approve: list[str], inputs: list[str]
) -> tuple[RecordedRun, str | None]:
    async with opened(text, inputs) as (target, live):
        recorder, seen = Recorder(text, approve), SeenCalls()
        tools = together(live)
        offered = [*await listed(tools)]
        if prompt is None:
            ended = await recorder.script(tools, offered, code, seen)
            return recorder.recording(ended.messages), ended.error
        if target.agent is None and model is None:
            raise CommandError(f'{text} is no agent, so --prompt needs a --model.', Exit.USAGE)
        return await recorder.prompt(target.agent or for_scripts(tools, offered), prompt, model, seen), None
