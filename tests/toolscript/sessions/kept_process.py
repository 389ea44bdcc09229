"""Conversations whose processes die. Usage: kept_process.py FOLDER SCRIPT...

Each script is run by a child process, killed by `await die()`, and resumed by another one. In between, a script with
`# lost` loses its state and all functions. Variables persist from script to script. Prints the result of each.
"""

import asyncio
import os
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from pydantic_ai import Agent, ModelMessagesTypeAdapter

from tests.toolscript.sessions.offices import orders_of
from toolscript import CodeModeToolset, FunctionToolset, SavedFunctions, Sessions, Snapshots, SqliteStore
from toolscript.testing import script_model

FOLDER = Path(sys.argv[1])
tools = FunctionToolset[str]([orders_of])


@tools.tool_plain
def note(line: str) -> None:
    with (FOLDER / 'ledger').open('a') as ledger:
        ledger.write(f'{line}\n')


@tools.tool_plain(metadata={'read_only': True})
def die() -> None:
    if not (FOLDER / 'died').exists():
        (FOLDER / 'died').touch()
        os.kill(os.getpid(), signal.SIGKILL)


async def run(code: str) -> None:
    """Run the script, or resume it."""
    store = SqliteStore(FOLDER / 'store.db')
    functions = SavedFunctions(store, scope='user', owner=lambda ctx: ctx.deps)
    snapshots = Snapshots(key='the key of the tests', encryption_key='another key of the tests', store=store)
    sessions = Sessions(SqliteStore(FOLDER / 'variables.db'), owner=lambda ctx: ctx.deps)
    toolset = CodeModeToolset(tools, functions=functions, snapshots=snapshots, sessions=sessions)
    agent = Agent(script_model(code), deps_type=str, toolsets=[toolset])
    file = FOLDER / 'history.json'
    history = ModelMessagesTypeAdapter.validate_json(file.read_bytes()) if file.exists() else None
    async with agent.iter(None if history else 'go', message_history=history, deps='ann') as running:
        async for _ in running:
            file.write_bytes(running.all_messages_json())
    assert running.result is not None
    print(running.result.output, flush=True)


def life(code: str) -> int:
    """Run a child and return its exit status."""
    child = os.fork()
    if not child:
        asyncio.run(run(code))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def lose() -> None:
    """Remove the functions and the states of scripts, but not the journals of their calls."""
    with closing(sqlite3.connect(FOLDER / 'store.db')) as connection, connection:
        connection.execute('delete from toolscript_functions')
        connection.execute("delete from toolscript_snapshots where key not like '%.%'")


def main() -> None:
    """Live two lives for each script."""
    for code in sys.argv[2:]:
        assert life(code) == -signal.SIGKILL
        if '# lost' in code:
            lose()
        assert life(code) == 0
        for file in ('died', 'history.json'):
            (FOLDER / file).unlink()


if __name__ == '__main__':
    main()
