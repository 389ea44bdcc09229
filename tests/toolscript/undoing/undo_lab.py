"""A script and its undoing, one of which is killed at a chosen moment and restarted from the state on disk.

Each life is a fork of this process.
"""

import json
import sqlite3
from pathlib import Path
from shutil import copytree
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelRequest, ModelResponse, ToolCallPart, UserPromptPart

from tests.toolscript.lives import survives
from tests.toolscript.plans import plan_lab
from tests.toolscript.scripted import Script
from toolscript import CodeModeToolset, FunctionToolset, Snapshots, SqliteStore, Undo, undo

CODE = {
    'script': 'for n in range(4):\n    await refund(n=n)',
    'undo': 'for n in range(4):\n    await refund(n=n)',
    'on error': 'for n in range(3):\n    await refund(n=n)\nraise ValueError(n)',
}
HISTORY = Path('history.json')


class Life(plan_lab.Life):
    """One process of the script."""

    def agent(self) -> Agent[object, str]:
        """Return the agent, whose store and tools may kill the process."""
        tools = FunctionToolset[object]()
        tools.tool_plain(undo=Undo('take_back', number='{result.number}'))(self.refund)
        tools.tool_plain(self.take_back)
        store = plan_lab.MortalStore(self, SqliteStore(self.folder / 'state.db'))
        toolset = CodeModeToolset(
            tools,
            snapshots=Snapshots(key='the key of the lab', store=store),
            undo_on='error' if self.script == 'on error' else None,
        )
        return Agent(Script([]).model, deps_type=object, toolsets=[toolset])

    async def run(self) -> None:
        """Run the script, or resume it."""
        # The agent continues a history whose last message is the call of the script.
        call = ToolCallPart('run_code', {'code': CODE[self.script]}, 'the_script')
        messages = [
            ModelRequest([UserPromptPart('go')], conversation_id='lab'),
            ModelResponse([call], conversation_id='lab'),
        ]
        result = await self.agent().run(message_history=messages)
        (self.folder / HISTORY).write_bytes(ModelMessagesTypeAdapter.dump_json(result.all_messages()))

    async def undo(self) -> None:
        report = await undo('the_script', self.agent(), commit=True)
        reported = [(call.args['n'], call.status) for call in report.calls]
        (self.folder / 'report.json').write_text(json.dumps([reported, self.moments]))

    async def refund(self, n: int) -> dict[str, Any]:
        self.leave('refund', n)
        return {'number': n}

    async def take_back(self, number: int) -> None:
        self.leave('take back', number)

    def leave(self, what: str, number: int) -> None:
        """Write a line; the process may be killed before and after it."""
        self.reach()
        self.world.execute('insert into made values (?, ?)', (what, number))
        self.reach()


async def live(folder: Path, which: str, step: str, death: int | None) -> None:
    """Run a step as a fork, because connections do not survive forking."""
    life = Life(folder, which, death)
    await (life.run() if step == 'run' else life.undo())
    (folder / f'{step}.moments').write_text(str(life.moments))


def case(folder: Path, which: str, death: int) -> dict[str, Any]:
    """Return the state after a script and its undo, one of which was killed once."""
    mortal = 'undo' if which == 'undo' else 'run'
    ran, case = folder / 'ran', folder / f'{death}'
    # The undone script is the same each time.
    if ran.exists():
        copytree(ran, case)
    else:
        case.mkdir()
    died = False
    for step in ('undo',) if ran.exists() else ('run', 'undo'):
        if step == mortal:
            died = not survives(live, case, which, step, death)
        if step != mortal or died:
            assert survives(live, case, which, step, None)
    with sqlite3.connect(case / 'world.db') as world:
        made = world.execute('select what, number from made').fetchall()
    world.close()
    report, _ = json.loads((case / 'report.json').read_text())
    moments = int((case / f'{mortal}.moments').read_text())
    return {'died': died, 'made': made, 'report': report, 'moments': moments}


def main(folder: Path, which: str, first: int, step: int) -> list[dict[str, Any]]:
    """Return the results of undisturbed processes, and of a kill at every `step`th moment from `first` on."""
    if which == 'undo':
        (folder / 'ran').mkdir()
        assert survives(live, folder / 'ran', which, 'run', None)
    whole = case(folder, which, 1_000)
    return [whole, *(case(folder, which, death) for death in range(first, whole['moments'] + 1, step))]
