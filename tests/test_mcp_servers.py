"""The MCP servers that other tests build on do what those tests take for granted."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from pydantic_ai.mcp import MCPToolset

pytestmark = pytest.mark.anyio


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
