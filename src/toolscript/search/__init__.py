"""Search for the right tool among ten thousand.

Names are imported on first use, because most runs search nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # To type checkers, a name that is imported as itself is exported.
    from .document import Document as Document
    from .index import Algorithm as Algorithm
    from .index import Index as Index
    from .index import build_index as build_index
    from .index import build_index_in_turns as build_index_in_turns
    from .names import ToolNames as ToolNames
    from .names import closest_names as closest_names
    from .query import QueryError as QueryError

_HOME_OF = {
    'Algorithm': '.index',
    'Document': '.document',
    'Index': '.index',
    'QueryError': '.query',
    'ToolNames': '.names',
    'build_index': '.index',
    'build_index_in_turns': '.index',
    'closest_names': '.names',
}

if not TYPE_CHECKING:
    __all__ = sorted(_HOME_OF)

    def __getattr__(name: str) -> object:
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
        value = globals()[name] = getattr(_import_module(home, __name__), name)
        return value
