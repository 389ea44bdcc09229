"""A store in PostgreSQL, for processes on several machines."""

from .postgres_store import PostgresStore

__all__ = ['PostgresStore']
