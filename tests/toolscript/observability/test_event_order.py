"""Events of quick calls are sent together: none is lost, and their order is kept."""

import asyncio
from collections.abc import AsyncIterable
from dataclasses import dataclass

import pytest
from pydantic_ai import Agent, AgentStreamEvent, CustomEvent, DeferredToolRequests, RunContext
from pydantic_ai.messages import FunctionToolResultEvent
from pydantic_ai.tool_manager import ToolManager

from tests.toolscript.approvals.conversation import KEY
from tests.toolscript.scripted import Script, run_code, streaming
from toolscript import CodeModeToolset, FunctionToolset, ScriptCallEvent, ScriptPauseEvent, ScriptResultEvent
from toolscript.observability import events as held_events


@pytest.fixture(autouse=True)
def hold_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only time would let go is not seen before the test is over."""
    monkeypatch.setattr(held_events, 'HELD_SECONDS', 600)


@dataclass(kw_only=True)
class Progress(CustomEvent, name='tests.progress'):
    step: int


tools = FunctionToolset[object]()


@tools.tool
async def work(ctx: RunContext[object], step: int) -> int:
    await ctx.emit(Progress(step=step))
    return step


def agent(code: str) -> Agent[object, str | DeferredToolRequests]:
    toolset = CodeModeToolset(tools, snapshots=KEY, tool_errors='raise')
    output = [str, DeferredToolRequests]
    return Agent(streaming(Script([run_code(code)])), deps_type=object, output_type=output, toolsets=[toolset])


async def reported(code: str) -> list[str]:
    """Return the events of a script, in short form, until it has a result or its run fails."""
    seen = list[str]()

    async def watch(ctx: RunContext[object], events: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in events:
            match event:
                case ScriptCallEvent():
                    seen.append(f'{event.tool_name} {event.call_id.rpartition("__")[2]}')
                case ScriptResultEvent():
                    seen.append(f'{event.status} {event.call_id.rpartition("__")[2]}')
                case Progress():
                    seen.append(f'progress {event.step}')
                case ScriptPauseEvent() | FunctionToolResultEvent():
                    seen.append(type(event).__name__)
                case _:
                    pass

    try:
        await agent(code).run('go', event_stream_handler=watch)
    except LookupError:
        seen.append('raised')
    return seen


async def test_messages_of_a_tool_are_between_the_events_of_its_call() -> None:
    assert await reported('for n in range(1, 4):\n    last = await work(step=n)\nlast') == [
        *['work 1', 'progress 1', 'finished 1'],
        *['work 2', 'progress 2', 'finished 2'],
        *['work 3', 'progress 3', 'finished 3'],
        'FunctionToolResultEvent',
    ]


async def test_a_replayable_run_gets_each_event_at_once() -> None:
    seen, slow = asyncio.Event(), FunctionToolset[object]()

    @slow.tool_plain
    async def wait() -> str:
        await seen.wait()
        return 'seen'

    async def watch(ctx: RunContext[object], events: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in events:
            if isinstance(event, ScriptCallEvent):
                seen.set()

    script = Script([run_code('await wait()')])
    waiting = Agent(streaming(script), deps_type=object, toolsets=[CodeModeToolset(slow)])
    with ToolManager.parallel_execution_mode('parallel_ordered_events'):
        await asyncio.wait_for(waiting.run('go', event_stream_handler=watch), 60)
    assert script.answers == ['seen']


async def test_a_script_sends_a_limited_number_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_events, 'MAX_EVENTS', 5)
    seen = await reported('for n in range(9):\n    await work(n)')
    assert [one for one in seen if 'progress' not in one] == [
        'work 1',
        'finished 1',
        'work 2',
        'finished 2',
        'work 3',
        'FunctionToolResultEvent',
    ]
