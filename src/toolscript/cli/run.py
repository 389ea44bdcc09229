"""`toolscript run`: runs a script with the actual tools of a target, as if a model had sent it."""

import asyncio
import json
import sys
from collections.abc import AsyncIterable, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import Annotated, Any, TypeAlias

import typer
from pydantic_ai import Agent, AgentStreamEvent, ModelMessage, RunContext
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset, ToolsetTool, WrapperToolset

from toolscript.approvals.decisions import resolve
from toolscript.approvals.pending import pending_calls
from toolscript.code_mode_toolset import CodeModeToolset
from toolscript.discovery.searchable_toolset import SearchableToolset
from toolscript.durability.snapshots import Snapshots
from toolscript.observability.events import ScriptCallEvent, ScriptPrintEvent, ScriptResultEvent
from toolscript.routing.placement import first_listed
from toolscript.run_code.history import result_in
from toolscript.run_code.tool import RunCodeTool
from toolscript.sessions.sessions import Sessions
from toolscript.testing import script_model

from .approvals import decider, run_deciding
from .connections import listed, opened
from .terminal import Approve, CommandError, Exit, Inputs, TargetText, notes, remark, write_value

Wrap: TypeAlias = Callable[[AbstractToolset[Any]], AbstractToolset[Any]]
ChangeCodeMode: TypeAlias = Callable[[CodeModeToolset[Any]], CodeModeToolset[Any]]

_MAX_CHARS = 100_000_000
"""Terminals and pipes get results in full."""
_MAX_SHOWN = 200
_NOT_PLANNED = '--plan needs a target whose tools can all be planned; no rule may say otherwise.'
_EVENTS_HAVE = 4_000
"""The maximum length of the text in a print event: an event of this length may be truncated."""


@dataclass(frozen=True)
class Ended:
    messages: tuple[ModelMessage, ...]
    stdout: str
    result: Any
    error: str | None
    """Why it failed, as the model would read it."""


def run_command(
    target: TargetText,
    script: Annotated[
        Path | None, typer.Argument(help='A file of Python; - for stdin; none to type it in.', show_default=False)
    ] = None,
    approve: Approve = None,
    inputs: Inputs = None,
    plan: Annotated[
        bool, typer.Option('--plan', help='Show the changes that the script would make, and make none.')
    ] = False,
    quiet: Annotated[bool, typer.Option('--quiet', '-q', help='Do not show the calls.')] = False,
) -> None:
    """Run a script against the real tools, as if a model had sent it.

    stderr shows its calls as they happen; stdout has what it prints, and then its result: text as it is, everything
    else as JSON. Without a script, type Python: TAB completes functions, ?function explains one.

    Examples:

    toolscript run mcp.json report.py > report.json

    echo 'await git_log(repo_path=".")' | toolscript run mcp.json -

    toolscript run shop.tools:orders
    """
    if script is None and sys.stdin.isatty() and not plan:
        from .repl import repl

        asyncio.run(repl(target, approve or [], inputs or [], calls=not quiet))
        return
    if plan:
        write_value(asyncio.run(_plan(target, code_of(script), inputs or [], calls=not quiet)))
        return
    ended = asyncio.run(_run(target, code_of(script), approve or [], inputs or [], calls=not quiet))
    if ended.error is not None:
        show_failure(ended.error)
        raise typer.Exit(Exit.NO)
    if ended.result is not None:
        write_value(ended.result)


def code_of(script: Path | None) -> str:
    """Return the script from a file or from stdin. Raises `CommandError` if the script cannot be read."""
    file = None if script is None or str(script) == '-' else script
    try:
        return (sys.stdin.buffer.read() if file is None else file.read_bytes()).decode('utf-8-sig')
    except UnicodeDecodeError as error:
        name = file or 'standard input'
        raise CommandError(f'{name} is not UTF-8 text ({error.reason}); save it as UTF-8.', Exit.TARGET) from error
    except OSError as error:
        raise CommandError(f'{script} cannot be read: {error.strerror}.', Exit.TARGET) from error


def show_failure(error: str) -> None:
    """Show why a script failed, without a prefix that would misalign the carets below its lines."""
    notes().print('toolscript: the script failed.', style='red' if sys.stderr.isatty() else None)
    notes().print(error, soft_wrap=True)


async def _run(text: str, code: str, approve: list[str], inputs: list[str], *, calls: bool) -> Ended:
    async with opened(text, inputs) as live:
        progress = Progress(calls=calls)
        tools = for_scripts(live.toolset, await listed(live.toolset))
        ended = await run_script(tools, code, progress=progress, decide=decider(approve))
        progress.finish(ended.stdout)
        return ended


async def _plan(text: str, code: str, inputs: list[str], *, calls: bool) -> str:
    from toolscript.plans.rows import plan_text

    shown = list[str]()

    async def show(requests: DeferredToolRequests) -> DeferredToolResults:
        waiting = pending_calls(requests)
        planned = [call for call in waiting if call.row is not None]
        shown.append(plan_text(planned) if planned else '\n'.join(call.render() for call in waiting))
        scripts = {call.script_id for call in waiting if call.script_id is not None}
        return resolve(requests, dict.fromkeys(scripts, False))

    async with opened(text, inputs) as live:
        progress = Progress(calls=calls)
        tools = for_scripts(live.toolset, await listed(live.toolset))
        if not has_code_mode(tools):
            raise CommandError(_NOT_PLANNED)
        ended = await run_script(_planned(tools), code, progress=progress, decide=show)
    if not shown and ended.error is not None:
        show_failure(ended.error)
        raise typer.Exit(Exit.NO)
    return shown[0] if shown else 'The script changes nothing.'


def _planned(toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
    """Return the toolset with plans of all changes. Raises `CommandError` if a rule exempts tools."""

    def change(code_mode: CodeModeToolset[Any]) -> CodeModeToolset[Any]:
        if any(rule.plan_writes is False for rule in code_mode.rules):
            raise CommandError(_NOT_PLANNED)
        return replace(code_mode, plan_writes=True, wrapped=_planned(code_mode.wrapped))

    return _with_code_mode(toolset, change, lambda other: other)


def for_scripts(
    toolset: AbstractToolset[Any],
    offered: Mapping[str, ToolsetTool[Any]],
    *,
    sessions: Sessions | None = None,
    wrap: Wrap | None = None,
) -> AbstractToolset[Any]:
    """Return the tools behind `run_code`, with untruncated results; `wrap` is around the tools beneath it."""
    tools = beneath(toolset, wrap) if wrap else toolset
    if first_listed(offered, RunCodeTool) is None:
        # A waiting script can resume only in this process, so nothing else needs the key.
        snapshots = Snapshots(key=token_hex())
        searchable = SearchableToolset(tools, defer='auto')
        tools = CodeModeToolset(searchable, snapshots=snapshots, tool_errors='message')

    def change(code_mode: CodeModeToolset[Any]) -> CodeModeToolset[Any]:
        lasting = code_mode.sessions if sessions is None else sessions
        return replace(code_mode, sessions=lasting, max_result_chars=_MAX_CHARS, show_result_shapes=False)

    return _with_code_mode(tools, change, lambda other: other)


def beneath(toolset: AbstractToolset[Any], wrap: Wrap) -> AbstractToolset[Any]:
    """Return the toolset with `wrap` around its tools, beneath code mode and search, if any."""

    def change(code_mode: CodeModeToolset[Any]) -> CodeModeToolset[Any]:
        return replace(code_mode, wrapped=beneath(code_mode.wrapped, wrap))

    if isinstance(toolset, SearchableToolset):
        return replace(toolset, wrapped=beneath(toolset.wrapped, wrap))
    return _with_code_mode(toolset, change, wrap)


def _with_code_mode(toolset: AbstractToolset[Any], change: ChangeCodeMode, wrap: Wrap) -> AbstractToolset[Any]:
    """Return the toolset with its code mode changed, which other toolsets may wrap, and `wrap` around all others."""
    match toolset:
        case CodeModeToolset():
            return change(toolset)
        case WrapperToolset() if has_code_mode(toolset):
            return replace(toolset, wrapped=_with_code_mode(toolset.wrapped, change, wrap))
        case CombinedToolset() if has_code_mode(toolset):
            return replace(toolset, toolsets=[_with_code_mode(one, change, wrap) for one in toolset.toolsets])
        case _:
            return wrap(toolset)


def has_code_mode(toolset: AbstractToolset[Any]) -> bool:
    """Return whether the toolset is a code mode, alone, wrapped or combined with other toolsets."""
    match toolset:
        case CodeModeToolset():
            return True
        case WrapperToolset():
            return has_code_mode(toolset.wrapped)
        case CombinedToolset():
            return any(map(has_code_mode, toolset.toolsets))
        case _:
            return False


class Progress:
    """Writes calls to stderr and a script's output to stdout while it runs."""

    def __init__(self, *, calls: bool = True) -> None:
        self._shows_calls = calls
        self._printed = ''
        self._lacks_some = False

    async def follow(self, ctx: RunContext[Any], events: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in events:
            match event:
                case ScriptCallEvent() if self._shows_calls:
                    line = '' if event.line is None else f'line {event.line}: '
                    arguments = ', '.join(f'{name}={_short(value)}' for name, value in event.arguments.items())
                    remark(f'{line}{event.tool_name}({arguments})')
                case ScriptResultEvent() if self._shows_calls:
                    seconds = f'{event.seconds:.1f} s' if event.seconds >= 1 else f'{event.seconds * 1000:.0f} ms'
                    remark(f'  {_outcome(event)}  ({seconds}{", reused" if event.reused else ""})')
                case ScriptPrintEvent():
                    self._print(event.text)
                case _:
                    pass

    def finish(self, printed: str) -> None:
        sys.stdout.write(printed.removeprefix(self._printed))
        sys.stdout.flush()
        self._printed, self._lacks_some = '', False

    def _print(self, text: str) -> None:
        self._lacks_some = self._lacks_some or len(text) >= _EVENTS_HAVE
        if not self._lacks_some:
            self._printed += text
            sys.stdout.write(text)
            sys.stdout.flush()


async def run_script(
    toolset: AbstractToolset[Any],
    code: str,
    *,
    progress: Progress,
    decide: Callable[[DeferredToolRequests], Awaitable[DeferredToolResults]],
) -> Ended:
    """Run a script as if a model had sent it. Raises `CommandError` if a tool raised an exception that ends a run."""
    agent = Agent(script_model(code), toolsets=[toolset], output_type=[str, DeferredToolRequests])
    follow = progress.follow
    messages = await run_deciding(agent, 'Run the script.', decide, 'the script ended', event_stream_handler=follow)
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    for part in reversed(parts):
        if isinstance(part, ToolReturnPart) and part.outcome == 'success':
            value, beside = result_in(part.content)
            return Ended(tuple(messages), str(beside.get('stdout', '')), value, None)
        if isinstance(part, ToolReturnPart):
            return Ended(tuple(messages), '', None, str(part.content))
    raise CommandError('the script returned nothing.')


def _outcome(event: ScriptResultEvent) -> str:
    match event.status:
        case 'finished':
            return f'→ {event.tool_name}: {_short(event.result)}'
        case 'failed':
            return f'✗ {event.tool_name}: {event.error}'
        case 'waiting':
            return f'… {event.tool_name} waits'
        case _:
            return f'? {event.tool_name} was cancelled'


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MAX_SHOWN else f'{text[:_MAX_SHOWN]}…'
