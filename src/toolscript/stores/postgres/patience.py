"""Which failures of a database pass by themselves."""

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

_STAYS = '08P01'
"""A violation of the protocol: a pooler that gives a session for one statement only."""
_PASSES = ('08', '40', '53', '57')
"""Classes of SQLSTATE: the connection, a conflict, too few resources, an operator who stops the server."""
_ONLY_READS = '25006'
"""The server takes no writes: in a failover, until the address leads to the one that does."""


def passes(error: Exception) -> bool:
    """Whether the same may work in a moment: the server restarts, or the connection broke."""
    if isinstance(error, PoolClosed):
        return False
    if isinstance(error, PoolTimeout | psycopg.InterfaceError):
        return True
    if isinstance(error, psycopg.Error) and error.sqlstate == _ONLY_READS:
        return True
    if not isinstance(error, psycopg.OperationalError) or error.sqlstate == _STAYS:
        return False
    return (error.sqlstate or '08')[:2] in _PASSES
