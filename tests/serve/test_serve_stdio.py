"""The command over standard input and output: the example, servers of a configuration, and its end."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import mcp_types as types
import pytest
from fastmcp.client.transports import StdioTransport
from mcp import ClientSession, StdioServerParameters, stdio_client
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset

from tests.serve.shop import initialize
from tests.toolscript.scripted import Script, call

_SERVE = ['-m', 'toolscript', 'serve']
_ENVIRONMENT = {'PYTHONPATH': os.environ.get('PYTHONPATH', '')}
"""The MCP library passes few variables on; this one is set where a sabotage is tried on a copy of the source."""
_MORTAL = Path(__file__).parents[1] / 'servers' / 'mortal.py'


@pytest.fixture(scope='module')
async def example(anyio_backend: str) -> AsyncIterator[MCPToolset[object]]:
    """`toolscript serve --example`, as a toolset of pydantic-ai."""
    transport = StdioTransport(sys.executable, [*_SERVE, '--example'], env=_ENVIRONMENT, keep_alive=False)
    async with MCPToolset[object](transport, init_timeout=60) as server:
        yield server


async def test_the_example_runs_without_other_files(example: MCPToolset[object]) -> None:
    code = """\
stock = await search_tools('pieces in stock')
customers = await list_customers(city='Lisbon')
spent = {c['name']: sum(order['total'] for order in await orders_of(c['id'])) for c in customers}
[spent, await stock_of('desk'), [found['name'] for found in stock]]"""
    script = Script([call('shop_hours'), call('run_code', code=code), call('run_code', code="spent['Mira']")])
    await Agent(script.model, toolsets=[example]).run('go')
    assert script.answers[0] == 'Monday to Saturday, 9 to 17'
    assert script.answers[1]['result'] == [{'Mira': 258.0, 'Ada': 191.0}, 3, ['stock_of', 'add_stock']]
    assert script.answers[2] == '258.0'


async def test_a_refund_of_the_example_needs_an_approval(example: MCPToolset[object]) -> None:
    script = Script([call('run_code', code='await refund_order(order_id=10)')])
    await Agent(script.model, toolsets=[example]).run('go')
    assert 'refund_order was not approved' in script.answers[0]


@pytest.mark.long
async def test_a_killed_server_is_named_and_restarted(tmp_path: Path) -> None:
    orders = tmp_path / 'orders'
    orders.write_text('live')
    missing = {'command': sys.executable, 'args': ['-c', 'raise SystemExit("no licence")']}
    mortal = {'command': sys.executable, 'args': [str(_MORTAL), str(orders)]}
    config = tmp_path / 'mcp.json'
    config.write_text(json.dumps({'mcpServers': {'clinic': mortal, 'absent': missing}}))
    (tmp_path / 'toolscript.toml').write_text(
        'start_seconds = 60\n[[rules]]\nserver = "clinic"\ntools = "pulse"\nallowed_callers = "both"\n'
    )
    async with (
        stdio_client(StdioServerParameters(command=sys.executable, args=[*_SERVE, str(config)], env=_ENVIRONMENT)) as (
            incoming,
            outgoing,
        ),
        ClientSession(incoming, outgoing) as session,
    ):
        await session.initialize()
        tools = {tool.name: tool.description or '' for tool in (await session.list_tools()).tools}
        assert list(tools) == ['clinic_pulse', 'run_code']
        assert "The MCP server 'absent' is down" in tools['run_code']
        lost = await session.call_tool('run_code', {'code': 'await clinic_die()'})
        assert "The connection to the MCP server 'clinic' was lost during die" in str(lost)
        back = await session.call_tool('clinic_pulse', {})
        assert isinstance(back, types.CallToolResult)
        assert back.content[0] == types.TextContent(text='beats')


_WHEN_ORDERED = """
import os, sys, time
while not os.path.exists(sys.argv[2]):
    time.sleep(0.01)
os.execv(sys.executable, sys.argv)
"""


async def test_a_client_hears_of_a_server_that_started_late(tmp_path: Path) -> None:
    orders, config, changed = tmp_path / 'orders', tmp_path / 'mcp.json', asyncio.Event()
    slow = {'command': sys.executable, 'args': ['-c', _WHEN_ORDERED, str(_MORTAL), str(orders)]}
    config.write_text(json.dumps({'mcpServers': {'clinic': slow}}))
    (tmp_path / 'toolscript.toml').write_text('start_seconds = 0.1\n')

    async def hear(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changed.set()

    parameters = StdioServerParameters(command=sys.executable, args=[*_SERVE, str(config)], env=_ENVIRONMENT)
    async with (
        stdio_client(parameters) as (incoming, outgoing),
        ClientSession(incoming, outgoing, message_handler=hear) as session,
    ):
        await session.initialize()
        [tool] = (await session.list_tools()).tools
        assert tool.description == "The MCP server 'clinic' is still starting; its tools are available when it is up."
        orders.write_text('live')
        await changed.wait()
        [tool] = (await session.list_tools()).tools
        assert 'clinic_pulse' in (tool.description or '')


@asynccontextmanager
async def started(**capabilities: object) -> AsyncGenerator[tuple[Process, StreamWriter, StreamReader]]:
    """The example after a client initialized it, with its input and its output."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *_SERVE,
        '--example',
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    write(process.stdin, initialize(**capabilities))
    write(process.stdin, {'method': 'notifications/initialized'})
    answer = json.loads(await process.stdout.readline())
    assert answer['result']['capabilities']['tools'] == {'listChanged': True}
    yield process, process.stdin, process.stdout
    process.stdin.close()
    rest, errors = await process.communicate()
    assert (rest, process.returncode) == (b'', 0), errors


def write(stream: StreamWriter, message: dict[str, object]) -> None:
    stream.write(json.dumps({'jsonrpc': '2.0', **message}).encode() + b'\n')


async def test_only_the_protocol_is_written_to_standard_output_and_an_invalid_answer_denies_the_call() -> None:
    accepted = {'action': 'accept', 'content': {'decision': 'approve'}}
    answers: list[dict[str, object]] = [
        {'result': accepted},
        {'result': 'yes'},
        {},
        {'error': 'no'},
        {'jsonrpc': '1.0', 'result': accepted},
        {'result': {**accepted, 'action': 'yes'}},
        {'result': {**accepted, 'content': ['approve']}},
        {'result': {**accepted, 'content': {'decision': 'Approve'}}},
        {'result': {**accepted, 'content': None}},
    ]
    async with started(elicitation={}) as (_, sends, receives):
        for number, answer in enumerate(answers):
            params = {'name': 'run_code', 'arguments': {'code': 'await refund_order(order_id=10)'}}
            write(sends, {'id': number, 'method': 'tools/call', 'params': params})
            message = json.loads(await receives.readline())
            while message.get('method') != 'elicitation/create':
                message = json.loads(await receives.readline())
            # A blank line has no meaning.
            sends.write(b' \n')
            write(sends, {'id': message['id'], **answer})
            sends.write(b'\n')
            async with asyncio.timeout(60):
                while message.get('id') != number or 'result' not in message:
                    message = json.loads(await receives.readline())
            text = message['result']['content'][0]['text']
            unreadable = 'refund_order was not approved: the answer of the client could not be read' in text
            assert unreadable == (answer != {'result': accepted}), answer


@pytest.mark.long
async def test_a_token_is_generated_if_none_is_given_and_shown_on_standard_error() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *_SERVE,
        '--example',
        *('--http', '--port', '0'),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    url, token = [(await process.stderr.readline()).decode().split()[2] for _ in range(2)]
    assert url.startswith('http://127.0.0.1:')
    script = Script([call('shop_hours')])
    server = MCPToolset[object](url, headers={'Authorization': f'Bearer {token}'}, init_timeout=60)
    await Agent(script.model, toolsets=[server]).run('go')
    assert script.answers == ['Monday to Saturday, 9 to 17']
    process.terminate()
    out, _ = await process.communicate()
    assert out == b''
