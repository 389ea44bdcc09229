"""MCP servers that cannot be started are refused, and those that say too much are bounded."""

import logging
import sys
from pathlib import Path
from typing import Any

import pytest
from fastmcp.client.logging import LogMessage
from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent, UserError

from tests.servers import talkative
from toolscript import CodeMode, MCPServer
from toolscript.mcp.server import MOST_CHARS, MOST_MESSAGES, WINDOW_SECONDS, ServerLog
from toolscript.testing import script_model

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


APART = "MCPServer takes the program and its arguments separately: MCPServer('npx', ['-y', 'some-server'])."
LISTED = "MCPServer takes a program and a list of arguments: MCPServer('npx', ['-y', 'some-server'])."


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        (
            ('https://mcp.example/x',),
            "MCPServer starts a program, and 'https://mcp.example/x' is a URL: "
            "use pydantic_ai.mcp.MCPToolset('https://mcp.example/x').",
        ),
        ((['npx', '-y', 'server'],), APART),
        ((('npx', 'server'),), APART),
        (
            (StdioTransport('npx', []),),
            'MCPServer starts a program by name, and this is a StdioTransport: use pydantic_ai.mcp.MCPToolset.',
        ),
        ((None,), 'MCPServer starts a program by name, and this is a NoneType: use pydantic_ai.mcp.MCPToolset.'),
        (('npx', '-y server'), LISTED),
        (('npx', None), LISTED),
        (('',), LISTED),
    ],
)
def test_what_is_no_program_is_refused_at_once(given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(UserError) as refused:
        MCPServer(*given)
    assert str(refused.value) == message


def test_arguments_may_follow_the_program() -> None:
    assert MCPServer(Path(sys.executable), ['-m', 'server'], id='s').label


def test_without_the_client_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'fastmcp.client.transports', None)
    with pytest.raises(ImportError, match=r"pip install 'toolscript\[mcp\]'"):
        MCPServer('npx')


async def test_a_server_that_floods_logs_so_many_messages_in_a_window_and_the_rest_is_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = [0.0]
    log = ServerLog('wordy', lambda: now[0])
    for _ in range(2 * MOST_MESSAGES + 5):
        await log(LogMessage(level='error', data='no'))
    assert len(caplog.messages) == MOST_MESSAGES + 1
    assert caplog.messages[-1] == (
        "the MCP server 'wordy' logs more than 100 messages in 60 s; further ones of that time are only counted"
    )
    now[0] += WINDOW_SECONDS
    await log(LogMessage(level='alert', data={'a': 1}))
    assert caplog.messages[-2:] == [
        "105 messages of the MCP server 'wordy' were left out",
        "the MCP server 'wordy' says: {'a': 1}",
    ]
    assert caplog.records[-1].levelno == logging.CRITICAL


async def test_one_message_is_one_short_line_in_which_every_character_is_visible(
    caplog: pytest.LogCaptureFixture,
) -> None:
    await ServerLog('odd')(LogMessage(level='warning', data='a\nb \x1b[2J\u202e' + 'x' * 10 * MOST_CHARS))
    [message] = caplog.messages
    assert message.startswith(r"the MCP server 'odd' says: a b \x1b[2J\u202exxx")
    assert len(message) < MOST_CHARS + 100


@pytest.mark.long
async def test_a_flood_of_messages_and_progress_is_bounded_and_other_calls_continue(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, 'toolscript.servers')
    server = MCPServer(sys.executable, [talkative.__file__], id='talkative', init_timeout=60)
    code = 'await asyncio.gather(flood(times=300), own(n=1), own(n=2))'

    async def own(n: int) -> int:
        return n

    agent = Agent(script_model(code), tools=[own], toolsets=[server], capabilities=[CodeMode()])
    result = await agent.run('Go')
    said = [record.message for record in caplog.records if record.name == 'toolscript.servers']
    assert len(said) == MOST_MESSAGES + 1
    assert not [record for record in caplog.records if record.name.startswith('fastmcp')]
    assert '300' in str(result.output)
