"""A store in PostgreSQL: `pip install 'toolscript[postgres]'`."""

from importlib.util import find_spec

if find_spec('psycopg') is None or find_spec('psycopg_pool') is None:
    raise ImportError("PostgresStore needs the packages psycopg and psycopg_pool: pip install 'toolscript[postgres]'.")

from .stores.postgres import PostgresStore

__all__ = ['PostgresStore']
