"""A planned script whose process is killed at a chosen moment after its approval and restarted from the state on disk.

Each life is a fork of this process.
"""

import json
import os
import signal
import sqlite3
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from shutil import copytree
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from tests.text_cases import named_texts
from tests.toolscript.lives import survives
from tests.toolscript.scripted import Script, run_code
from toolscript import (
    CodeModeToolset,
    FunctionToolset,
    Grant,
    PendingCall,
    Snapshots,
    SqliteStore,
    pending_calls,
    resolve,
)
from toolscript.plans import preview

# On a busy machine, a preview could exceed its time limit, and would show fewer changes.
preview.SECONDS = 3_600

SCRIPTS = named_texts(Path(__file__).with_name('plan_lab.txt'))
"""The last script makes one call that a plan shows, and three more under the grant of its approval."""
_results = TypeAdapter(DeferredToolResults)


class Life:
    """One process of the script."""

    def __init__(self, folder: Path, script: str, death: int | None) -> None:
        self.folder = folder
        self.script = script
        self.death = death
        self.moments = 0
        self.world = sqlite3.connect(folder / 'world.db', isolation_level=None, timeout=30)
        self.world.execute('create table if not exists made (what text, number integer)')

    async def live(self) -> None:
        """Ask, or continue from the state on disk to the end or the kill. All requests are approved."""
        tools = FunctionToolset[object]()
        tools.tool_plain(self.create)
        tools.tool_plain(self.note)
        store = MortalStore(self, SqliteStore(self.folder / 'state.db'))
        snapshots = Snapshots(key='the key of the lab', store=store)
        history, decided = self.folder / 'history.json', self.folder / 'decided.json'
        agent = Agent(
            Script([] if history.exists() else [run_code(SCRIPTS[self.script])]).model,
            deps_type=object,
            output_type=[str, DeferredToolRequests],
            toolsets=[CodeModeToolset(tools, snapshots=snapshots, plan_writes=True)],
        )
        messages, results, questions = list[ModelMessage](), None, 0
        if history.exists():
            messages = ModelMessagesTypeAdapter.validate_json(history.read_bytes())
            results = _results.validate_json(decided.read_bytes())
        while True:
            prompt = None if messages else 'go'
            result = await agent.run(prompt, message_history=messages, deferred_tool_results=results)
            messages = result.all_messages()
            if not isinstance(result.output, DeferredToolRequests):
                break
            questions += 1
            results = resolve(result.output, self.decisions(pending_calls(result.output)))
            history.write_bytes(ModelMessagesTypeAdapter.dump_json(messages))
            decided.write_bytes(_results.dump_json(results))
            if self.death == 0:
                return
        last = [part for message in messages for part in message.parts if part.part_kind == 'tool-return'][-1]
        (self.folder / 'result.json').write_text(json.dumps([last.content, questions, self.moments]))

    def decisions(self, calls: list[PendingCall]) -> dict[str, object]:
        """Return the decisions: everything is approved except calls that exceed a grant."""
        if self.script != 'under a grant':
            return {call.tool_call_id: True for call in calls}
        given = Grant(count=3, total={'n': 6}) if calls[0].args['n'] == 0 else False
        return {calls[0].tool_call_id: given}

    async def create(self, n: int) -> dict[str, Any]:
        self.reach()
        self.world.execute('insert into made values (?, ?)', ('create', n))
        self.reach()
        return {'number': 100 + n}

    async def note(self, number: int, text: str) -> str:
        self.reach()
        self.world.execute('insert into made values (?, ?)', ('note', number))
        self.reach()
        return text

    def reach(self) -> None:
        self.moments += 1
        if self.death == self.moments:
            os.kill(os.getpid(), signal.SIGKILL)


class MortalStore:
    """A store that may kill the process before or after a write."""

    def __init__(self, life: Life, store: SqliteStore) -> None:
        self.life = life
        self.store = store

    async def save(self, key: str, text: str, /) -> None:
        """Possibly die, save, then possibly die."""
        self.life.reach()
        await self.store.save(key, text)
        self.life.reach()

    async def load(self, key: str, /) -> str | None:
        return await self.store.load(key)

    def lock(self, key: str, /) -> AbstractAsyncContextManager[bool]:
        return self.store.lock(key)


async def live(folder: Path, script: str, death: int | None) -> None:
    """Run one process as a fork, because connections do not survive forking."""
    await Life(folder, script, death).live()


def case(asked: Path, script: str, death: int) -> dict[str, Any]:
    """Return the state of a script that asked for approval, after a kill and a last, undisturbed process."""
    folder = asked.with_name(f'{death}')
    copytree(asked, folder)
    died = not survives(live, folder, script, death)
    if died:
        assert survives(live, folder, script, None)
    with sqlite3.connect(folder / 'world.db') as world:
        made = world.execute('select what, number from made').fetchall()
    world.close()
    result, questions, moments = json.loads((folder / 'result.json').read_text())
    return {'died': died, 'made': made, 'result': result, 'questions': questions, 'moments': moments}


def main(folder: Path, script: str, first: int, step: int) -> list[dict[str, Any]]:
    """Return the result of an undisturbed process, and of a kill at every `step`th moment from `first` on."""
    asked = folder / 'asked'
    asked.mkdir()
    assert survives(live, asked, script, 0)
    whole = case(asked, script, 1_000)
    return [whole, *(case(asked, script, death) for death in range(first, whole['moments'] + 1, step))]
