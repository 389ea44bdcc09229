"""Conversations whose processes die.

Each script is run by a fork of this process, killed by `await die()`, and resumed by another one. In between, a script
with `# lost` loses its state and all functions. Variables persist from script to script.
"""

import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from pydantic_ai import Agent, ModelMessagesTypeAdapter

from tests.toolscript.lives import survives
from tests.toolscript.sessions.offices import orders_of
from toolscript import CodeModeToolset, FunctionToolset, SavedFunctions, Sessions, Snapshots, SqliteStore
from toolscript.testing import script_model


def tools(folder: Path) -> FunctionToolset[str]:
    tools = FunctionToolset[str]([orders_of])

    @tools.tool_plain
    def note(line: str) -> None:
        with (folder / 'ledger').open('a') as ledger:
            ledger.write(f'{line}\n')

    @tools.tool_plain(metadata={'read_only': True})
    def die() -> None:
        if not (folder / 'died').exists():
            (folder / 'died').touch()
            os.kill(os.getpid(), signal.SIGKILL)

    return tools


async def run(folder: Path, code: str) -> None:
    """Run the script, or resume it."""
    store = SqliteStore(folder / 'store.db')
    functions = SavedFunctions(store, scope='user', owner=lambda ctx: ctx.deps)
    snapshots = Snapshots(key='the key of the tests', encryption_key='another key of the tests', store=store)
    sessions = Sessions(SqliteStore(folder / 'variables.db'), owner=lambda ctx: ctx.deps)
    toolset = CodeModeToolset(tools(folder), functions=functions, snapshots=snapshots, sessions=sessions)
    agent = Agent(script_model(code), deps_type=str, toolsets=[toolset])
    file = folder / 'history.json'
    history = ModelMessagesTypeAdapter.validate_json(file.read_bytes()) if file.exists() else None
    async with agent.iter(None if history else 'go', message_history=history, deps='ann') as running:
        async for _ in running:
            file.write_bytes(running.all_messages_json())
    assert running.result is not None
    (folder / 'result').write_text(running.result.output)


def case(folder: Path, code: str) -> str:
    """Run a script in two processes. Returns its result."""
    assert not survives(run, folder, code)
    if '# lost' in code:
        # The functions and the states of scripts, but not the journals of their calls.
        with closing(sqlite3.connect(folder / 'store.db')) as connection, connection:
            connection.execute('delete from toolscript_functions')
            connection.execute("delete from toolscript_snapshots where key not like '%.%'")
    assert survives(run, folder, code)
    for file in ('died', 'history.json'):
        (folder / file).unlink()
    return (folder / 'result').read_text()


def main(folder: Path, *codes: str) -> list[str]:
    return [case(folder, code) for code in codes]
