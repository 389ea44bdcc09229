"""An agent whose process is killed at a chosen moment and restarted from the state on disk.

Each life is a fork of this process. The store is an SQLite file, or a database of PostgreSQL.
"""

import asyncio
import hashlib
import json
import os
import signal
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.toolscript.lives import survives
from toolscript import CodeModeToolset, CodeOutput, FunctionToolset, LockingStore, Snapshots, SqliteStore

CALLS = 30
WORK = """
import asyncio
async def one(n):
    try:
        return await work(n)
    except RuntimeError as error:
        return str(error).partition(':')[0]
"""
SCRIPTS = {
    'sequential': f'{WORK}\ndone = [await one(n) for n in range({CALLS})]\ndone',
    'gathered': f"""{WORK}
async def two(n):
    return [await one(n), await one(n + 1)]
pairs = await asyncio.gather(*[two(n) for n in range(0, {CALLS}, 2)])
[result for pair in pairs for result in pair]
""",
    'answering': f"""{WORK}
import json
done = []
for n in range({CALLS}):
    done.append(await one(n))
    if n == {CALLS // 2}:
        await final_text(json.dumps(done))
""",
}
Moment: TypeAlias = Literal['begun', 'checkpoint', 'started', 'working', 'worked', 'finished', 'kept', 'batch', 'sent']
MOMENTS: Sequence[Moment] = get_args(Moment)


@dataclass(frozen=True)
class Death:
    """The end of a process: the n-th moment of a kind."""

    moment: Moment
    number: int


class Life:
    """One process of the agent."""

    def __init__(self, folder: Path, shape: str, postgres: str, death: Death | None) -> None:
        self.folder = folder
        self.shape = shape
        self.postgres = postgres
        self.death = death
        self.seen = dict.fromkeys(MOMENTS, 0)
        self.ledger = sqlite3.connect(folder / 'ledger.db', isolation_level=None, timeout=30)
        self.ledger.execute('create table if not exists ledger (n integer, pid integer)')

    async def live(self) -> None:
        """Continue from the history, if there is one, to the end or the kill."""
        toolset = FunctionToolset[object]()
        toolset.tool_plain(self.work)
        store = MortalBatches(self) if self.postgres else MortalStore(self, SqliteStore(self.folder / 'state.db'))
        agent = Agent(
            FunctionModel(self.model),
            deps_type=object,
            toolsets=[CodeModeToolset(toolset, snapshots=Snapshots(key='the key of the lab', store=store))],
            capabilities=[CodeOutput[object]()] if self.shape == 'answering' else [],
        )
        file = self.folder / 'history.json'
        history = ModelMessagesTypeAdapter.validate_json(file.read_bytes()) if file.exists() else None
        async with agent.iter(None if history else 'go', message_history=history) as run:
            async for _ in run:
                draft = file.with_suffix('.draft')
                draft.write_bytes(ModelMessagesTypeAdapter.dump_json(run.all_messages()))
                draft.replace(file)
                self.reach('kept')
        assert run.result is not None
        (self.folder / 'result.json').write_text(run.result.output)

    async def work(self, n: int) -> int:
        self.reach('working')
        if self.shape == 'gathered':
            await asyncio.sleep(0.01 * (n * 7 % 5))
        self.ledger.execute('insert into ledger values (?, ?)', (n, os.getpid()))
        self.reach('worked')
        return n * n

    def model(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Send the script, then answer with its result."""
        last = messages[-1].parts[-1]
        if last.part_kind == 'tool-return':
            assert self.shape != 'answering', 'the script has given the answer'
            return ModelResponse([TextPart(json.dumps(last.content))])
        return ModelResponse([ToolCallPart('run_code', {'code': SCRIPTS[self.shape]})])

    def reach(self, moment: Moment) -> None:
        self.seen[moment] += 1
        if self.death == Death(moment, self.seen[moment]):
            os.kill(os.getpid(), signal.SIGKILL)


class MortalStore:
    """A store whose writes may kill the process."""

    def __init__(self, life: Life, store: LockingStore) -> None:
        self.life = life
        self.store = store
        self.writes = dict[str, int]()

    async def save(self, key: str, text: str, /) -> None:
        """Save, then possibly die."""
        await self.store.save(key, text)
        self.wrote(key)

    def wrote(self, key: str) -> None:
        self.writes[key] = self.writes.get(key, 0) + 1
        if key.endswith('.0'):
            self.life.reach('begun')
        elif '.' not in key:
            self.life.reach('checkpoint')
        else:
            self.life.reach('started' if self.writes[key] == 1 else 'finished')

    async def load(self, key: str, /) -> str | None:
        return await self.store.load(key)

    def lock(self, key: str, /) -> AbstractAsyncContextManager[bool]:
        return self.store.lock(key)


class MortalBatches(MortalStore):
    """A PostgreSQL store whose writes may kill the process: also before they start and while they are in progress."""

    def __init__(self, life: Life) -> None:
        from toolscript.postgres import PostgresStore

        schema = 'lab_' + hashlib.sha256(str(life.folder).encode()).hexdigest()[:12]
        self.batches = PostgresStore(life.postgres, schema=schema)
        super().__init__(life, self.batches)

    async def save_all(self, texts: Mapping[str, str], /) -> None:
        self.life.reach('batch')
        if self.life.death == Death('sent', self.life.seen['sent'] + 1):
            task = asyncio.create_task(self.batches.save_all(texts))
            await asyncio.sleep(0.001)
            self.life.reach('sent')
            await task
        else:
            self.life.seen['sent'] += 1
            await self.batches.save_all(texts)
        for key in texts:
            self.wrote(key)

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        return await self.batches.load_all(keys)


async def live(*arguments: Any) -> None:
    """Run one process as a fork, because connections do not survive forking."""
    await Life(*arguments).live()


def case(folder: Path, shape: str, postgres: str, deaths: Sequence[tuple[Moment, int]]) -> dict[str, Any]:
    """Return the state after some kills and a last, undisturbed process."""
    folder.mkdir(parents=True)
    died = 0
    for death in [*(Death(*death) for death in deaths), None]:
        if survives(live, folder, shape, postgres, death):
            break
        died += 1
    with sqlite3.connect(folder / 'ledger.db') as ledger:
        counts = dict(ledger.execute('select n, count(*) from ledger group by n').fetchall())
    ledger.close()
    return {
        'deaths': deaths,
        'died': died,
        'counts': counts,
        'result': json.loads((folder / 'result.json').read_text()),
    }


def main(
    folder: Path, shape: str, cases: Sequence[Sequence[tuple[Moment, int]]], postgres: str = ''
) -> list[dict[str, Any]]:
    """Return the result of each case."""
    return [case(folder / f'{shape}-{number}', shape, postgres, deaths) for number, deaths in enumerate(cases)]
