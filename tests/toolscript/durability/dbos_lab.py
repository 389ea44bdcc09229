"""A DBOS workflow around an agent in code mode, whose process is killed and restarted.

Each line of the ledger is a run of a tool. With the option "traced", the result is the names of its spans. With
"answers", the script gives the output, and the model is asked once. With "by the clock", its behaviour depends on the
time of day and on chance. With "DBOSAgent" or "no durability", nothing records steps.
"""

import asyncio
import json
import os
import signal
import sqlite3
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbos import DBOS, SetWorkflowID
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart, UserError
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.capabilities import AbstractCapability, Instrumentation
from pydantic_ai.durable_exec import dbos as engine
from pydantic_ai.durable_exec.dbos import DBOSDurability
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings
from sqlalchemy import Engine
from sqlalchemy.event import listen

from tests.toolscript.lives import survives
from toolscript import CodeModeSteps, CodeModeToolset, CodeOutput, FunctionToolset
from toolscript.testing import script_model

CODE = """
import asyncio
async def both(n):
    return [await look(n), await book(n)]
pairs = await asyncio.gather(*[both(n) for n in range(5)])
[*pairs, await book(99)]
"""
ANSWERS = """
import asyncio, json
async def both(n):
    return [await look(n), await book(n)]
pairs = await asyncio.gather(*[both(n) for n in range(5)])
await final_text(json.dumps([*pairs, 'given by the script']))
await book(99)
"""
BY_THE_CLOCK = """
import random
from datetime import datetime
now = datetime.now()
order = sorted(range(5), key=lambda n: random.random())
done = []
for n in order:
    done.append([n, await (look(n) if (now.hour < 12) == (n % 2 == 0) else book(n))])
[done, now <= datetime.now()]
"""
SCRIPTS = {'answers': ANSWERS, 'by the clock': BY_THE_CLOCK}
NO_STEPS = 'DBOSAgent', 'no durability'


@dataclass
class Life:
    """One process of the workflow."""

    folder: Path
    option: str
    postgres: str
    die_at: int
    """The process is killed when the ledger has this many lines."""
    hours_later: int
    """How far its clock is ahead."""


LIVES = list[Life]()
"""The one of this process."""


def now(precision: str) -> float:
    return time.time()


def define_unixepoch(connection: sqlite3.Connection, record: object) -> None:
    """Define unixepoch('subsec'), which DBOS expects from Python 3.12 on, but SQLite only has since 3.42."""
    connection.create_function('unixepoch', 1, now)


def note(line: str) -> None:
    """Write a line to the ledger, then possibly kill this process."""
    [life] = LIVES
    with sqlite3.connect(life.folder / 'ledger.db', isolation_level=None) as ledger:
        ledger.execute('create table if not exists ledger (line text)')
        ledger.execute('insert into ledger values (?)', (line,))
        lines = ledger.execute('select count(*) from ledger').fetchone()[0]
    ledger.close()
    if lines == life.die_at:
        os.kill(os.getpid(), signal.SIGKILL)


@DBOS.step()
async def look(n: int) -> str:
    """Look something up; later calls are faster, so the first call does not end first."""
    await asyncio.sleep(0.02 * (5 - n))
    note(f'look {n}')
    return f'seen {n}'


@DBOS.step()
async def book(n: int) -> str:
    note(f'book {n}')
    return f'booked {n}'


def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    [life] = LIVES
    last = messages[-1].parts[-1]
    if last.part_kind == 'tool-return':
        assert life.option != 'answers', 'the script has given the answer'
        return ModelResponse([TextPart(json.dumps(last.content))])
    return ModelResponse([ToolCallPart('run_code', {'code': SCRIPTS.get(life.option, CODE)})])


def agent(exporter: InMemorySpanExporter) -> Agent[object, str]:
    [life], provider = LIVES, TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    further: dict[str, AbstractCapability[object]] = {
        'answers': CodeOutput[object](),
        'traced': Instrumentation(InstrumentationSettings(tracer_provider=provider)),
    }
    return Agent(
        script_model('await look(1)\n1 / 0', 'await look(1)') if life.option == 'traced' else FunctionModel(play),
        name='clerk',
        deps_type=object,
        toolsets=[CodeModeToolset(FunctionToolset([look, book], id='desk'))],
        capabilities=[CodeModeSteps(), DBOSDurability(), *[further[one] for one in further if one == life.option]],
    )


def unrecorded_agent(option: str) -> AbstractAgent[object, str]:
    tools = CodeModeToolset(FunctionToolset[object]([look, book], id='desk'))
    own = Agent(
        FunctionModel(play), name='clerk', deps_type=object, toolsets=[tools], capabilities=[CodeModeSteps[object]()]
    )
    if option == 'no durability':
        return own
    with warnings.catch_warnings(action='ignore'):
        return engine.DBOSAgent(own)  # pyright: ignore[reportDeprecated]


async def live(life: Life) -> None:
    """Start the workflow, or continue the one of a dead process, and write its result."""
    LIVES.append(life)
    clock = time.time
    time.time = lambda: clock() + 3600 * life.hours_later
    exporter = InMemorySpanExporter()
    clerk = unrecorded_agent(life.option) if life.option in NO_STEPS else agent(exporter)

    @DBOS.workflow(name='work')
    async def work(task: str) -> str:
        try:
            result = await clerk.run(task)
        except UserError as error:
            return json.dumps(str(error))
        return result.output

    if not life.postgres and sqlite3.sqlite_version_info < (3, 42):
        listen(Engine, 'connect', define_unixepoch)
    database = life.postgres or f'sqlite:///{life.folder / "dbos.db"}'
    DBOS(config={'name': 'clerk', 'system_database_url': database, 'log_level': 'ERROR'})
    DBOS.launch()
    with SetWorkflowID(f'booking-{life.folder.name}'):
        handle = await DBOS.start_workflow_async(work, 'book five')
    done = await handle.get_result()
    if life.option == 'traced':
        done = json.dumps([span.name for span in exporter.get_finished_spans()])
    (life.folder / 'result.json').write_text(done)
    DBOS.destroy()


def main(folder: Path, option: str, *lives: tuple[int, int], postgres: str = '') -> Any:
    """Return the result after kills at these numbers of lines, with the clock ahead by this much."""
    for die_at, hours_later in lives:
        assert survives(live, Life(folder, option, postgres, die_at, hours_later)) == (die_at == 0)
    file = folder / 'result.json'
    return json.loads(file.read_text()) if file.exists() else None
