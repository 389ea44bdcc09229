"""Correct and incorrect uses of approvals, reading and testing."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, assert_type

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.models.function import FunctionModel

from toolscript import (
    ApproveCalls,
    CallTooLong,
    FunctionToolset,
    Grant,
    PendingCall,
    ScriptCall,
    ToolRule,
    Undo,
    UndoCall,
    UndoReport,
    pending_calls,
    resolve,
    undo,
)
from toolscript.history import (
    STYLE,
    Bounds,
    History,
    RecordTools,
    Transcript,
    render_fragment,
    render_html,
    render_text,
    transcript_of,
)
from toolscript.testing import (
    Difference,
    PrefixChange,
    RecordCalls,
    RecordedCalls,
    RecordedRun,
    RecordingModel,
    Replayed,
    RequestPrefix,
    prefix_changes,
    replay,
    replayed,
    script_model,
    wire_prefix,
)


async def decide(requests: DeferredToolRequests) -> None:
    """Read the pending calls and resolve them."""
    calls = pending_calls(requests)
    assert_type(calls, list[PendingCall])
    assert_type(calls[0].kind, Literal['approval', 'external', 'question'])
    calls[0].kind = 'denied'  # error
    results = resolve(requests, {calls[0].tool_call_id: True}, rules=[ApproveCalls('refund', at_most=20)])
    assert_type(results, DeferredToolResults)
    assert_type(calls[0].render(), str)
    CallTooLong('send_mail')  # error
    resolve(requests)  # error
    resolve(requests, [True])  # error
    resolve(requests, {}, rules=['refund'])  # error
    ApproveCalls('refund', at_most='20')  # error
    ApproveCalls()  # error
    grant = Grant(count=5, equal=['to'], maximum={'amount': 50}, total={'amount': 200.5})
    resolve(requests, {calls[0].tool_call_id: grant})
    assert_type(grant.count, int)
    assert_type(calls[0].row.asked_before if calls[0].row else None, bool | None)
    Grant()  # error
    Grant(5)  # error
    Grant(count=5, maximum={'amount': '50'})  # error
    ToolRule('pay', plan_writes='when_known')
    ToolRule('pay', plan_writes='sometimes')  # error
    pending_calls([])  # error


def how(call: ScriptCall, result: object) -> Undo | None:
    """How a call is undone."""
    return Undo('close_issue', number=call.arguments['number']) if result else None


tools = FunctionToolset[int]()
Undo('close_issue', repo=..., number='{result.number}')
Undo()  # error
ToolRule('create_issue', server='github', undo=Undo('close_issue', number=...))
ToolRule('create_issue', undo='never')  # error


@tools.tool_plain(undo=how)
def create_issue(number: int) -> int:
    """A tool that can be undone."""
    return number


@tools.tool(undo='none')
def send(text: str) -> str:
    """A tool that cannot."""
    return text


@tools.tool_plain(undo=3)  # error
def misled() -> None:
    """Neither."""


async def take_back(agent: Agent[int, str]) -> None:
    """List the undoable calls and undo them."""
    result = await agent.run('go', deps=1)
    listed = await undo(result, agent, deps=1)
    assert_type(listed, UndoReport)
    assert_type(listed.calls[0], UndoCall)
    await undo('the id', agent, deps=1, commit=True, decisions={listed.calls[0].tool_call_id: True})
    await undo(result.all_messages(), agent, deps='1')  # error
    await undo(3, agent, deps=1)  # error
    await undo(result)  # error


def read(history: History) -> None:
    """Render a history as text, as a page and as data."""
    assert_type(render_text(history, width=100), str)
    assert_type(render_html(history, title='A run') + render_fragment(history) + STYLE, str)
    assert_type(transcript_of(history, bounds=Bounds(chars=100)), Transcript)
    transcript_of(history, bounds=100)  # error
    render_text(3)  # error
    Bounds(100)  # error


Agent('test', capabilities=[RecordTools()])
assert_type(script_model('1 + 1', '2'), FunctionModel)
script_model(['1 + 1'])  # error

model = RecordingModel('test')
assert_type(model.requests, list[RequestPrefix])
assert_type(prefix_changes(model.requests), list[PrefixChange])
assert_type(prefix_changes(model.requests)[0].byte, int)
assert_type(wire_prefix(b'{}'), RequestPrefix)
prefix_changes(3)  # error

recorded = RecordCalls(FunctionToolset[int](), into=RecordedCalls({}, []))
RecordCalls(FunctionToolset[int]())  # error
again = replay(RecordedRun.read(Path('run.json')))
assert_type(again, Replayed)
assert_type(again.differences, tuple[Difference, ...])
replay(3)  # error


async def play() -> None:
    """Inside of a loop."""
    assert_type(await replayed('run.json'), Replayed)
