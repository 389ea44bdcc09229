"""`toolscript record`, `replay` and `show`: runs in files."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from pydantic_ai import Agent, ModelMessage, ToolApproved, ToolDenied
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults
from pydantic_ai.toolsets import AbstractToolset

from toolscript.approvals.pending import PendingCall
from toolscript.history import RecordTools, Transcript, render_html, render_text, transcript_of
from toolscript.testing import RecordCalls, RecordedCalls, RecordedRun, replay
from toolscript.testing.recorded_run import RecordedDecision, as_json
from toolscript_signatures import with_visible

from .approvals import Decision, decider, run_deciding
from .connections import listed, opened
from .run import Progress, beneath, code_of, for_scripts, run_script, show_failure
from .terminal import (
    Approve,
    CommandError,
    Exit,
    Inputs,
    Recording,
    TargetText,
    remark,
    results,
    working,
    write,
    write_file,
)

LoadedT = TypeVar('LoadedT')


def record_command(
    target: TargetText,
    script: Annotated[
        Path | None, typer.Argument(help='A file of Python to run; - for stdin.', show_default=False)
    ] = None,
    output: Annotated[Path, typer.Option('--output', '-o', metavar='FILE', help='The recording.')] = Path('run.json'),
    prompt: Annotated[
        str | None, typer.Option(help='Let a model answer this, instead of a script.', show_default=False)
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar='PROVIDER:NAME', help="The model, if not the agent's own.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option('--force', help='Overwrite an existing file.')] = False,
    approve: Approve = None,
    inputs: Inputs = None,
) -> None:
    """Record a run: its messages, and what each call returned.

    The recording holds arguments and results as they were; show it only to those who may see them.

    Examples:

    toolscript record mcp.json report.py -o report.json

    toolscript record shop.agents:support --prompt 'Refund order 17' -o refund.json
    """
    if (script is None) == (prompt is None):
        raise CommandError('give a script, or --prompt with what a user says.', Exit.USAGE)
    if output.exists() and not force:
        raise CommandError(f'{output} exists already; --force overwrites it.', Exit.USAGE)
    if not output.parent.is_dir():
        raise CommandError(f'{output} cannot be written: there is no such folder.', Exit.TARGET)
    recorder = _Recorder(target, approve or [])
    if script is not None:
        run, error = asyncio.run(recorder.run_script(code_of(script), inputs or []))
    else:
        run, error = asyncio.run(recorder.answer(prompt or '', model, inputs or [])), None
    write_file(output, run.to_json())
    if error is not None:
        show_failure(error)
        raise typer.Exit(Exit.NO)


def replay_command(recording: Recording) -> None:
    """Replay a recording: no model is asked, and no tool is called.

    Its scripts run in the sandbox with the recorded results. Differences are printed, and the exit code is then 1.

    Examples:

    toolscript replay report.json
    """
    run = _load(recording, RecordedRun.read)
    with working('replaying …'):
        differences = replay(run).differences
    if differences:
        write(with_visible('\n'.join(map(str, differences))))
        raise typer.Exit(Exit.NO)
    remark('all calls and answers are as recorded')


def show_command(
    recording: Annotated[
        Path, typer.Argument(help='What toolscript record wrote, or result.all_messages_json().', show_default=False)
    ],
    html: Annotated[
        Path | None, typer.Option(metavar='FILE', help='Write it as one page instead.', show_default=False)
    ] = None,
) -> None:
    """Show a run: what the model read and wrote, its scripts with their calls, and their results.

    Examples:

    toolscript show refund.json

    toolscript show refund.json --html refund.html
    """
    transcript = _load(recording, _transcript)
    if html is not None:
        write_file(html, render_html(transcript, title=recording.stem))
    else:
        write(render_text(transcript, width=results().width if sys.stdout.isatty() else 80))


def _load(file: Path, read: Callable[[Path], LoadedT]) -> LoadedT:
    """Read a file. Raises `CommandError` if it cannot be read, or its content is invalid."""
    try:
        return read(file)
    except OSError as error:
        raise CommandError(f'{file} cannot be read: {error.strerror}.', Exit.TARGET) from error
    except ValueError as error:
        raise CommandError(str(error), Exit.TARGET) from error


def _transcript(file: Path) -> Transcript:
    data = file.read_bytes()
    return transcript_of(data if data.lstrip()[:1] == b'[' else RecordedRun.read(file).messages)


@dataclass
class _Recorder:
    target: str
    approve: Sequence[str]
    calls: RecordedCalls = field(default_factory=lambda: RecordedCalls({}, []))
    decisions: list[RecordedDecision] = field(default_factory=list[RecordedDecision])

    async def run_script(self, code: str, inputs: Sequence[str]) -> tuple[RecordedRun, str | None]:
        async with opened(self.target, inputs) as live:
            tools = for_scripts(live.toolset, await listed(live.toolset), wrap=self._wrap)
            ended = await run_script(tools, code, progress=Progress(), decide=self._decide)
            return self._recording(ended.messages), ended.error

    async def answer(self, prompt: str, model: str | None, inputs: Sequence[str]) -> RecordedRun:
        async with opened(self.target, inputs) as live:
            agent = live.target.agent
            if agent is None:
                if model is None:
                    raise CommandError(f'{self.target} is not an agent, so --prompt needs --model.', Exit.USAGE)
                agent = Agent(toolsets=[for_scripts(live.toolset, await listed(live.toolset))])
            return self._recording(await self._answered(agent, prompt, model))

    async def _answered(self, agent: AbstractAgent[Any, Any], prompt: str, model: str | None) -> list[ModelMessage]:
        options: dict[str, Any] = {
            'model': model,
            'output_type': [agent.output_type, DeferredToolRequests],
            'event_stream_handler': Progress().follow,
            'capabilities': [RecordTools()],
        }
        with agent.override(toolsets=[beneath(toolset, self._wrap) for toolset in agent.toolsets], tools=[]):
            return await run_deciding(agent, prompt, self._decide, **options)

    def _recording(self, messages: Sequence[ModelMessage]) -> RecordedRun:
        return RecordedRun(
            target=self.target,
            messages=[*messages],
            tools=[*self.calls.tools.values()],
            calls=self.calls.calls,
            decisions=self.decisions,
        )

    def _wrap(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        return RecordCalls(toolset, into=self.calls)

    async def _decide(self, requests: DeferredToolRequests) -> DeferredToolResults:
        return await decider(self.approve, self._note)(requests)

    def _note(self, call: PendingCall, decision: Decision) -> None:
        decided = (
            decision
            if isinstance(decision, ToolApproved | ToolDenied)
            else ToolApproved()
            if decision
            else ToolDenied()
        )
        answered = call.kind != 'approval'
        self.decisions.append(
            RecordedDecision(
                tool_name=call.tool_name,
                arguments=as_json(call.args),
                decision=None if answered else decided,
                result=as_json(decision) if answered else None,
            )
        )
