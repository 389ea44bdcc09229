"""`toolscript run`."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from .approvals import decider
from .call import listed, write_value
from .connections import opened
from .console import notes
from .exits import CommandError, Exit
from .options import Approve, Inputs, TargetText
from .script_runs import Ended, Progress, for_scripts, run_script


def run_command(
    target: TargetText,
    script: Annotated[
        Path | None, typer.Argument(help='A file of Python; - for stdin; none to type it in.', show_default=False)
    ] = None,
    approve: Approve = None,
    inputs: Inputs = None,
    quiet: Annotated[bool, typer.Option('--quiet', '-q', help='Do not show the calls.')] = False,
) -> None:
    """Run a script against the real tools, as if a model had sent it.

    Its calls are shown on stderr as they happen; stdout has what it prints, and then its result: text as it is, all
    else as JSON. Without a script, type Python in: TAB completes functions, ?function explains one.

    Examples:

    toolscript run mcp.json report.py > report.json

    echo 'await git_log(repo_path=".")' | toolscript run mcp.json -

    toolscript run shop.tools:orders
    """
    if script is None and sys.stdin.isatty():
        from .repl import repl

        asyncio.run(repl(target, approve or [], inputs or [], calls=not quiet))
        return
    ended = asyncio.run(_run(target, code_of(script), approve or [], inputs or [], calls=not quiet))
    if ended.error is not None:
        show_failure(ended.error)
        raise typer.Exit(Exit.NO)
    if ended.result is not None:
        write_value(ended.result)


def code_of(script: Path | None) -> str:
    """The script: that of a file, or stdin's.

    Raises:
        CommandError: It cannot be read.
    """
    file = None if script is None or str(script) == '-' else script
    try:
        return (sys.stdin.buffer.read() if file is None else file.read_bytes()).decode('utf-8-sig')
    except UnicodeDecodeError as error:
        name = file or 'standard input'
        raise CommandError(f'{name} is not UTF-8 text ({error.reason}); save it as UTF-8.', Exit.TARGET) from error
    except OSError as error:
        raise CommandError(f'{script} cannot be read: {error.strerror}.', Exit.TARGET) from error


def show_failure(error: str) -> None:
    """Show why a script failed, with nothing before it that would shift the carets below its lines."""
    notes().print('toolscript: the script failed.', style='red' if sys.stderr.isatty() else None)
    notes().print(error, soft_wrap=True)


async def _run(text: str, code: str, approve: list[str], inputs: list[str], *, calls: bool) -> Ended:
    async with opened(text, inputs) as live:
        progress = Progress(calls=calls)
        tools = for_scripts(live.toolset, await listed(live.toolset))
        ended = await run_script(tools, code, progress=progress, decide=decider(approve))
        progress.finish(ended.stdout)
        return ended
