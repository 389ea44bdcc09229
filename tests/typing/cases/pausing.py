"""Approvals, reading and testing, rightly and wrongly asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, assert_type

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.models.function import FunctionModel

from toolscript import ApproveCalls, CallTooLong, FunctionToolset, PendingCall, pending_calls, resolve
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
    """What waits, and what becomes of it."""
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
    pending_calls([])  # error


def read(history: History) -> None:
    """A history as text, as a page and as data."""
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
