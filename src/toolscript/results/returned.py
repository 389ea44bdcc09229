"""What a finished call leaves beside its value."""

from collections.abc import Sequence
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass
from pydantic_ai.messages import UserContent

JSON = ConfigDict(ser_json_bytes='base64', val_json_bytes='base64', ser_json_inf_nan='constants', defer_build=True)
"""How what is kept is written; what reads and writes it is built when it is first needed."""


@dataclass(frozen=True, config=JSON)
class Returned:
    """What a call's `ToolReturn` carried for others than the script."""

    content: str | Sequence[UserContent] | None = None
    metadata: Any = None
    tools: tuple[str, ...] = ()
