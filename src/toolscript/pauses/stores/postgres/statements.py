"""What is said to PostgreSQL. Each statement is a transaction of its own, and one round trip."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from psycopg import Connection


@dataclass(frozen=True)
class Statements:
    """The statements, about the tables of one schema."""

    schema: str

    def save(self, connection: Connection[Any], texts: Mapping[str, str], tokens: Sequence[int]) -> bool:
        """Keep all texts or none; whether the claims with these tokens still stand, without which none is."""
        # Whoever takes a claim over waits for the share locks of those who write under it.
        done = connection.execute(
            f"""
            with claimed as materialized (select from {self.schema}.claims where token = any(%s::bigint[]) for share)
            insert into {self.schema}.texts (key, text, saved)
            select key, text, date_trunc('hour', now()) from unnest(%s::text[], %s::text[]) as new (key, text)
            where (select count(*) from claimed) = %s
            on conflict (key) do update set text = excluded.text, saved = excluded.saved
            """.encode(),
            [list(tokens), list(texts.keys()), list(texts.values()), len(tokens)],
        )
        return done.rowcount == len(texts)

    def load(self, connection: Connection[Any], keys: Sequence[str]) -> dict[str, str]:
        """The texts of the keys that have one."""
        rows = connection.execute(
            f'select key, text from {self.schema}.texts where key = any(%s::text[])'.encode(), [list(keys)]
        )
        return dict(rows.fetchall())

    def claim(self, connection: Connection[Any], key: str, holder: int, left: Sequence[int]) -> int | None:
        """The token of a new claim; `None` if a holder that is there has it.

        Args:
            connection: Any.
            key: What is claimed.
            holder: For whom.
            left: Tokens of claims that nobody needs any more.
        """
        row = connection.execute(
            f"""
            with given_back as (delete from {self.schema}.claims where token = any(%s::bigint[]) and key <> %s)
            insert into {self.schema}.claims as taken (key, holder, token)
            values (%s, %s, %s)
            on conflict (key) do update set holder = excluded.holder, token = excluded.token
            where taken.holder = excluded.holder or pg_try_advisory_xact_lock_shared(taken.holder)
            returning token
            """.encode(),
            [list(left), key, key, holder, secrets.randbits(62)],
        ).fetchone()
        return None if row is None else row[0]

    def give_back(self, connection: Connection[Any], tokens: Sequence[int]) -> None:
        """End the claims."""
        connection.execute(f'delete from {self.schema}.claims where token = any(%s::bigint[])'.encode(), [list(tokens)])

    def forget(self, connection: Connection[Any], max_age: timedelta) -> int:
        """Remove the texts that were not written for so long, and the claims of the dead; how many texts there were."""
        connection.execute(f'delete from {self.schema}.claims where pg_try_advisory_xact_lock_shared(holder)'.encode())
        old = f"delete from {self.schema}.texts where saved < date_trunc('hour', now() - %s::interval)"
        return connection.execute(old.encode(), [max_age]).rowcount
