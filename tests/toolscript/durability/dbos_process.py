"""A DBOS workflow around an agent in code mode. Usage: dbos_process.py FOLDER [DIE_AT [answers | by the clock | traced]].

Continues from existing state. Each line of the ledger is a run of a tool. With DIE_AT, the process is killed once that
many lines are written. With "traced", the names of its spans are printed. With "answers", the script gives the output, and the model is asked once. With "by the clock",
its behaviour depends on the time of day and on chance; the environment's HOURS_LATER shifts the clock of the process.
"""

import asyncio
import json
import os
import signal
import sqlite3
import sys
import time
from pathlib import Path

from dbos import DBOS, SetWorkflowID
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.capabilities import AbstractCapability, Instrumentation
from pydantic_ai.durable_exec.dbos import DBOSDurability
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings
from sqlalchemy import Engine
from sqlalchemy.event import listen

from toolscript import CodeModeSteps, CodeModeToolset, CodeOutput, FunctionToolset
from toolscript.testing import script_model

real_time, later = time.time, 3600 * float(os.environ.get('HOURS_LATER', '0'))
time.time = lambda: real_time() + later

CODE = """
import asyncio
async def both(n):
    return [await look(n), await book(n)]
pairs = await asyncio.gather(*[both(n) for n in range(5)])
[*pairs, await book(99)]
"""
ANSWERS, BY_THE_CLOCK, TRACED = (option in sys.argv for option in ('answers', 'by the clock', 'traced'))
ANSWERING = """
import asyncio, json
async def both(n):
    return [await look(n), await book(n)]
pairs = await asyncio.gather(*[both(n) for n in range(5)])
await final_text(json.dumps([*pairs, 'given by the script']))
await book(99)
"""
DEPENDING = """
import random
from datetime import datetime
now = datetime.now()
order = sorted(range(5), key=lambda n: random.random())
done = []
for n in order:
    done.append([n, await (look(n) if (now.hour < 12) == (n % 2 == 0) else book(n))])
[done, now <= datetime.now()]
"""
FOLDER = Path(sys.argv[1])
DIE_AT = int(sys.argv[2]) if len(sys.argv) > 2 else 0
DATABASE = os.environ.get('TOOLSCRIPT_POSTGRES') or f'sqlite:///{FOLDER / "dbos.db"}'
"""SQLite, or the PostgreSQL database in the environment."""


def now(precision: str) -> float:
    return time.time()


def define_unixepoch(connection: sqlite3.Connection, record: object) -> None:
    """Define unixepoch('subsec'), which DBOS expects from Python 3.12 on, but SQLite only has since 3.42."""
    connection.create_function('unixepoch', 1, now)


if DATABASE.startswith('sqlite') and sqlite3.sqlite_version_info < (3, 42):
    listen(Engine, 'connect', define_unixepoch)


def note(line: str) -> None:
    """Write a line to the ledger, then possibly kill this process."""
    with sqlite3.connect(FOLDER / 'ledger.db', isolation_level=None) as ledger:
        ledger.execute('create table if not exists ledger (line text)')
        ledger.execute('insert into ledger values (?)', (line,))
        lines = ledger.execute('select count(*) from ledger').fetchone()[0]
    ledger.close()
    if lines == DIE_AT:
        os.kill(os.getpid(), signal.SIGKILL)


@DBOS.step()
async def look(n: int) -> str:
    """Look something up, the later ones faster: what starts first does not end first."""
    await asyncio.sleep(0.02 * (5 - n))
    note(f'look {n}')
    return f'seen {n}'


@DBOS.step()
async def book(n: int) -> str:
    note(f'book {n}')
    return f'booked {n}'


def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    last = messages[-1].parts[-1]
    if last.part_kind == 'tool-return':
        assert not ANSWERS, 'the script has given the answer'
        return ModelResponse([TextPart(json.dumps(last.content))])
    return ModelResponse(
        [ToolCallPart('run_code', {'code': ANSWERING if ANSWERS else DEPENDING if BY_THE_CLOCK else CODE})]
    )


model = script_model('await look(1)\n1 / 0', 'await look(1)') if TRACED else FunctionModel(play)

exporter, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
FURTHER: list[AbstractCapability[object]] = [
    *([CodeOutput[object]()] if ANSWERS else []),
    *([Instrumentation(InstrumentationSettings(tracer_provider=provider))] if TRACED else []),
]

agent = Agent(
    model,
    name='clerk',
    toolsets=[CodeModeToolset(FunctionToolset([look, book], id='desk'))],
    capabilities=[CodeModeSteps(), DBOSDurability(), *FURTHER],
)


@DBOS.workflow()
async def work(task: str) -> str:
    result = await agent.run(task)
    return result.output


async def main() -> str:
    """Start the workflow, or continue the one that a dead process left."""
    with SetWorkflowID(f'booking-{FOLDER.name}'):
        handle = await DBOS.start_workflow_async(work, 'book five')
    return await handle.get_result()


if __name__ == '__main__':
    DBOS(config={'name': 'clerk', 'system_database_url': DATABASE, 'log_level': 'ERROR'})
    DBOS.launch()
    done = asyncio.run(main())
    print(json.dumps([span.name for span in exporter.get_finished_spans()]) if TRACED else done)
    DBOS.destroy()
