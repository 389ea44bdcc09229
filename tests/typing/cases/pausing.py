"""Correct and incorrect uses of approvals, reading and testing."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, assert_type

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.models.function import FunctionModel

import toolscript as ts
from toolscript import history, testing


async def decide(requests: DeferredToolRequests) -> None:
    calls = ts.pending_calls(requests)
    assert_type(calls, list[ts.PendingCall])
    assert_type(calls[0].kind, Literal['approval', 'external', 'question'])
    calls[0].kind = 'denied'  # type: ignore
    results = ts.resolve(requests, {calls[0].tool_call_id: True}, rules=[ts.ApproveCalls('refund', at_most=20)])
    assert_type(results, DeferredToolResults)
    assert_type(calls[0].render(), str)
    ts.CallTooLong('send_mail')  # type: ignore
    ts.resolve(requests)  # type: ignore
    ts.resolve(requests, [True])  # type: ignore
    ts.resolve(requests, {}, rules=['refund'])  # type: ignore
    ts.ApproveCalls('refund', at_most='20')  # type: ignore
    ts.ApproveCalls()  # type: ignore
    grant = ts.Grant(count=5, equal=['to'], maximum={'amount': 50}, total={'amount': 200.5})
    ts.resolve(requests, {calls[0].tool_call_id: grant})
    assert_type(grant.count, int)
    assert_type(calls[0].row.asked_before if calls[0].row else None, bool | None)
    ts.Grant()  # type: ignore
    ts.Grant(5)  # type: ignore
    ts.Grant(count=5, maximum={'amount': '50'})  # type: ignore
    ts.ToolRule('pay', plan_writes='when_known')
    ts.ToolRule('pay', plan_writes='sometimes')  # type: ignore
    ts.pending_calls([])  # type: ignore


def how(call: ts.ScriptCall, result: object) -> ts.Undo | None:
    return ts.Undo('close_issue', number=call.arguments['number']) if result else None


tools = ts.FunctionToolset[int]()
ts.Undo('close_issue', repo=..., number='{result.number}')
ts.Undo()  # type: ignore
ts.ToolRule('create_issue', server='github', undo=ts.Undo('close_issue', number=...))
ts.ToolRule('create_issue', undo='never')  # type: ignore


@tools.tool_plain(undo=how)
def create_issue(number: int) -> int:
    return number


@tools.tool(undo='none')
def send(text: str) -> str:
    return text


@tools.tool_plain(undo=3)  # type: ignore
def misled() -> None:
    """Neither."""


async def take_back(agent: Agent[int, str]) -> None:
    result = await agent.run('go', deps=1)
    listed = await ts.undo(result, agent, deps=1)
    assert_type(listed, ts.UndoReport)
    assert_type(listed.calls[0], ts.UndoCall)
    await ts.undo('the id', agent, deps=1, commit=True, decisions={listed.calls[0].tool_call_id: True})
    await ts.undo(result.all_messages(), agent, deps='1')  # type: ignore
    await ts.undo(3, agent, deps=1)  # type: ignore
    await ts.undo(result)  # type: ignore


def read(messages: history.History) -> None:
    """Render a history as text, as a page and as data."""
    assert_type(history.render_text(messages, width=100), str)
    assert_type(history.render_html(messages, title='A run') + history.render_fragment(messages) + history.STYLE, str)
    assert_type(history.transcript_of(messages, bounds=history.Bounds(chars=100)), history.Transcript)
    history.transcript_of(messages, bounds=100)  # type: ignore
    history.render_text(3)  # type: ignore
    history.Bounds(100)  # type: ignore


Agent('test', capabilities=[history.RecordTools()])
assert_type(testing.script_model('1 + 1', '2'), FunctionModel)
testing.script_model(['1 + 1'])  # type: ignore

model = testing.RecordingModel('test')
assert_type(model.requests, list[testing.RequestPrefix])
assert_type(testing.prefix_changes(model.requests), list[testing.PrefixChange])
assert_type(testing.prefix_changes(model.requests)[0].byte, int)
assert_type(testing.wire_prefix(b'{}'), testing.RequestPrefix)
testing.prefix_changes(3)  # type: ignore

recorded = testing.RecordCalls(ts.FunctionToolset[int](), into=testing.RecordedCalls({}, []))
testing.RecordCalls(ts.FunctionToolset[int]())  # type: ignore
again = testing.replay(testing.RecordedRun.read(Path('run.json')))
assert_type(again, testing.Replayed)
assert_type(again.differences, tuple[testing.Difference, ...])
testing.replay(3)  # type: ignore


async def play() -> None:
    assert_type(await testing.replayed('run.json'), testing.Replayed)
