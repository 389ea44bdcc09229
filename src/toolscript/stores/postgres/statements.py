"""What is said to PostgreSQL. Each statement is a transaction of its own, and one round trip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from psycopg import Connection

DURABLY = """
durably as materialized (select set_config('synchronous_commit', coalesce(
    nullif(current_setting('synchronous_commit'), 'off'), 'on'
), true))
"""
"""One row, for `with`: the statement that it takes part in is written down when its answer comes. A server that is set
to answer sooner forgets in a crash what others have read by then. A pooler would forget a setting of the session."""


@dataclass(frozen=True)
class Statements:
    """The statements, about the tables of one schema."""

    schema: str

    def save(self, connection: Connection[Any], texts: Mapping[str, str], tokens: Sequence[int]) -> bool:
        """Keep all texts or none; whether the claims with these tokens still stand, without which none is."""
        # Whoever takes a claim over waits for the share locks of those who write under it.
        done = connection.execute(
            f"""
            with {DURABLY},
            claimed as materialized (select from {self.schema}.claims where token = any(%s::bigint[]) for share)
            insert into {self.schema}.texts (key, text, saved)
            select key, text, date_trunc('hour', now()) from durably, unnest(%s::text[], %s::text[]) as new (key, text)
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

    def lock(self, connection: Connection[Any], key: str, holder: int, token: int, left: Sequence[int]) -> bool:
        """Whether the claim is the holder's now; it is not if another holder that is there has it.

        Args:
            connection: Any.
            key: What is claimed.
            holder: For whom.
            token: What the claim is known by.
            left: Tokens of claims that nobody needs any more.
        """
        done = connection.execute(
            f"""
            with {DURABLY},
            given_back as (delete from {self.schema}.claims where token = any(%s::bigint[]) and key <> %s)
            insert into {self.schema}.claims as taken (key, holder, token)
            select %s, %s, %s from durably
            on conflict (key) do update set holder = excluded.holder, token = excluded.token
            where taken.holder = excluded.holder or pg_try_advisory_xact_lock_shared(taken.holder)
            """.encode(),
            [list(left), key, key, holder, token],
        )
        return done.rowcount == 1

    def renew(self, connection: Connection[Any], key: str, holder: int, old: int, token: int) -> bool:
        """Whether the claim still stands, which is known by another token from now on: what is still on its way under
        the old one writes nothing."""
        done = connection.execute(
            f"""
            with {DURABLY}
            update {self.schema}.claims set token = %s from durably where key = %s and (token = %s or holder = %s)
            """.encode(),
            [token, key, old, holder],
        )
        return done.rowcount == 1

    def give_back(self, connection: Connection[Any], tokens: Sequence[int]) -> None:
        """End the claims."""
        delete = f'with {DURABLY} delete from {self.schema}.claims using durably where token = any(%s::bigint[])'
        connection.execute(delete.encode(), [list(tokens)])

    def forget(self, connection: Connection[Any], ttl: timedelta) -> int:
        """Remove the texts that were not written for so long, and the claims of the dead; how many texts there were."""
        connection.execute(f'delete from {self.schema}.claims where pg_try_advisory_xact_lock_shared(holder)'.encode())
        old = f"delete from {self.schema}.texts where saved < date_trunc('hour', now() - %s::interval)"
        return connection.execute(old.encode(), [ttl]).rowcount
