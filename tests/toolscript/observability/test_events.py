"""Scripts as events, for handlers, consoles, web pages and chat UIs."""

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from inline_snapshot import snapshot
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from pydantic_ai import Agent, AgentStreamEvent, DeferredToolRequests, RunContext
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import FunctionToolCallEvent, FunctionToolResultEvent
from pydantic_ai.models.test import TestModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from pydantic_ai.ui.vercel_ai import VercelAIAdapter
from pydantic_ai.usage import RunUsage

from tests.docs import run_blocks
from tests.toolscript.approvals.conversation import KEY, approve_all
from tests.toolscript.scripted import Script, Turn, run_code, streaming
from toolscript import (
    CodeModeToolset,
    FunctionToolset,
    MemoryStore,
    ScriptCallEvent,
    ScriptPauseEvent,
    ScriptPrintEvent,
    ScriptResultEvent,
    Snapshots,
    pending_calls,
)
from toolscript.testing import script_model

pytestmark = pytest.mark.pydantic_ai


shop = FunctionToolset[object]()
SCRIPT_EVENTS = (ScriptCallEvent, ScriptPauseEvent, ScriptPrintEvent, ScriptResultEvent)


@shop.tool_plain
def price(item: str) -> int:
    if item == 'moon':
        raise ToolFailed('not for sale')
    return len(item)


@shop.tool_plain(requires_approval=True)
def buy(item: str) -> str:
    return f'{item} bought'


def agent(toolset: FunctionToolset[object], *turns: Turn) -> Agent[object, str | DeferredToolRequests]:
    return Agent(
        streaming(Script(list(turns))),
        deps_type=object,
        output_type=[str, DeferredToolRequests],
        toolsets=[CodeModeToolset(toolset, snapshots=KEY)],
    )


def reported(event: AgentStreamEvent) -> object:
    """Return an event in short form."""
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
    """Collects the events of a run."""

    seen: list[AgentStreamEvent] = field(default_factory=list[AgentStreamEvent])

    async def __call__(self, ctx: RunContext[object], stream: AsyncIterable[AgentStreamEvent]) -> None:
        self.seen += [event async for event in stream]

    @property
    def reported(self) -> list[object]:
        """Return the script's events in short form."""
        return [reported(event) for event in self.seen if isinstance(event, SCRIPT_EVENTS)]


async def events(toolset: FunctionToolset[object], *turns: Turn) -> list[AgentStreamEvent]:
    watcher = Watcher()
    await agent(toolset, *turns).run('go', event_stream_handler=watcher)
    return watcher.seen


async def test_calls_and_prints_are_between_the_events_of_run_code() -> None:
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
    short = str([reported(event) for event in seen]).replace(run_code_id, 'ID')
    assert short == snapshot(
        "['FunctionToolCallEvent', ('print', 'looking\\n'), ('call', 'ID__1', 'price', {'item': 'tea'}, 2), ('result', 'ID__1', 'finished', 3), ('call', 'ID__2', 'price', {'item': 'moon'}, 4), ('result', 'ID__2', 'failed', 'RuntimeError: not for sale'), ('print', 'no moon\\n'), 'FunctionToolResultEvent']"
    )


async def test_events_arrive_while_the_script_runs() -> None:
    reached, allowed = asyncio.Event(), asyncio.Event()

    async def wait() -> str:
        reached.set()
        await allowed.wait()
        return 'waited'

    watched = agent(FunctionToolset[object]([wait]), run_code('await wait()'))

    async def handler(ctx: RunContext[object], stream: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in stream:
            if isinstance(event, ScriptCallEvent):
                await reached.wait()
                allowed.set()

    # The tool would wait forever if the event of its call came after it.
    result = await asyncio.wait_for(watched.run('go', event_stream_handler=handler), 60)
    assert result.output == 'done'


async def test_a_pause_is_an_event_and_a_resumed_call_has_another() -> None:
    watched, before, after = agent(shop, run_code("await price('tea')\nawait buy('tea')")), Watcher(), Watcher()
    result = await watched.run('go', event_stream_handler=before)
    assert isinstance(result.output, DeferredToolRequests)
    (call,) = pending_calls(result.output)
    approved = approve_all(result.output)
    await watched.run(message_history=result.all_messages(), deferred_tool_results=approved, event_stream_handler=after)
    assert str([before.reported, after.reported]).replace(str(call.script_id), 'ID') == snapshot(
        "[[('call', 'ID__1', 'price', {'item': 'tea'}, 1), ('result', 'ID__1', 'finished', 3), ('call', 'ID__2', 'buy', {'item': 'tea'}, 2), ('result', 'ID__2', 'waiting', None), ('pause', ['ID__2'])], [('call', 'ID__2', 'buy', {'item': 'tea'}, 2), ('result', 'ID__2', 'finished', 'tea bought')]]"
    )


async def test_long_values_are_shown_by_their_shape() -> None:
    def echo(text: str) -> list[dict[str, str]]:
        return [{'text': text}] * 1000

    seen = await events(FunctionToolset[object]([echo]), run_code("len(await echo('x' * 5000))"))
    first, second = [event for event in seen if isinstance(event, (ScriptCallEvent, ScriptResultEvent))]
    assert isinstance(first, ScriptCallEvent)
    assert isinstance(second, ScriptResultEvent)
    assert first.arguments == {'text': f'{"x" * 500}... (5,000 characters)'}
    assert (second.result, second.truncated) == ('list[1,000] of {text: str}', True)


async def test_a_listener_cannot_change_the_values_of_the_script() -> None:
    def fetch(many: int) -> list[dict[str, int]]:
        return [{'id': 1}] * many

    async def change(ctx: RunContext[object], stream: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in stream:
            if isinstance(event, ScriptResultEvent) and not event.truncated:
                event.result[0]['id'] = 100

    code = 'import asyncio\nfound = await asyncio.gather(*[fetch(n) for n in (2, 1_000)])\nsum([row["id"] for rows in found for row in rows])'
    script = Script([run_code(code)])
    watched = Agent(streaming(script), deps_type=object, toolsets=[CodeModeToolset(FunctionToolset[object]([fetch]))])
    await watched.run('go', event_stream_handler=change)
    assert script.answers == [1_002]


async def test_a_toolset_without_a_run_still_runs_scripts() -> None:
    ctx = RunContext[object](deps=None, model=TestModel(), usage=RunUsage())
    async with CodeModeToolset(shop) as toolset:
        tools = await toolset.get_tools(ctx)
        result = await toolset.call_tool('run_code', {'code': "await price('tea')"}, ctx, tools['run_code'])
    assert result.return_value == 3


tools = FunctionToolset[object]()


@tools.tool_plain
def double(number: int) -> int:
    return 2 * number


def agent_scripts() -> Agent[object, str]:
    script = Script([run_code("print('hi')\nawait double(2)")])
    return Agent(streaming(script), deps_type=object, toolsets=[CodeModeToolset(tools)])


async def frames(stream: AsyncIterator[str]) -> list[dict[str, Any]]:
    texts = [frame.removeprefix('data: ').strip() async for frame in stream]
    return [json.loads(text) for text in texts if text != '[DONE]']


async def test_vercel_ai_gets_data_parts() -> None:
    message = {'id': 'm1', 'role': 'user', 'parts': [{'type': 'text', 'text': 'go'}]}
    body = {'trigger': 'submit-message', 'id': 'chat', 'messages': [message]}
    run_input = VercelAIAdapter.build_run_input(json.dumps(body).encode())
    adapter = VercelAIAdapter(agent=agent_scripts(), run_input=run_input, sdk_version=6)
    sent = await frames(adapter.encode_stream(adapter.run_stream()))
    shown = [one for one in sent if str(one['type']).startswith('data-toolscript')]
    assert plain(shown) == [{'type': f'data-toolscript.{name}', 'data': data} for name, data in EVENTS]
    # For `useChat`, the output of an unannounced tool call is an error.
    announced = {one['toolCallId'] for one in sent if one['type'] == 'tool-input-available'}
    assert {one['toolCallId'] for one in sent if one['type'] == 'tool-output-available'} == announced


async def test_ag_ui_gets_custom_events() -> None:
    body: dict[str, Any] = {'threadId': 't', 'runId': 'r', 'state': {}, 'tools': [], 'context': []}
    body |= {'forwardedProps': {}, 'messages': [{'id': 'm1', 'role': 'user', 'content': 'go'}]}
    adapter = AGUIAdapter(agent=agent_scripts(), run_input=AGUIAdapter.build_run_input(json.dumps(body).encode()))
    sent = await frames(adapter.encode_stream(adapter.run_stream()))
    shown = [one for one in sent if one['type'] == 'CUSTOM']
    assert plain(shown) == [{'type': 'CUSTOM', 'name': f'toolscript.{name}', 'value': data} for name, data in EVENTS]
    of_tools = [one['type'].removeprefix('TOOL_CALL_') for one in sent if one['type'].startswith('TOOL_CALL')]
    assert of_tools == ['START', 'ARGS', 'END', 'RESULT']


RESULT: dict[str, Any] = {
    'tool_name': 'double',
    'status': 'finished',
    'result': 4,
    'truncated': False,
    'error': None,
    'seconds': 0,
    'reused': False,
    'speculative': False,
    'origins': {},
    'row': None,
}
EVENTS: list[tuple[str, dict[str, Any]]] = [
    ('print', {'run_code_id': 'ID', 'tool_name': 'run_code', 'text': 'hi\n'}),
    ('call', {'run_code_id': 'ID', 'call_id': 'ID__1', 'tool_name': 'double', 'arguments': {'number': 2}, 'line': 2}),
    ('result', {'run_code_id': 'ID', 'call_id': 'ID__1', **RESULT}),
]


def plain(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the text without parts that vary from run to run."""
    payloads: list[dict[str, Any]] = [one.get('data') or one['value'] for one in found]
    for payload in payloads:
        payload |= {'seconds': 0} if 'seconds' in payload else {}
    (run_code_id,) = {str(payload['run_code_id']) for payload in payloads}
    for one in found:
        one.pop('timestamp', None)
    return json.loads(json.dumps(found).replace(run_code_id, 'ID'))


SNAPSHOTS = Snapshots(key='the key of the tests', store=MemoryStore())
signed: list[str] = []


@tools.tool_plain(requires_approval=True)
def sign(what: str) -> str:
    signed.append(what)
    return f'signed {what}'


@pytest.fixture(autouse=True)
def nothing_is_signed_yet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    signed.clear()
    # Input history is stored in the user's home.
    monkeypatch.setattr('pydantic_ai._cli.PYDANTIC_AI_HOME', tmp_path, raising=False)


@contextmanager
def typed(*lines: str) -> Generator[None]:
    """A user at a console."""
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text(''.join(f'{line}\n' for line in lines))
        yield


async def test_a_console_shows_a_script_as_one_tool_call(capsys: pytest.CaptureFixture[str]) -> None:
    agent = Agent(script_model("print('hi')\nawait double(2)"), toolsets=[CodeModeToolset(tools)], deps_type=object)
    with typed('go', 'and again', '/exit'):
        await agent.to_cli()
    shown = capsys.readouterr().out
    assert shown.count('Called tool run_code') == 2
    assert shown.count('"result":4') == 2
    assert 'Error' not in shown


@pytest.mark.usefixtures('without_keys')
async def test_a_console_asks_during_a_script_as_documented(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_blocks('docs/approvals.md')
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return 'n' if '23' in question else 'y'

    names['input'] = answer
    agent: Agent[None, str] = names['console_agent']
    code = 'import asyncio\nawait asyncio.gather(*[refund(n) for n in (17, 23)], return_exceptions=True)'
    with agent.override(model=script_model(code)), typed('go', '/exit'):
        await agent.to_cli()
    assert sorted(asked) == [f'refund:\n  order = {n}\nApprove? [y/n] ' for n in (17, 23)]
    shown = capsys.readouterr().out
    assert '100% of order 17 refunded' in shown
    assert 'PermissionError: refund was not approved' in shown


async def test_the_web_page_receives_script_events_and_approved_scripts_continue(tmp_path: Path) -> None:
    page = tmp_path / 'index.html'
    page.write_text('a page')
    agent = Agent(
        script_model("await double(2)\nawait sign('a')"),
        deps_type=object,
        output_type=[str, DeferredToolRequests],
        toolsets=[CodeModeToolset(tools, snapshots=SNAPSHOTS)],
    )
    transport = httpx2.ASGITransport(agent.to_web(html_source=page))
    async with httpx2.AsyncClient(transport=transport, base_url='http://localhost') as browser:
        assert (await browser.get('/')).text == 'a page'
        messages: list[dict[str, Any]] = [{'id': 'm', 'role': 'user', 'parts': [{'type': 'text', 'text': 'go'}]}]
        sent = await _chat(browser, messages)
        assert [one['type'] for one in sent if one['type'].startswith('data-')] == [
            *('data-toolscript.call', 'data-toolscript.result') * 2,
            'data-toolscript.pause',
        ]
        assert signed == []
        messages.append(_approving(sent))
        sent = await _chat(browser, messages)
        assert [one['output'] for one in sent if one['type'] == 'tool-output-available'] == ['signed a']
        assert signed == ['a']


async def _chat(browser: httpx2.AsyncClient, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    body = {'trigger': 'submit-message', 'id': 'chat', 'messages': messages}
    text = (await browser.post('/api/chat', json=body)).text
    return [json.loads(frame.removeprefix('data: ')) for frame in text.split('\n\n') if frame and 'DONE' not in frame]


def _approving(sent: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the received message, with the button pressed."""
    request = next(one for one in sent if one['type'] == 'tool-approval-request')
    shown = next(one for one in sent if one['type'] == 'tool-input-available')
    metadata = next(one['messageMetadata'] for one in sent if one['type'] == 'message-metadata')
    part = {'type': 'tool-run_code', 'toolCallId': request['toolCallId'], 'input': shown['input']}
    part |= {'state': 'approval-responded', 'approval': {'id': request['approvalId'], 'approved': True}}
    return {'id': 'a', 'role': 'assistant', 'metadata': metadata, 'parts': [part]}
