"""Noticing when code is losing: snippets that make one call each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai import ToolReturn
from pydantic_ai.messages import ModelMessage, ToolReturnPart, post_compaction_window

from toolscript.guards import fields, items
from toolscript.results.values import holds_files
from toolscript.routing.placement import RUN_CODE

from .run_code_prompt import SINGLE_CALLS


def hinted(result: ToolReturn[Any], messages: Sequence[ModelMessage], after: int | None) -> ToolReturn[Any]:
    """The result of a snippet; with a hint beside it where this is one more of `after` in a row that made one call.

    The hint comes again with every further `after` of them, and never where `after` is `None`.
    """
    if after is None or _calls(result.metadata) != 1 or holds_files(result.return_value):
        return result
    row = 1 + _singles_before(messages)
    if row % after:
        return result
    return replace(result, return_value={'result': result.return_value, 'hint': SINGLE_CALLS.format(count=row)})


def _singles_before(messages: Sequence[ModelMessage]) -> int:
    """How many of the latest snippets made one call each. Those that failed say nothing of it."""
    count = 0
    for metadata in _newest_first(messages):
        if _calls(metadata) != 1:
            break
        count += 1
    return count


def _newest_first(messages: Sequence[ModelMessage]) -> Iterator[object]:
    for message in reversed(post_compaction_window(messages)):
        for part in reversed(message.parts):
            if isinstance(part, ToolReturnPart) and part.tool_name == RUN_CODE and part.metadata is not None:
                yield part.metadata


def _calls(metadata: object) -> int:
    return len(items(fields(metadata).get('tool_calls')))
