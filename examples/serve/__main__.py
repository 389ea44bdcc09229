"""The servers of `mcp.json` straight, and behind `toolscript serve`."""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from textwrap import indent
from typing import Any

from mcp.types import Tool

from demo import routing
from demo.installation import CannotInstall, python_environment
from demo.repository import create
from examples.serve.client import connected, told, tools_of

_HERE = Path(__file__).parent
_SERVE = ['-m', 'toolscript', 'serve', str(_HERE / 'mcp.json')]

_SCRIPT = Template("""\
from collections import Counter

log = await git_log(repo_path='$repository', max_count=20)
authors = Counter(line.split()[1] for line in log.splitlines() if line.startswith('Author: '))
[(busiest, commits)] = authors.most_common(1)
issue = await tracker_create_issue(title='Thank ' + busiest, assignee='Tove', text=f'{commits} commits')
f'{busiest} made {commits} of {authors.total()} commits; issue {issue["number"]}'
""")


async def main(folder: Path) -> None:
    """Show both.

    Args:
        folder: Where the servers find a repository, and keep issues.
    """
    create(folder / 'routing', routing.history())
    environment = _environment(folder)
    print('Straight:')
    for name, tools in (await _straight(environment)).items():
        print(f'  {name}: {len(tools)} tools, {_size(tools):,} characters')
    async with connected(sys.executable, _SERVE, environment) as session:
        tools = await tools_of(session)
        print(f'Behind toolscript serve: {len(tools)} tools, {_size(tools):,} characters')
        print(' ', ', '.join(tool.name for tool in tools))
        search = next(tool.name for tool in tools if 'search' in tool.name)
        for query in ('commit log', 'open an issue'):
            print(f'{search}({query!r})')
            print(indent(await told(session, search, {'query': query}), '  '))
        print('run_code')
        code = _SCRIPT.substitute(repository=folder / 'routing')
        print(' ', await told(session, 'run_code', {'code': code}))


async def _straight(environment: Mapping[str, str]) -> dict[str, Sequence[Tool]]:
    """The tools of each server, as a client has them without toolscript."""
    text = Template((_HERE / 'mcp.json').read_text()).substitute(environment, workspaceFolder=_HERE)

    async def of(server: Mapping[str, Any]) -> Sequence[Tool]:
        async with connected(server['command'], server['args'], environment) as session:
            return await tools_of(session)

    configured: dict[str, dict[str, Any]] = json.loads(text)['mcpServers']
    listed = await asyncio.gather(*[of(server) for server in configured.values()])
    return dict(zip(configured, listed, strict=True))


def _environment(folder: Path) -> dict[str, str]:
    """What `mcp.json` speaks of; the programs of its servers are found on the `PATH`."""
    programs = [Path(sys.executable), python_environment('git'), python_environment('time')]
    path = os.pathsep.join([*(str(program.parent) for program in programs), os.environ['PATH']])
    return {**os.environ, 'PATH': path, 'REPOSITORY': str(folder / 'routing'), 'ISSUES': str(folder / 'issues.json')}


def _size(tools: Sequence[Tool]) -> int:
    """How much of a prompt the definitions take."""
    return sum(len(tool.model_dump_json(exclude_none=True)) for tool in tools)


if __name__ == '__main__':
    try:
        with tempfile.TemporaryDirectory(prefix='serve-') as temporary:
            asyncio.run(main(Path(temporary).resolve()))
    except CannotInstall as problem:
        sys.exit(str(problem))
