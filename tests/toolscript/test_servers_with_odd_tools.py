"""One odd tool of an MCP server takes no other tool with it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai import Agent
from typer.testing import CliRunner

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset
from toolscript.cli.app import app

if TYPE_CHECKING:
    from pydantic_ai.mcp import MCPToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

_SERVER = Path(__file__).parents[1] / 'servers' / 'odd.py'
_SCHEMA: dict[str, Any] = {'type': 'object'}
ODD: list[Any] = [
    {'name': 'null', 'inputSchema': None},
    {'name': 'array', 'inputSchema': {'type': 'array'}},
    {'name': 'properties', 'inputSchema': {'type': 'object', 'properties': []}},
    {'name': 'without'},
    {'name': 'output', 'inputSchema': _SCHEMA, 'outputSchema': 'text'},
    {'name': 'hint', 'inputSchema': _SCHEMA, 'annotations': {'readOnlyHint': 'maybe'}},
    {'inputSchema': _SCHEMA},
    'no tool at all',
]
REFERENCE: dict[str, Any] = {
    'name': 'reference',
    'inputSchema': {'type': 'object', 'properties': {'a': {'$ref': '#/$defs/none'}}},
}


def odd(*tools: Any, refusal: str = '') -> MCPToolset[object]:
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.mcp import MCPToolset

    transport = StdioTransport(sys.executable, [str(_SERVER), json.dumps(refusal or tools)], keep_alive=False)
    return MCPToolset(transport, id='odd')


async def played(code: str, *tools: Any) -> list[object]:
    script = Script([run_code(code)])
    await Agent(script.model, toolsets=[CodeModeToolset(odd(*tools))]).run('go')
    return script.answers


async def test_tools_that_cannot_be_read_are_left_out_and_named(caplog: pytest.LogCaptureFixture) -> None:
    assert await played('[await add(a=1), await reference()]', *ODD, REFERENCE) == [['add of odd', 'reference of odd']]
    reported = [record.getMessage() for record in caplog.records if record.name == 'toolscript.servers']
    left_out = sorted(text.split("'")[1] for text in reported)
    assert left_out == sorted(['null', 'array', 'properties', 'without', 'output', 'hint', 'None'])
    assert all('is left out: ' in text for text in reported)


async def test_a_result_is_not_checked_by_a_schema_of_its_server() -> None:
    # With a few more of its letters, this pattern holds the event loop for hours.
    pattern = {'type': 'object', 'properties': {'a': {'type': 'string', 'pattern': '^(a+)+$'}}}
    slow = {'name': 'slow', 'inputSchema': _SCHEMA, 'outputSchema': pattern}
    answers = await played('[await slow(), await add(a=1)]', {**slow, '_meta': {'structuredContent': {'a': 'aaa!'}}})
    assert answers == [[{'a': 'aaa!'}, 'add of odd']]


async def test_a_result_in_many_parts_is_not_read() -> None:
    tool = {'name': 'many', 'inputSchema': _SCHEMA, '_meta': {'parts': 5_001}}
    with_value = {**tool, 'name': 'again', '_meta': {'parts': 5_001, 'structuredContent': {'result': [1, 2]}}}
    code = """\
try:
    await many()
except RuntimeError as error:
    told = str(error)
[told, await again()]"""
    assert await played(code, tool, with_value) == [
        [
            'The call has finished, but its result has 5,001 parts, and 5,000 are allowed. Request less at a time: use '
            'a filter, pages, or narrower arguments.',
            [1, 2],
        ]
    ]


async def test_a_tool_called_run_code_has_its_server_in_front(caplog: pytest.LogCaptureFixture) -> None:
    clashing = {'name': 'run_code', 'inputSchema': _SCHEMA}
    # The server hears the name that it gave.
    assert await played('[await add(a=1), await odd_run_code()]', clashing) == [['add of odd', 'run_code of odd']]
    assert "the tool 'run_code' of the MCP server 'odd' is now 'odd_run_code'" in caplog.messages


def test_inspect_names_what_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / 'mcp.json'
    server = {'command': sys.executable, 'args': [str(_SERVER), json.dumps(ODD)]}
    file.write_text(json.dumps({'mcpServers': {'odd': server}}))
    inspected = json.loads(CliRunner().invoke(app, ['inspect', str(file), '--json']).stdout)
    assert [tool['name'] for tool in inspected['tools']] == ['odd_add']
    unreadable = {one['name']: one['text'] for one in inspected['warnings'] if one['kind'] == 'unreadable'}
    assert unreadable['hint'] == (
        'annotations.readOnlyHint: Input should be a valid boolean, unable to interpret input'
    )
    assert len(unreadable) == 7
