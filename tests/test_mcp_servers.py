"""The MCP servers that other tests build on do what those tests take for granted."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from pydantic_ai.mcp import MCPToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


async def test_git(git_server: MCPToolset[object], repository: Path) -> None:
    log = await git_server.direct_call_tool('git_log', {'repo_path': str(repository), 'max_count': 1})
    assert log == snapshot("""\
Commit history:
Commit: 353d4ba72cc15daba7f95c38f796d74e5711c1f8
Author: Mira
Date: 2026-06-21 14:00:00+00:00
Message: Return western parcels by train

""")


async def test_time(time_server: MCPToolset[object]) -> None:
    arguments = {'source_timezone': 'UTC', 'time': '12:00', 'target_timezone': 'Asia/Kathmandu'}
    converted = await time_server.direct_call_tool('convert_time', arguments)
    assert converted['time_difference'] == '+5.75h'


async def test_sqlite(sqlite_server: MCPToolset[object]) -> None:
    assert await sqlite_server.direct_call_tool('read_query', {'query': 'SELECT 1 AS one'}) == snapshot("[{'one': 1}]")


async def test_filesystem(filesystem_server: MCPToolset[object], empty_folder: Path) -> None:
    allowed = await filesystem_server.direct_call_tool('list_allowed_directories', {})
    assert allowed == {'content': f'Allowed directories:\n{empty_folder}'}


async def test_memory(memory_server: MCPToolset[object]) -> None:
    assert await memory_server.direct_call_tool('read_graph', {}) == snapshot({'entities': [], 'relations': []})


async def test_everything(everything_server: MCPToolset[object]) -> None:
    assert await everything_server.direct_call_tool('get-sum', {'a': 1, 'b': 2}) == snapshot('The sum of 1 and 2 is 3.')


async def test_the_workshop_has_names_and_parameters_that_are_no_identifiers(workshop: MCPToolset[object]) -> None:
    parameters = {tool.name: list(tool.input_schema['properties']) for tool in await workshop.list_tools()}
    assert parameters == snapshot(
        {
            'list-orders': ['from', 'class'],
            'stock.level': ['x-api-key', '$filter'],
            'customer_of': ['order_id'],
            'note': ['text'],
            'refund': ['order_id', 'amount'],
            'counter.next': [],
            'slow-echo': ['text', 'seconds'],
            'photo': [],
            'ledger.read': [],
            'ledger-clear': [],
        }
    )


async def test_the_workshop_keeps_a_ledger(workshop: MCPToolset[object]) -> None:
    await workshop.direct_call_tool('note', {'text': 'oil'})
    assert await workshop.direct_call_tool('counter.next', {}) == snapshot({'value': 1})
    assert await workshop.direct_call_tool('ledger.read', {}) == snapshot(
        {
            'calls': [{'tool': 'note', 'arguments': {'text': 'oil'}}, {'tool': 'counter.next', 'arguments': {}}],
            'most_at_once': 0,
        }
    )
    await workshop.direct_call_tool('ledger-clear', {})
    assert await workshop.direct_call_tool('ledger.read', {}) == snapshot({'calls': [], 'most_at_once': 0})
