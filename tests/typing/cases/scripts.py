"""Correct and incorrect uses of scripts and their results."""

from __future__ import annotations

from collections.abc import AsyncIterable
from dataclasses import dataclass
from typing import Any, Literal, assert_type

from pydantic_ai import Agent, AgentStreamEvent, RunContext
from pydantic_ai.capabilities import AbstractCapability

from toolscript import (
    CodeMode,
    CodeModeSteps,
    CodeOutput,
    ScriptCall,
    ScriptCallEvent,
    ScriptPauseEvent,
    ScriptPrintEvent,
    ScriptResultEvent,
    ScriptUndoEvent,
    SpeculativeReads,
    ToolSearchOptions,
    script_calls,
)


@dataclass
class Answer:
    """An output."""

    text: str


steps: AbstractCapability[object] = CodeModeSteps()
CodeModeSteps(id='mine')  # error
agent = Agent('test', output_type=Answer, deps_type=int, capabilities=[CodeMode(), SpeculativeReads(), CodeOutput()])
result = agent.run_sync('', deps=1)
assert_type(result.output, Answer)
assert_type(script_calls(result.all_messages()), list[ScriptCall])
assert_type(script_calls(result.new_messages())[0].arguments, dict[str, Any])
script_calls(result)  # error

reads: AbstractCapability[int] = SpeculativeReads[int]()
assert_type(SpeculativeReads[int]().counts.started, int)
SpeculativeReads[int](3)  # error
answers: AbstractCapability[int] = CodeOutput[int]()
CodeOutput[int](Answer)  # error

ToolSearchOptions(prefetch=8, prefetch_tokens=2_000)
ToolSearchOptions(prefetch='all')  # error
ToolSearchOptions(prefetches=8)  # error


async def show(ctx: RunContext[int], events: AsyncIterable[AgentStreamEvent]) -> None:
    """Watch a run."""
    async for event in events:
        match event:
            case ScriptCallEvent():
                assert_type(event.line, int | None)
                print(event.function)  # error
            case ScriptResultEvent():
                assert_type(event.seconds, float)
            case ScriptPrintEvent():
                assert_type(event.text, str)
            case ScriptPauseEvent():
                assert_type(event.call_ids, list[str])
            case ScriptUndoEvent():
                assert_type(event.status, Literal['undone', 'failed', 'unknown'])
            case _:
                pass


agent.run_sync('', deps=1, event_stream_handler=show)
