"""Find the right tool among ten thousand."""

from __future__ import annotations

from .by_name import Names
from .closest import closest_names
from .document import Document
from .errors import QueryError
from .index import Algorithm, Index, build_index

__all__ = ['Algorithm', 'Document', 'Index', 'Names', 'QueryError', 'build_index', 'closest_names']
