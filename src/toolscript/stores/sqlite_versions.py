"""Versions of texts in an SQLite file."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


TABLE = """
create table if not exists toolscript_functions (
    owner text not null, name text not null, version integer not null, text text not null,
    primary key (owner, name, version)
) without rowid
"""
_NEWEST = """
select name, max(version), text from toolscript_functions
where owner = :owner and (:names is null or name in (select value from json_each(:names))) group by name
"""
_REMOVED = """
delete from toolscript_functions where owner = :owner and name = :name and (:up_to is null or version <= :up_to)
"""


def put(connection: sqlite3.Connection, owner: str, name: str, version: int, text: str) -> bool:
    """Whether the version was free, and is kept now."""
    statement = 'insert into toolscript_functions values (?, ?, ?, ?) on conflict do nothing'
    return connection.execute(statement, (owner, name, version, text)).rowcount == 1


def newest(connection: sqlite3.Connection, owner: str, names: Collection[str] | None) -> Mapping[str, tuple[int, str]]:
    """The newest version of each name, or of each of these."""
    wanted = None if names is None else _array(names)
    # Beside a `max` that stands alone, SQLite gives the other columns of the row that has it.
    rows = connection.execute(_NEWEST, {'owner': owner, 'names': wanted})
    return {name: (version, text) for name, version, text in rows}


def every(connection: sqlite3.Connection, owner: str, name: str) -> Mapping[int, str]:
    """All versions of a name, the oldest first."""
    statement = 'select version, text from toolscript_functions where owner = ? and name = ? order by version'
    return dict(connection.execute(statement, (owner, name)).fetchall())


def remove(connection: sqlite3.Connection, owner: str, name: str, up_to: int | None) -> int:
    """Remove versions; how many there were."""
    return connection.execute(_REMOVED, {'owner': owner, 'name': name, 'up_to': up_to}).rowcount


def _array(names: Collection[str]) -> str:
    return json.dumps(sorted(names))
