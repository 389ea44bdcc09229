"""What a finished call leaves beside its value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import UserContent


@dataclass(frozen=True)
class Returned:
    """What a call's `ToolReturn` carried for others than the script."""

    content: str | Sequence[UserContent] | None = None
    metadata: Any = None
    tools: tuple[str, ...] = ()
