"""The shop's database in a file, and the queries on it."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from demo.rows import all_rows

_SCHEMA = Path(__file__).parent / 'schema.sql'


@dataclass(frozen=True)
class Database:
    """A SQLite file. Each query opens its own connection, so that tools may run in any thread."""

    file: Path

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with closing(self._connect()) as connection:
            return connection.execute(query, values).fetchall()

    def change(self, statement: str, *values: object) -> int:
        """Run one statement and return the number of rows it changed."""
        with closing(self._connect()) as connection, connection:
            return connection.execute(statement, values).rowcount

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file)
        connection.row_factory = sqlite3.Row
        return connection


def create(file: Path) -> Database:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executescript(_SCHEMA.read_text())
        for table, rows in all_rows().items():
            places = ', '.join('?' * len(rows[0]))
            connection.executemany(f'INSERT INTO {table} VALUES ({places})', rows)
    return Database(file)
