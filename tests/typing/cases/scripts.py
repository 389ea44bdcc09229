"""Correct and incorrect uses of scripts and their results."""

from __future__ import annotations

from collections.abc import AsyncIterable
from dataclasses import dataclass
from typing import Any, Literal, assert_type

from pydantic_ai import Agent, AgentStreamEvent, RunContext
from pydantic_ai.capabilities import AbstractCapability

import toolscript as ts


@dataclass
class Answer:
    text: str


steps: AbstractCapability[object] = ts.CodeModeSteps()
ts.CodeModeSteps(id='mine')  # type: ignore
agent = Agent(
    'test', output_type=Answer, deps_type=int, capabilities=[ts.CodeMode(), ts.SpeculativeReads(), ts.CodeOutput()]
)
result = agent.run_sync('', deps=1)
assert_type(result.output, Answer)
assert_type(ts.script_calls(result.all_messages()), list[ts.ScriptCall])
assert_type(ts.script_calls(result.new_messages())[0].arguments, dict[str, Any])
ts.script_calls(result)  # type: ignore

reads: AbstractCapability[int] = ts.SpeculativeReads[int]()
assert_type(ts.SpeculativeReads[int]().counts.started, int)
ts.SpeculativeReads[int](3)  # type: ignore
answers: AbstractCapability[int] = ts.CodeOutput[int]()
ts.CodeOutput[int](Answer)  # type: ignore

ts.ToolSearchOptions(prefetch=8, prefetch_tokens=2_000)
ts.ToolSearchOptions(prefetch='all')  # type: ignore
ts.ToolSearchOptions(prefetches=8)  # type: ignore


async def show(ctx: RunContext[int], events: AsyncIterable[AgentStreamEvent]) -> None:
    async for event in events:
        match event:
            case ts.ScriptCallEvent():
                assert_type(event.line, int | None)
                print(event.function)  # type: ignore
            case ts.ScriptResultEvent():
                assert_type(event.seconds, float)
            case ts.ScriptPrintEvent():
                assert_type(event.text, str)
            case ts.ScriptPauseEvent():
                assert_type(event.call_ids, list[str])
            case ts.ScriptUndoEvent():
                assert_type(event.status, Literal['undone', 'failed', 'unknown'])
            case _:
                pass


agent.run_sync('', deps=1, event_stream_handler=show)
