"""Versions of texts in PostgreSQL. Each statement is a transaction of its own, and may be said again."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from .statements import DURABLY


@dataclass(frozen=True)
class Versions:
    """The statements, about the table of one schema."""

    schema: str

    def put(self, connection: Connection[Any], owner: str, name: str, version: int, text: str) -> bool:
        """Whether the version was free, and is kept now."""
        # Said again after the first answer was lost, it finds its own text, which is no other's.
        row = connection.execute(
            f"""
            with {DURABLY}
            insert into {self.schema}.functions as kept (owner, name, version, text)
            select %s, %s, %s, %s from durably
            on conflict (owner, name, version) do update set text = kept.text where kept.text = excluded.text
            returning version
            """.encode(),
            [owner, name, version, text],
        ).fetchone()
        return row is not None

    def newest(
        self, connection: Connection[Any], owner: str, names: Collection[str] | None
    ) -> dict[str, tuple[int, str]]:
        """The newest version of each name, or of each of these."""
        rows = connection.execute(
            f"""
            select distinct on (name) name, version, text from {self.schema}.functions
            where owner = %(owner)s and (%(names)s::text[] is null or name = any(%(names)s::text[]))
            order by name, version desc
            """.encode(),
            {'owner': owner, 'names': None if names is None else sorted(names)},
        )
        return {name: (version, text) for name, version, text in rows}

    def every(self, connection: Connection[Any], owner: str, name: str) -> dict[int, str]:
        """All versions of a name, the oldest first."""
        every = f'select version, text from {self.schema}.functions where owner = %s and name = %s order by version'
        return dict(connection.execute(every.encode(), [owner, name]).fetchall())

    def remove(self, connection: Connection[Any], owner: str, name: str, up_to: int | None) -> int:
        """Remove versions; how many there were."""
        return connection.execute(
            f"""
            with {DURABLY}
            delete from {self.schema}.functions using durably
            where owner = %s and name = %s and version <= coalesce(%s::int, version)
            """.encode(),
            [owner, name, up_to],
        ).rowcount
