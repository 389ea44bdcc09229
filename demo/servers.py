"""Real MCP servers of other projects, ready to be started over stdio as toolsets."""

import shutil
from pathlib import Path

from fastmcp.client.transports import StdioTransport
from pydantic_ai.mcp import MCPToolset

from demo.installation import CannotInstall, node_modules, python_environment

__all__ = ['CannotInstall', 'everything', 'filesystem', 'git', 'memory', 'sqlite', 'time']


def git(repository: Path) -> MCPToolset[object]:
    """Log, diff, branches and commits of a git repository."""
    return _python('git', 'servers', 'mcp_server_git', '--repository', str(repository))


def time() -> MCPToolset[object]:
    """The time in every time zone."""
    return _python('time', 'servers', 'mcp_server_time', '--local-timezone', 'UTC')


def sqlite(database: Path) -> MCPToolset[object]:
    """Queries on a SQLite database."""
    return _python('sqlite', 'sqlite', 'mcp_server_sqlite', '--db-path', str(database))


def filesystem(folder: Path) -> MCPToolset[object]:
    """Reading and writing the files of a folder."""
    return _node('filesystem', str(folder.resolve()))


def memory(file: Path) -> MCPToolset[object]:
    """A graph of entities, relations and observations, stored in a file."""
    return _node('memory', env={'MEMORY_FILE_PATH': str(file.resolve())})


def everything() -> MCPToolset[object]:
    """One tool for each feature of the protocol."""
    return _node('everything')


def _python(name: str, environment: str, module: str, *arguments: str) -> MCPToolset[object]:
    start = f'import sys, {module}; sys.exit({module}.main())'
    return _toolset(name, str(python_environment(environment)), ['-c', start, *arguments])


def _node(name: str, *arguments: str, env: dict[str, str] | None = None) -> MCPToolset[object]:
    program = node_modules() / '@modelcontextprotocol' / f'server-{name}' / 'dist' / 'index.js'
    return _toolset(name, shutil.which('node') or 'node', [str(program), *arguments], env)


def _toolset(name: str, command: str, arguments: list[str], env: dict[str, str] | None = None) -> MCPToolset[object]:
    # Output of a server on stderr would garble the terminal.
    log = Path(__file__).parent.parent / '.servers' / f'{name}.log'
    server = StdioTransport(command, arguments, env=env, log_file=log)
    # A cold start on a busy machine takes longer than the client's five seconds.
    return MCPToolset(server, id=name, init_timeout=300)
