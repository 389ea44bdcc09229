"""What a finished call leaves beside its value."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.messages import UserContent

from toolscript.guards import is_array, strings
from toolscript_sandbox import text_of


@dataclass(frozen=True)
class Returned:
    """What a call's `ToolReturn` carried for others than the script."""

    content: str | Sequence[UserContent] | None = None
    metadata: Any = None
    tools: tuple[str, ...] = ()

    @classmethod
    def of(cls, content: object, metadata: Any, tools: object) -> 'Returned':
        """What it carried, whatever that is; never an error, since the tool has done what it does."""
        return cls(_content(content), metadata, tuple(strings(tools)))


def _content(given: object) -> str | Sequence[UserContent] | None:
    if given is None or isinstance(given, str):
        return given
    return [_part(item) for item in (given if is_array(given) else [given])]


def _part(item: object) -> UserContent:
    """The item, as a text where it is nothing that a model can be sent."""
    try:
        return _user_content().validate_python(item)
    except ValidationError:
        return text_of(item, None)


@cache
def _user_content() -> TypeAdapter[UserContent]:
    return TypeAdapter(UserContent)
