"""What a search refuses, said to the model that asked."""

from __future__ import annotations


class QueryError(ValueError):
    """A query that cannot be answered; its text tells the model what to write instead."""
