"""Replays a recorded run without its model and tools."""

import asyncio
import builtins
import json
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from pathlib import Path
from secrets import token_hex
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, ModelRetry, RunContext, ToolDenied, capture_run_messages
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ModelRequest, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import DeferredToolRequests
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from toolscript.approvals.decisions import resolve
from toolscript.approvals.pending import PendingCall, pending_calls
from toolscript.code_mode_toolset import CodeModeToolset
from toolscript.discovery.search_options import DEFAULT_SEARCH_TOOL_NAME
from toolscript.discovery.searchable_toolset import SearchableToolset
from toolscript.durability.snapshots import Snapshots
from toolscript.guards import fields, parts_of
from toolscript.observability.script_calls import CALLS_KEY, script_calls
from toolscript.routing.placement import RUN_CODE

from .recorded_run import RecordedCall, RecordedDecision, RecordedRun, as_json

_MAX_CHARS = 100_000_000
_object = SchemaValidator(core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema()))


@dataclass(frozen=True)
class Difference:
    """A difference between a replayed run and its recording."""

    what: str
    recorded: str
    """The recorded value; empty if there is none."""
    replayed: str

    def __str__(self) -> str:
        return f'{self.what}\n  recorded: {self.recorded or "nothing"}\n  replayed: {self.replayed or "nothing"}'


@dataclass(frozen=True)
class Replayed:
    """A run that was replayed."""

    messages: tuple[ModelMessage, ...]
    differences: tuple[Difference, ...]
    """Differences in the answers to the model's calls, and in the calls of scripts; empty if there are none."""


def replay(recording: RecordedRun | Path | str) -> Replayed:
    """Replay a run outside of an event loop: see `replayed`."""
    return asyncio.run(replayed(recording))


async def replayed(recording: RecordedRun | Path | str) -> Replayed:
    """Run the recorded scripts again, in the sandbox, with the recorded results of their calls.

    The model's responses are the recorded ones; calls get the recorded results, by tool and arguments, and a call that
    was not recorded fails. No model and no tool is called.

    Args:
        recording: A run, or its file.

    Raises:
        ValueError: The file is not a recording.
        OSError: It cannot be read.
    """
    run = recording if isinstance(recording, RecordedRun) else RecordedRun.read(Path(recording))
    tools = _RecordedTools(run)
    toolset = CodeModeToolset(
        SearchableToolset[Any](tools, defer='auto'),
        default_callers='both',
        max_result_chars=_MAX_CHARS,
        show_result_shapes=False,
        tool_errors='message',
        snapshots=Snapshots(key=token_hex()),
    )
    agent = Agent(_model(run), toolsets=[_as_named(toolset, run)], output_type=[str, DeferredToolRequests])
    decisions = deque(run.decisions)
    output, messages = await _played(agent, user_prompt=_prompt(run.messages))
    while isinstance(output, DeferredToolRequests):
        decided = {call.tool_call_id: _as_recorded(call, decisions) for call in pending_calls(output)}
        results = resolve(output, decided)
        output, messages = await _played(agent, message_history=messages, deferred_tool_results=results)
    return Replayed(tuple(messages), tuple(_differences(run, messages, tools)))


async def _played(agent: Agent[None, Any], **keywords: Any) -> tuple[object, list[ModelMessage]]:
    """Return the output of a run, or `None` if the recording ends earlier, and its messages."""
    with capture_run_messages() as messages:
        try:
            result = await agent.run(**keywords)
        except _AllPlayed:
            return None, messages
    return result.output, result.all_messages()


class _AllPlayed(Exception):
    """All recorded responses have been played."""


def _name_of_run_code(run: RecordedRun) -> str:
    """Return the name by which the recorded model called scripts: an agent may rename `run_code`."""
    ended = (part.tool_name for part in parts_of(run.messages, ToolReturnPart) if CALLS_KEY in fields(part.metadata))
    prefixed = (part.tool_name for part in parts_of(run.messages, ToolCallPart) if part.tool_name.endswith(RUN_CODE))
    return next(chain(ended, prefixed), RUN_CODE)


def _prefix(run: RecordedRun) -> str:
    name = _name_of_run_code(run)
    return name.removesuffix(RUN_CODE) if name.endswith(RUN_CODE) else ''


def _as_named(toolset: AbstractToolset[Any], run: RecordedRun) -> AbstractToolset[Any]:
    """Return the toolset with the names that the recorded model knew."""
    if prefix := _prefix(run):
        return toolset.prefixed(prefix.removesuffix('_'))
    name = _name_of_run_code(run)
    return toolset if name == RUN_CODE else toolset.renamed({name: RUN_CODE})


def _model(run: RecordedRun) -> FunctionModel:
    responses = deque(message for message in run.messages if isinstance(message, ModelResponse))

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        known = {tool.name for tool in info.function_tools} | {tool.name for tool in run.tools}
        if not responses or any(
            isinstance(part, ToolCallPart) and part.tool_name not in known for part in responses[0].parts
        ):
            # The tool that provides the output of the run belongs to its application.
            raise _AllPlayed
        # The metadata refers to pauses of scripts that no longer exist.
        played = responses.popleft()
        return ModelResponse(played.parts, model_name=played.model_name, usage=played.usage)

    return FunctionModel(play, model_name='replayed')


def _prompt(messages: Sequence[ModelMessage]) -> Any:
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    return next((part.content for part in parts if isinstance(part, UserPromptPart)), 'Continue.')


def _as_recorded(call: PendingCall, decisions: deque[RecordedDecision]) -> Any:
    for decision in decisions:
        if (decision.tool_name, decision.arguments) == (call.tool_name, as_json(call.args)):
            decisions.remove(decision)
            return decision.result if decision.decision is None else decision.decision
    return ToolDenied('The recording has no decision about this call.')


@dataclass
class _RecordedTools(AbstractToolset[Any]):
    """Tools that return the recorded results."""

    run: RecordedRun
    waiting: dict[str, deque[RecordedCall]] = field(init=False)
    """Recorded calls that have not been made yet, by tool and arguments."""

    def __post_init__(self) -> None:
        self.waiting = {}
        for call in self.run.calls:
            self.waiting.setdefault(self._key(call.tool_name, call.arguments), deque()).append(call)

    @property
    def id(self) -> str | None:
        return None

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        # Applications answer external tools themselves; here, all results are recorded.
        tools = [
            replace(tool, kind='unapproved' if tool.kind == 'unapproved' else 'function') for tool in self.run.tools
        ]
        return {
            tool.name: ToolsetTool(toolset=self, tool_def=tool, max_retries=ctx.max_retries, args_validator=_object)
            for tool in tools
        }

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        calls = self.waiting.get(self._key(name, as_json(tool_args)))
        if not calls:
            raise ToolFailed(
                f'The recording has no {"other " if calls is not None else ""}call of {name} with these arguments.'
            )
        call = calls.popleft()
        match call.ended:
            case 'returned':
                return call.result
            case 'retry':
                raise ModelRetry(call.error or '')
            case 'failed':
                raise ToolFailed(call.error or '')
            case 'raised':
                raise _error_of(call)

    def _key(self, name: str, arguments: Mapping[str, Any]) -> str:
        # The default values of a Python tool were added before its call was recorded.
        schema = next((tool.parameters_json_schema for tool in self.run.tools if tool.name == name), None)
        properties = fields((schema or {}).get('properties'))
        known = {key: fields(inner) for key, inner in properties.items()}
        filled: dict[str, object] = {key: inner['default'] for key, inner in known.items() if 'default' in inner}
        filled |= arguments
        return f'{name} {_line(filled)}'

    def left(self) -> Iterator[RecordedCall]:
        for calls in self.waiting.values():
            yield from calls


def _error_of(call: RecordedCall) -> Exception:
    """Return an exception with the recorded type's name that can be caught by it or by its builtin base type."""
    builtin = getattr(builtins, call.builtin_error, Exception)
    is_builtin = builtin.__name__ == call.error_type
    kind = builtin if is_builtin else type(call.error_type or 'Exception', (builtin,), {})
    try:
        return kind(call.error or '')
    except TypeError:
        # Some builtin exceptions need more than a message.
        return type(call.error_type or 'Exception', (Exception,), {})(call.error or '')


def _differences(run: RecordedRun, messages: Sequence[ModelMessage], tools: _RecordedTools) -> Iterator[Difference]:
    output_tools = _given_outputs(run)
    for number, (then, now) in enumerate(
        zip_longest(_answers(run.messages, output_tools), _answers(messages, output_tools)), start=1
    ):
        if then != now:
            name = (then or now or ('?',))[0]
            yield Difference(f'Answer {number}, of {name}, differs.', _answer_text(then), _answer_text(now))
    calls = zip_longest(_nested(run.messages), _nested(messages))
    for number, (then, now) in enumerate(calls, start=1):
        if then != now:
            yield Difference(f'Nested call {number} differs.', then or '', now or '')
    for call in tools.left():
        yield Difference(f'A call to {call.tool_name} is missing.', _line(call.arguments), '')


def _given_outputs(run: RecordedRun) -> frozenset[str]:
    """Return the names of tools that provided the output of the run: calls of tools that no toolset had."""
    names = [*(tool.name for tool in run.tools), DEFAULT_SEARCH_TOOL_NAME]
    known = {f'{_prefix(run)}{name}' for name in names} | {_name_of_run_code(run)}
    called = {part.tool_name for message in run.messages for part in message.parts if isinstance(part, ToolCallPart)}
    return frozenset(called - known)


def _answers(messages: Sequence[ModelMessage], apart: Collection[str]) -> Iterator[tuple[str, str, str]]:
    for message in messages:
        for part in message.parts if isinstance(message, ModelRequest) else ():
            if isinstance(part, ToolReturnPart) and part.tool_name not in apart:
                yield part.tool_name, part.outcome, _line(as_json(part.content))


def _nested(messages: Sequence[ModelMessage]) -> Iterator[str]:
    for call in script_calls(messages):
        yield f'{call.function}({_line(as_json(call.arguments))}): {call.status}'


def _answer_text(answer: tuple[str, str, str] | None) -> str:
    return '' if answer is None else f'{answer[1]}: {answer[2]}'


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
