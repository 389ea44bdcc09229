"""Run the job twice, as a script and by direct calls, and show both."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from pydantic_ai import Agent, AgentRunError, UsageLimits
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models import Model
from rich.console import Console
from rich.markup import escape

from demo import database, job, routing, servers
from demo.agents import NoModel, code_agent, direct_agent, live_model
from demo.by_hand import by_hand
from demo.database import Database
from demo.in_code import in_code
from demo.screen import Metered, Screen, Totals
from demo.scripted import scripted
from demo.shop import shop

_LIMITS = UsageLimits(request_limit=40)
"""Stops a live model that gets lost."""


async def main(console: Console, model: str | None, folder: Path) -> bool:
    """Set everything up, run both agents and compare. Returns whether both were right."""
    live = live_model(model) if model else None
    history, shop_database = folder / 'routing', database.create(folder / 'shop.db')
    routing.create(history)
    async with AsyncExitStack() as stack:
        with console.status('Installing and starting MCP servers; the first time takes a minute'):
            started = [await stack.enter_async_context(server) for server in _servers(console, folder)]
        return await both_ways(console, live, shop_database, history, started)


async def both_ways(
    console: Console, live: Model | None, shop_database: Database, history: Path, started: Sequence[MCPToolset[object]]
) -> bool:
    """Run both agents, with a scripted model by default, and compare. Returns whether both were right."""
    screen = Screen(console, await _introduce(console, started))
    task = job.prompt(history)
    console.print(f'\n[bold]The job[/]\n{task}')
    runs: dict[str, tuple[Totals, int]] = {}
    right: list[bool] = []
    for name, agent_of, played in (('As a script', code_agent, in_code), ('By direct calls', direct_agent, by_hand)):
        screen.headline(name)
        metered = Metered(live or scripted(played), screen)
        right.append(await _run(screen, agent_of(metered, started, screen.called), task, shop_database))
        runs[name] = (metered.totals, screen.runs.total())
    screen.totals(runs)
    return all(right)


async def _run(screen: Screen, agent: Agent[Database, str], task: str, shop_database: Database) -> bool:
    try:
        answer = (await agent.run(task, deps=shop_database, usage_limits=_LIMITS)).output
    except AgentRunError as error:
        answer = f'No answer, the run broke off: {error}'
    facts = job.facts(shop_database)
    missing = job.missing(answer, facts)
    screen.answer(answer, missing, len(facts))
    return not missing


def _servers(console: Console, folder: Path) -> Iterator[MCPToolset[object]]:
    """Yield the servers available here. The job needs git; the others only make the search harder."""
    yield servers.git(folder / 'routing')
    others: dict[str, Callable[[], MCPToolset[object]]] = {
        'time': servers.time,
        'sqlite': lambda: servers.sqlite(folder / 'notes.db'),
        'filesystem': lambda: servers.filesystem(folder),
        'memory': lambda: servers.memory(folder / 'memory.jsonl'),
        'everything': servers.everything,
    }
    missing: dict[str, list[str]] = {}
    for name, server in others.items():
        try:
            yield server()
        except servers.CannotInstall as error:
            missing.setdefault(str(error), []).append(name)
    for reason, names in missing.items():
        console.print(f'[dim]Without the MCP servers {", ".join(names)}: {escape(reason)}[/]')


async def _introduce(console: Console, started: Sequence[MCPToolset[object]]) -> frozenset[str]:
    tools = {'shop': list(shop.tools)}
    tools |= {str(server.id): [tool.name for tool in await server.list_tools()] for server in started}
    listed = ', '.join(f'{name} {len(names)}' for name, names in tools.items())
    every = frozenset(name for names in tools.values() for name in names)
    console.print(f'[bold]{len(every)} tools[/]: {listed}. The shop is a SQLite database, the others are MCP servers.')
    return every


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=120)


if __name__ == '__main__':
    try:
        with tempfile.TemporaryDirectory(prefix='demo-') as temporary:
            right = asyncio.run(main(_console(), os.environ.get('MODEL') or None, Path(temporary).resolve()))
    except (NoModel, servers.CannotInstall) as problem:
        sys.exit(str(problem))
    sys.exit(0 if right else 'An answer was wrong.')
