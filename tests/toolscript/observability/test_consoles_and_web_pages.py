"""The chats that pydantic-ai brings along, `Agent.to_cli` and `Agent.to_web`: what they show of scripts, and how they ask."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from pydantic_ai import Agent, DeferredToolRequests

from tests.docs import run_blocks
from toolscript import CodeModeToolset, FunctionToolset, MemoryStore, Snapshots
from toolscript.testing import script_model

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

DOCS = Path(__file__).parents[3] / 'docs'
SNAPSHOTS = Snapshots(key='the key of the tests', store=MemoryStore())
tools = FunctionToolset[object]()
signed: list[str] = []


@tools.tool_plain
def double(number: int) -> int:
    """Twice as much."""
    return 2 * number


@tools.tool_plain(requires_approval=True)
def sign(what: str) -> str:
    """Sign something."""
    signed.append(what)
    return f'signed {what}'


@pytest.fixture(autouse=True)
def nothing_is_signed_yet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    signed.clear()
    # What was typed is kept in the home of anyone who typed it.
    monkeypatch.setattr('pydantic_ai._cli.PYDANTIC_AI_HOME', tmp_path, raising=False)


@contextmanager
def typed(*lines: str) -> Generator[None]:
    """Somebody at a console."""
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text(''.join(f'{line}\n' for line in lines))
        yield


async def test_a_console_shows_a_script_as_one_tool_and_is_not_disturbed(capsys: pytest.CaptureFixture[str]) -> None:
    agent = Agent(script_model("print('hi')\nawait double(2)"), toolsets=[CodeModeToolset(tools)], deps_type=object)
    with typed('go', 'and again', '/exit'):
        await agent.to_cli()
    shown = capsys.readouterr().out
    assert shown.count('Called tool run_code') == 2
    assert shown.count('"result":4') == 2
    assert 'Error' not in shown


@pytest.mark.usefixtures('without_keys')
async def test_a_console_asks_where_the_script_waits_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
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
    assert sorted(re.findall(r'^(finished|failed): refund', shown, re.MULTILINE)) == ['failed', 'finished']
    assert '100% of order 17 refunded' in shown
    assert 'PermissionError: refund was not approved' in shown


async def test_the_web_page_is_sent_what_scripts_do_and_what_was_approved_goes_on(tmp_path: Path) -> None:
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
    """The message that was received, with the button pressed."""
    request = next(one for one in sent if one['type'] == 'tool-approval-request')
    shown = next(one for one in sent if one['type'] == 'tool-input-available')
    metadata = next(one['messageMetadata'] for one in sent if one['type'] == 'message-metadata')
    part = {'type': 'tool-run_code', 'toolCallId': request['toolCallId'], 'input': shown['input']}
    part |= {'state': 'approval-responded', 'approval': {'id': request['approvalId'], 'approved': True}}
    return {'id': 'a', 'role': 'assistant', 'metadata': metadata, 'parts': [part]}
