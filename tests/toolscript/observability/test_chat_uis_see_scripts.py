"""Chat UIs are sent what scripts do, in the frames of their own protocols."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.ui.ag_ui import AGUIAdapter
from pydantic_ai.ui.vercel_ai import VercelAIAdapter

from tests.toolscript.scripted import Script, run_code, streaming
from toolscript import CodeModeToolset, FunctionToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

tools = FunctionToolset[object]()


@tools.tool_plain
def double(number: int) -> int:
    """Twice as much."""
    return 2 * number


def agent() -> Agent[object, str]:
    script = Script([run_code("print('hi')\nawait double(2)")])
    return Agent(streaming(script), deps_type=object, toolsets=[CodeModeToolset(tools)])


async def frames(stream: AsyncIterator[str]) -> list[dict[str, Any]]:
    texts = [frame.removeprefix('data: ').strip() async for frame in stream]
    return [json.loads(text) for text in texts if text != '[DONE]']


async def test_vercel_ai_gets_data_parts() -> None:
    message = {'id': 'm1', 'role': 'user', 'parts': [{'type': 'text', 'text': 'go'}]}
    body = {'trigger': 'submit-message', 'id': 'chat', 'messages': [message]}
    run_input = VercelAIAdapter.build_run_input(json.dumps(body).encode())
    adapter = VercelAIAdapter(agent=agent(), run_input=run_input, sdk_version=6)
    sent = await frames(adapter.encode_stream(adapter.run_stream()))
    shown = [one for one in sent if str(one['type']).startswith('data-toolscript')]
    assert plain(shown) == [{'type': f'data-toolscript.{name}', 'data': data} for name, data in EVENTS]
    # A tool's output for a call that was never announced is an error for `useChat`.
    announced = {one['toolCallId'] for one in sent if one['type'] == 'tool-input-available'}
    assert {one['toolCallId'] for one in sent if one['type'] == 'tool-output-available'} == announced


async def test_ag_ui_gets_custom_events() -> None:
    body: dict[str, Any] = {'threadId': 't', 'runId': 'r', 'state': {}, 'tools': [], 'context': []}
    body |= {'forwardedProps': {}, 'messages': [{'id': 'm1', 'role': 'user', 'content': 'go'}]}
    adapter = AGUIAdapter(agent=agent(), run_input=AGUIAdapter.build_run_input(json.dumps(body).encode()))
    sent = await frames(adapter.encode_stream(adapter.run_stream()))
    shown = [one for one in sent if one['type'] == 'CUSTOM']
    assert plain(shown) == [{'type': 'CUSTOM', 'name': f'toolscript.{name}', 'value': data} for name, data in EVENTS]
    of_tools = [one['type'].removeprefix('TOOL_CALL_') for one in sent if one['type'].startswith('TOOL_CALL')]
    assert of_tools == ['START', 'ARGS', 'END', 'RESULT']


RESULT = {
    'tool_name': 'double',
    'status': 'finished',
    'result': 4,
    'truncated': False,
    'error': None,
    'seconds': 0,
    'reused': False,
    'speculative': False,
}
EVENTS: list[tuple[str, dict[str, Any]]] = [
    ('print', {'run_code_id': 'ID', 'tool_name': 'run_code', 'text': 'hi\n'}),
    ('call', {'run_code_id': 'ID', 'call_id': 'ID__1', 'tool_name': 'double', 'arguments': {'number': 2}, 'line': 2}),
    ('result', {'run_code_id': 'ID', 'call_id': 'ID__1', **RESULT}),
]


def plain(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what differs from run to run."""
    payloads: list[dict[str, Any]] = [one.get('data') or one['value'] for one in found]
    for payload in payloads:
        payload |= {'seconds': 0} if 'seconds' in payload else {}
    (run_code_id,) = {str(payload['run_code_id']) for payload in payloads}
    for one in found:
        one.pop('timestamp', None)
    return json.loads(json.dumps(found).replace(run_code_id, 'ID'))
