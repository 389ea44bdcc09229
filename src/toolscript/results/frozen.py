"""A tool's result as it was when the tool returned, whatever becomes of the objects in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai import ToolReturn
from pydantic_ai.messages import MultiModalContent

from toolscript_sandbox import Limits, Serialized

from .returned import Returned
from .values import Files


@dataclass(frozen=True)
class Frozen:
    """What a tool returned, in its parts."""

    taken: Serialized
    """The value, as JSON."""
    files: Mapping[str, MultiModalContent]
    """Those that the value has handles of."""
    returned: Returned | None
    """What came beside the value."""


async def frozen(result: Any, limits: Limits) -> Frozen:
    """The result, frozen, for a script of these limits; never an error."""
    returned = None
    if isinstance(result, ToolReturn):
        returned = Returned.of(result.content, result.metadata, result.tools)
        result = result.return_value
    files = Files()
    taken = await files.taken(result, limits.result_heap_bytes)
    return Frozen(taken, files.by_id, returned)
