"""`toolscript run`."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import pydantic_core
import typer
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from .approvals import decided
from .calling import listed, together
from .console import complain, write
from .exits import CommandError, Exit
from .opening import opened
from .scripts.one_script import Ended, run_script
from .scripts.repl import repl
from .scripts.seen_calls import SeenCalls
from .scripts.under_code_mode import for_scripts
from .shared_options import Approve, Inputs, TargetText


def run_command(
    target: TargetText,
    script: Annotated[
        Path | None, typer.Argument(help='A file of Python; - for stdin; none to type it in.', show_default=False)
    ] = None,
    approve: Approve = None,
    inputs: Inputs = None,
    quiet: Annotated[bool, typer.Option('--quiet', '-q', help='Do not tell the calls.')] = False,
) -> None:
    """Run a script against the real tools, as if a model had sent it.

    Its calls are told on stderr as they happen; stdout has what it prints, and then its result: text as it is, all else
    as JSON. Without a script, type Python in: TAB completes functions, ?function explains one.

    Examples:

    toolscript run mcp.json report.py > report.json

    echo 'await git_log(repo_path=".")' | toolscript run mcp.json -

    toolscript run shop.tools:orders
    """
    if script is None and sys.stdin.isatty():
        repl(target, approve or [], inputs or [], calls=not quiet)
        return
    ended = asyncio.run(_run(target, code_of(script), approve or [], inputs or [], calls=not quiet))
    if ended.error is not None:
        complain(ended.error)
        raise typer.Exit(Exit.NO)
    if isinstance(ended.result, str):
        write(ended.result)
    elif ended.result is not None:
        write(pydantic_core.to_json(ended.result, indent=2, fallback=str).decode())


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


async def _run(text: str, code: str, approve: list[str], inputs: list[str], *, calls: bool) -> Ended:
    async with opened(text, inputs) as (_, live):
        tools = together(live)
        seen = SeenCalls(calls=calls)

        async def decide(requests: DeferredToolRequests) -> DeferredToolResults:
            return decided(requests, approve)

        ended = await run_script(for_scripts(tools, await listed(tools)), code, seen=seen, decide=decide)
        seen.finish(ended.stdout)
        return ended
