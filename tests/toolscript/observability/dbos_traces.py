"""A traced agent in a DBOS workflow, which prints the names of its spans. Usage: dbos_traces.py FOLDER."""

import asyncio
import json
import sqlite3
import sys
import time
from pathlib import Path

from dbos import DBOS
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.durable_exec.dbos import DBOSDurability
from pydantic_ai.models.instrumented import InstrumentationSettings
from sqlalchemy import Engine
from sqlalchemy.event import listen

from toolscript import CodeModeSteps, CodeModeToolset, FunctionToolset
from toolscript.testing import script_model


def now(precision: str) -> float:
    return time.time()


def define_unixepoch(connection: sqlite3.Connection, record: object) -> None:
    """Define unixepoch('subsec'), which DBOS expects from Python 3.12 on, but SQLite only has since 3.42."""
    connection.create_function('unixepoch', 1, now)


if sqlite3.sqlite_version_info < (3, 42):
    listen(Engine, 'connect', define_unixepoch)


@DBOS.step()
async def look(n: int) -> str:
    return f'seen {n}'


exporter, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
agent = Agent(
    script_model('await look(1)\n1 / 0', 'await look(1)'),
    name='clerk',
    toolsets=[CodeModeToolset(FunctionToolset([look], id='desk'))],
    capabilities=[
        CodeModeSteps(),
        DBOSDurability(),
        Instrumentation(InstrumentationSettings(tracer_provider=provider)),
    ],
)


@DBOS.workflow()
async def work(task: str) -> str:
    return (await agent.run(task)).output


async def main() -> None:
    handle = await DBOS.start_workflow_async(work, 'go')
    await handle.get_result()


if __name__ == '__main__':
    database = f'sqlite:///{Path(sys.argv[1]) / "dbos.db"}'
    DBOS(config={'name': 'clerk', 'system_database_url': database, 'log_level': 'ERROR'})
    DBOS.launch()
    asyncio.run(main())
    print(json.dumps([span.name for span in exporter.get_finished_spans()]))
    DBOS.destroy()
