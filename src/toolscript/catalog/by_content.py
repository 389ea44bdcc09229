"""What is made of the tools of a step, found again for as long as they say the same."""

import marshal
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Generic, TypeVar

from pydantic_ai.tools import ToolDefinition

from .file_types import FILES_KEY
from .function_metadata import DOCS_KEY, VARIADIC_KEY
from .schemas import MCP_METADATA, check_schemas

T = TypeVar('T')


class ByContent(Generic[T]):
    """One thing for each list of tools, those of the lists that were asked for last."""

    def __init__(self, make: Callable[[Sequence[ToolDefinition]], T]) -> None:
        """`make` gives what is kept, of the content of the tools alone: it is kept over runs."""
        self._make = make
        self._kept = dict[bytes, T]()

    def of(self, tool_defs: Sequence[ToolDefinition]) -> T:
        """What is made of these tools in this order: the same object for the same content.

        Raises:
            UserError: A schema of one cannot be written.
        """
        check_schemas(tool_defs)
        digest = _digest(tool_defs)
        if digest is None:
            return self._make(tool_defs)
        made = self._kept.pop(digest, None)
        if made is None:
            made = self._make(tool_defs)
        while len(self._kept) >= _MOST:
            del self._kept[next(iter(self._kept))]
        self._kept[digest] = made
        return made


def _digest(tool_defs: Sequence[ToolDefinition]) -> bytes | None:
    """What all that shows of tools comes to, in one go over all of them; `None` where something in it is no data.

    Of content and never of identity: `prepare` functions change schemas in place.
    """
    digest = blake2b()
    try:
        for start in range(0, len(tool_defs), _AT_ONCE):
            digest.update(marshal.dumps(_shown(tool_defs[start : start + _AT_ONCE]), _WITHOUT_REFERENCES))
    except ValueError:
        return None
    return digest.digest()


def _shown(tool_defs: Sequence[ToolDefinition]) -> list[tuple[object, ...]]:
    return [
        (
            one.name,
            one.description,
            one.sequential,
            one.toolset_id,
            one.metadata and {key: one.metadata[key] for key in _METADATA & one.metadata.keys()},
            one.parameters_json_schema,
            one.return_schema,
        )
        for one in tool_defs
    ]


_MOST = 16
_METADATA = frozenset({'server', 'annotations', 'pinned', 'tags', DOCS_KEY, FILES_KEY, VARIADIC_KEY, *MCP_METADATA})
"""What of metadata shows in a signature, or is searched."""
_AT_ONCE = 1_000
"""Tools whose definitions are written out together; all of 100,000 would take hundreds of megabytes."""
_WITHOUT_REFERENCES = 2
"""The last version of marshal's format in which equal values are equal bytes."""
