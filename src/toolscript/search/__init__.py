"""Search for the right tool among ten thousand."""

from .document import Document
from .index import Algorithm, Index, build_index, build_index_in_turns
from .names import ToolNames, closest_names
from .query import QueryError

__all__ = [
    'Algorithm',
    'Document',
    'Index',
    'QueryError',
    'ToolNames',
    'build_index',
    'build_index_in_turns',
    'closest_names',
]
