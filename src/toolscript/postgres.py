"""A store in PostgreSQL: `pip install 'toolscript[postgres]'`."""

from importlib.util import find_spec

if find_spec('psycopg') is None:
    raise ImportError("PostgresStore needs the package psycopg: pip install 'toolscript[postgres]'.")

from .stores.postgres import PostgresStore

__all__ = ['PostgresStore']
