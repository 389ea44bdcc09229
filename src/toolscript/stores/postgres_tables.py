"""The tables, and their migration from older versions.

Steps are only appended. Each works with readers and writers of the previous version as well, so that processes of two
versions can work side by side during a deployment.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import Connection
from pydantic_ai import UserError

STEPS: Sequence[str] = (
    # The time is rounded to the hour, so that rewriting a text within the hour changes no index.
    """
    create table {schema}.texts (key text primary key, text text not null, saved timestamptz not null);
    alter table {schema}.texts alter column text set storage external;
    create index texts_by_age on {schema}.texts (saved);
    create table {schema}.locks (key text primary key, token bigint not null, saved timestamptz not null);
    create table {schema}.functions (
        owner text not null, name text not null, version int not null, text text not null,
        primary key (owner, name, version)
    );
    """,
)


def migrate(connection: Connection[Any], schema: str) -> None:
    """Migrate the schema to this version, once, even if several processes try at the same time.

    If there is nothing to do, the role needs only permission to read.

    Raises:
        UserError: The schema is newer than this version of toolscript, or the server or role cannot create tables.
    """
    if connection.execute('show transaction_read_only').fetchone() != ('off',):
        raise UserError(_ONLY_READS)
    if _steps_taken(connection, schema) == len(STEPS):
        return
    begin = f"""
    set local synchronous_commit = on;
    select pg_advisory_xact_lock(hashtextextended('toolscript.migrate {schema}', 0));
    create schema if not exists {schema};
    create table if not exists {schema}.steps (number int primary key)
    """
    try:
        with connection.transaction():
            connection.execute(begin.encode())
            for number in range(_steps_taken(connection, schema) + 1, len(STEPS) + 1):
                connection.execute(STEPS[number - 1].format(schema=schema).encode())
                connection.execute(f'insert into {schema}.steps (number) values ({number})'.encode())
    except psycopg.errors.InsufficientPrivilege as error:
        raise UserError(
            f'This role may not make the tables of PostgresStore in schema {schema}: {error}. In your '
            f"deployment, run await PostgresStore(url, schema='{schema}').migrate() with a role that may, once for "
            'each version. This role then needs: grant usage on schema, and select, insert, update and delete on all '
            'tables in it.'
        ) from error
    except psycopg.errors.ProtocolViolation as error:
        raise UserError(
            f'The tables could not be created through a pooler: {error}. The pooler must be in session or '
            'transaction mode.'
        ) from error


_ONLY_READS = (
    'This PostgreSQL is read-only: it is a replica (a hot standby), or its `default_transaction_read_only` is on. '
    'Connect to the primary. If the address names several hosts, add target_session_attrs=read-write to it.'
)


def _steps_taken(connection: Connection[Any], schema: str) -> int:
    if connection.execute('select to_regclass(%s)', [f'{schema}.steps']).fetchone() == (None,):
        return 0
    (taken,) = connection.execute(f'select coalesce(max(number), 0) from {schema}.steps'.encode()).fetchall()[0]
    if taken > len(STEPS):
        raise UserError(
            f'The tables in schema {schema} are of a newer toolscript: they took {taken} steps, this version knows '
            f'{len(STEPS)}. Update toolscript in this process, or give it a schema of its own: '
            "PostgresStore(url, schema='...')."
        )
    return taken
