"""What a script does is seen while it does it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from dataclasses import dataclass, field

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, AgentStreamEvent, DeferredToolRequests, RunContext
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import FunctionToolCallEvent, FunctionToolResultEvent
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage

from tests.toolscript.approvals.conversation import KEY
from tests.toolscript.scripted import Script, Turn, run_code, streaming
from toolscript import (
    CodeModeToolset,
    FunctionToolset,
    ScriptCallEvent,
    ScriptPauseEvent,
    ScriptPrintEvent,
    ScriptResultEvent,
    pending_calls,
    resolve,
)

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

shop = FunctionToolset[object]()
SCRIPT_EVENTS = (ScriptCallEvent, ScriptPauseEvent, ScriptPrintEvent, ScriptResultEvent)


@shop.tool_plain
def price(item: str) -> int:
    """What it costs."""
    if item == 'moon':
        raise ToolFailed('not for sale')
    return len(item)


@shop.tool_plain(requires_approval=True)
def buy(item: str) -> str:
    """Buy it."""
    return f'{item} bought'


def agent(toolset: FunctionToolset[object], *turns: Turn) -> Agent[object, str | DeferredToolRequests]:
    return Agent(
        streaming(Script(list(turns))),
        deps_type=object,
        output_type=[str, DeferredToolRequests],
        toolsets=[CodeModeToolset(toolset, snapshots=KEY)],
    )


def told(event: AgentStreamEvent) -> object:
    """An event in short."""
    match event:
        case ScriptCallEvent():
            return ('call', event.call_id, event.tool_name, event.arguments, event.line)
        case ScriptResultEvent():
            return ('result', event.call_id, event.status, event.error or event.result)
        case ScriptPrintEvent():
            return ('print', event.text)
        case ScriptPauseEvent():
            return ('pause', event.call_ids)
        case _:
            return type(event).__name__


@dataclass
class Watcher:
    """Takes the events of a run."""

    seen: list[AgentStreamEvent] = field(default_factory=list[AgentStreamEvent])

    async def __call__(self, ctx: RunContext[object], stream: AsyncIterable[AgentStreamEvent]) -> None:
        self.seen += [event async for event in stream]

    @property
    def told(self) -> list[object]:
        """The script's events in short."""
        return [told(event) for event in self.seen if isinstance(event, SCRIPT_EVENTS)]


async def events(toolset: FunctionToolset[object], *turns: Turn) -> list[AgentStreamEvent]:
    watcher = Watcher()
    await agent(toolset, *turns).run('go', event_stream_handler=watcher)
    return watcher.seen


async def test_calls_and_prints_stand_between_the_events_of_run_code() -> None:
    code = """\
print('looking')
total = await price('tea')
try:
    await price('moon')
except Exception:
    print('no moon')
total"""
    shown = (*SCRIPT_EVENTS, FunctionToolCallEvent, FunctionToolResultEvent)
    seen = [event for event in await events(shop, run_code(code)) if isinstance(event, shown)]
    run_code_id = next(event.part.tool_call_id for event in seen if isinstance(event, FunctionToolCallEvent))
    assert {event.tool_call_id for event in seen if isinstance(event, SCRIPT_EVENTS)} == {run_code_id}
    short = str([told(event) for event in seen]).replace(run_code_id, 'ID')
    assert short == snapshot(
        "['FunctionToolCallEvent', ('print', 'looking\\n'), ('call', 'ID__1', 'price', {'item': 'tea'}, 2), ('result', 'ID__1', 'finished', 3), ('call', 'ID__2', 'price', {'item': 'moon'}, 4), ('result', 'ID__2', 'failed', 'RuntimeError: not for sale'), ('print', 'no moon\\n'), 'FunctionToolResultEvent']"
    )


async def test_events_come_while_the_script_runs() -> None:
    reached, allowed = asyncio.Event(), asyncio.Event()
    slow = FunctionToolset[object]()

    @slow.tool_plain
    async def wait() -> str:
        """Waits."""
        reached.set()
        await allowed.wait()
        return 'waited'

    watched = agent(slow, run_code('await wait()'))

    async def handler(ctx: RunContext[object], stream: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in stream:
            if isinstance(event, ScriptCallEvent):
                await reached.wait()
                allowed.set()

    # The tool would wait for ever if the event of its call came after it.
    result = await asyncio.wait_for(watched.run('go', event_stream_handler=handler), 60)
    assert result.output == 'done'


async def test_a_pause_is_an_event_and_a_call_that_waited_is_told_again() -> None:
    watched, before, after = agent(shop, run_code("await price('tea')\nawait buy('tea')")), Watcher(), Watcher()
    result = await watched.run('go', event_stream_handler=before)
    assert isinstance(result.output, DeferredToolRequests)
    pending = pending_calls(result.output)
    await watched.run(
        message_history=result.all_messages(),
        deferred_tool_results=resolve(result.output, {call.tool_call_id: True for call in pending}),
        event_stream_handler=after,
    )
    assert str([before.told, after.told]).replace(str(pending[0].script_id), 'ID') == snapshot(
        "[[('call', 'ID__1', 'price', {'item': 'tea'}, 1), ('result', 'ID__1', 'finished', 3), ('call', 'ID__2', 'buy', {'item': 'tea'}, 2), ('result', 'ID__2', 'waiting', None), ('pause', ['ID__2'])], [('call', 'ID__2', 'buy', {'item': 'tea'}, 2), ('result', 'ID__2', 'finished', 'tea bought')]]"
    )


async def test_what_is_long_is_told_by_its_shape() -> None:
    tools = FunctionToolset[object]()

    @tools.tool_plain
    def echo(text: str) -> list[dict[str, str]]:
        """Many."""
        return [{'text': text}] * 1000

    seen = await events(tools, run_code("len(await echo('x' * 5000))"))
    first, second = [event for event in seen if isinstance(event, (ScriptCallEvent, ScriptResultEvent))]
    assert isinstance(first, ScriptCallEvent)
    assert isinstance(second, ScriptResultEvent)
    assert first.arguments == {'text': f'{"x" * 500}... (5,000 characters)'}
    assert (second.result, second.truncated) == ('list[1,000] of {text: str}', True)


async def test_who_is_told_a_value_may_change_it_and_the_script_has_its_own() -> None:
    tools = FunctionToolset[object]()

    @tools.tool_plain
    def fetch(many: int) -> list[dict[str, int]]:
        """So many."""
        return [{'id': 1}] * many

    async def change(ctx: RunContext[object], stream: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in stream:
            if isinstance(event, ScriptResultEvent) and not event.truncated:
                event.result[0]['id'] = 100

    code = 'import asyncio\nfound = await asyncio.gather(*[fetch(n) for n in (2, 1_000)])\nsum([row["id"] for rows in found for row in rows])'
    script = Script([run_code(code)])
    watched = Agent(streaming(script), deps_type=object, toolsets=[CodeModeToolset(tools)])
    await watched.run('go', event_stream_handler=change)
    assert script.answers == [1_002]


async def test_a_toolset_that_no_run_holds_runs_scripts_all_the_same() -> None:
    ctx = RunContext[object](deps=None, model=TestModel(), usage=RunUsage())
    async with CodeModeToolset(shop) as toolset:
        tools = await toolset.get_tools(ctx)
        result = await toolset.call_tool('run_code', {'code': "await price('tea')"}, ctx, tools['run_code'])
    assert result.return_value == 3
