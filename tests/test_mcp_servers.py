"""The MCP servers of other tests behave as those tests expect, and work together."""

from pathlib import Path

from inline_snapshot import snapshot
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.toolsets import CombinedToolset

from tests.toolscript.scripted import play, run_code, search
from tests.toolscript.test_tool_rules import APPROVE_WRITES, ruled_rules, waiting
from toolscript import CodeModeToolset, SearchableToolset, ToolRule


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


async def test_deferred_tools_of_several_servers_are_found_and_used_together(
    git_server: MCPToolset[object], sqlite_server: MCPToolset[object], repository: Path
) -> None:
    everything = CombinedToolset([sqlite_server.defer_loading(), git_server.defer_loading(['git_log'])])
    code = f"""\
log = await git_log(repo_path={str(repository)!r})
log.count('Author: '), await read_query(query='SELECT 1 AS one')"""
    script = await play(
        CodeModeToolset(SearchableToolset(everything)), search('commit log'), search('query'), run_code(code)
    )
    assert [tool['name'] for tool in script.answers[0]['tools']][:1] == ['git_log']
    assert script.answers[2] == snapshot([10, "[{'one': 1}]"])


async def test_calls_of_real_servers_wait_unless_their_tool_or_a_mark_is_read_only(
    git_server: MCPToolset[object], sqlite_server: MCPToolset[object], repository: Path
) -> None:
    servers, sql = CombinedToolset([git_server, sqlite_server]), "await read_query(query='SELECT 1 AS one')"
    log = f'len(await git_log(repo_path={str(repository)!r}, max_count=1)) > 0'
    for toolset, code, waits in (
        (ruled_rules(servers, APPROVE_WRITES), log, 'done'),
        (ruled_rules(servers, APPROVE_WRITES), sql, ['read_query']),
        (
            ruled_rules(servers, APPROVE_WRITES, ToolRule('read_query', server='*sqlite*', mark_read_only=True)),
            sql,
            'done',
        ),
        (ruled_rules(servers, APPROVE_WRITES, ToolRule('git_log', mark_read_only=False)), log, ['git_log']),
    ):
        assert await waiting(toolset, code) == waits
