"""Which deferred tools a message history has already found."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from pydantic_ai.messages import (
    BaseToolReturnPart,
    ModelMessage,
    ModelRequestPart,
    ModelResponsePart,
    NativeToolSearchReturnPart,
    ToolAvailabilityDeltaPart,
    ToolCallPart,
    ToolReturnPart,
    ToolSearchReturnPart,
    post_compaction_window,
)

from toolscript.guards import fields, items, parts_of, strings

from .search_options import DEFAULT_SEARCH_TOOL_NAME

DISCOVERED_KEY = 'toolscript_discovered'
"""The key in a tool return's metadata for the names that the call found."""

SIGNATURES_KEY = 'toolscript_signatures'
"""The key in a tool return's metadata for the names of the tools whose signatures its content shows."""

_SEARCH_TOOL_NAMES = {DEFAULT_SEARCH_TOOL_NAME, 'search_tools', 'tool_search'}


def discovered_names(messages: Sequence[ModelMessage]) -> list[str]:
    """Return the names of the tools that searches found, in order, without duplicates."""
    return list(dict.fromkeys(name for names in discoveries(messages) for name in names))


def discoveries(messages: Sequence[ModelMessage]) -> Iterator[tuple[str, ...]]:
    """Yield the names of the tools that each search found.

    Reads our own search results, scripts' discoveries, pydantic-ai's `search_tools` parts and providers' native search
    parts. Only the window after the latest compaction counts, because the model no longer sees the rest. Malformed
    content is skipped.
    """
    for message in post_compaction_window(messages):
        for part in message.parts:
            if names := tuple(names_in(part)):
                yield names


def called_names(messages: Sequence[ModelMessage]) -> list[str]:
    """Return the names of the tools that the model called, in order, without duplicates.

    A deferred tool that is called by its exact name counts as found.
    """
    return list(dict.fromkeys(part.tool_name for part in parts_of(post_compaction_window(messages), ToolCallPart)))


def names_with_signatures(messages: Sequence[ModelMessage]) -> dict[str, None]:
    """Return the names of the tools whose signatures are in results that the model still sees, in order."""
    return {
        name: None
        for part in parts_of(post_compaction_window(messages), ToolReturnPart)
        for name in strings(fields(part.metadata).get(SIGNATURES_KEY))
    }


def names_in(
    part: ModelRequestPart | ModelResponsePart | BaseToolReturnPart[Any], *, tool_name: str = DEFAULT_SEARCH_TOOL_NAME
) -> Iterator[str]:
    """Yield the names of the tools that a part of a history found."""
    match part:
        case ToolAvailabilityDeltaPart():
            yield from part.tools_added
        case ToolSearchReturnPart() | NativeToolSearchReturnPart():
            yield from (match['name'] for match in part.discovered_tools)
        case ToolReturnPart():
            metadata = fields(part.metadata)
            yield from strings(metadata.get(DISCOVERED_KEY))
            if part.tool_name == tool_name or part.tool_name in _SEARCH_TOOL_NAMES:
                yield from strings(metadata.get('discovered_tools'))
                yield from _listed(part.content)
                # A text whose metadata is missing.
                yield from _NAME.findall(part.content) if isinstance(part.content, str) else ()
        case _:
            pass


_NAME = re.compile(r'^(?:async def |def |- )([\w.-]+)', re.MULTILINE)


def _listed(content: object) -> list[str]:
    if isinstance(content, str) and content.startswith('{'):
        with suppress(ValueError):
            content = json.loads(content)
    return strings([fields(tool).get('name') for tool in items(fields(content).get('tools'))])
