"""Find the right tool among ten thousand."""

from __future__ import annotations

from .document import Document
from .errors import QueryError
from .index import Algorithm, Index, build_index
from .naming.closest import closest_names
from .naming.names import Names

__all__ = ['Algorithm', 'Document', 'Index', 'Names', 'QueryError', 'build_index', 'closest_names']
