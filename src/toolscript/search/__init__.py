"""Find the right tool among ten thousand."""

from __future__ import annotations

from .document import Document
from .index import Algorithm, Index, build_index
from .names import Names, closest_names
from .query import QueryError

__all__ = ['Algorithm', 'Document', 'Index', 'Names', 'QueryError', 'build_index', 'closest_names']
