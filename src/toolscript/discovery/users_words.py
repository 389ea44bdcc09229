"""What users asked for, in their own words, as far as a message history still has it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    TextContent,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)

REMINDER_OPENING = '<available-deferred-tools>'
"""How the user message begins that is our reminder's and no user's."""


def users_requests(messages: Sequence[ModelMessage]) -> list[bool]:
    """For each message, whether its user prompts are a user's.

    Those beside the results of tools are mostly what tools say beside their result. Only where a run begins with the
    results that it waited for may they be a user's.
    """
    begins = [False, *(before.run_id != message.run_id for before, message in pairwise(messages))]
    return [
        isinstance(message, ModelRequest) and (begun or not _answers_calls(message))
        for begun, message in zip(begins, messages, strict=False)
    ]


def words_of(content: str | Sequence[UserContent] | None) -> str:
    """The text of a prompt; empty where it is a picture or our own reminder."""
    items = [content] if isinstance(content, str) else content or ()
    text = '\n'.join(_texts(items))
    return '' if text.startswith(REMINDER_OPENING) else text


def prompts_of(messages: Sequence[ModelMessage]) -> set[str]:
    """The words of all user prompts in the messages, whoever's they are."""
    parts = (part for message in messages for part in message.parts)
    return {words_of(part.content) for part in parts if isinstance(part, UserPromptPart)}


def _texts(items: Sequence[UserContent]) -> Iterator[str]:
    for item in items:
        match item:
            case str():
                yield item
            case TextContent():
                yield item.content
            case _:
                pass


def _answers_calls(request: ModelRequest) -> bool:
    return any(isinstance(part, ToolReturnPart) for part in request.parts)
