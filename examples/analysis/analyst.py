"""The agent: a database query, a folder to read, a folder to write, and a structured answer."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field
from pydantic_ai import Agent
from pydantic_ai.models import Model

from toolscript import CodeModeToolset, CodeOutput, Files, Folder, FunctionToolset


class Channel(BaseModel):
    """What was spent on a channel, and what came back."""

    name: str
    spent: float = Field(description='Euros.')
    earned: float = Field(description='Euros of the orders it brought, without those that were returned.')


class Analysis(BaseModel):
    """The answer."""

    channels: list[Channel] = Field(description='The one that earned most for each euro first.')
    report: str = Field(description='The path of the report.')


def analyst(model: Model | str, database: Path, data: Path, reports: Path) -> Agent[object, Analysis]:
    """Return the agent.

    Args:
        model: The model that writes the scripts.
        database: A SQLite file, which is only read.
        data: A folder that scripts read.
        reports: A folder that scripts write to.
    """
    tools = FunctionToolset[object]()

    @tools.tool_plain(metadata={'read_only': True})
    def query(sql: str) -> list[dict[str, Any]]:
        """Rows of the shop's database, which is SQLite; `SELECT sql FROM sqlite_master` has the tables."""
        with closing(sqlite3.connect(f'{database.as_uri()}?mode=ro', uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql)]

    files = Files({'/data': data, '/reports': Folder(reports, writable=True)})
    return Agent(
        model,
        output_type=Analysis,
        toolsets=[CodeModeToolset(tools, files=files)],
        capabilities=[CodeOutput()],
        instructions='Look at what there is first. Compute in scripts, and never by heart.',
    )
