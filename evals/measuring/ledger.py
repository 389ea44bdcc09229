"""Counts of what a message history shows about a run."""

from collections.abc import Sequence

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart

from evals.measuring.run import Ledger
from evals.playing.shown import FINAL_TEXT, RUN_CODE, SEARCH_TOOL
from toolscript.guards import fields, items


def ledger_of(messages: Sequence[ModelMessage]) -> Ledger:
    parts = [part for message in messages for part in message.parts]
    calls = [part for part in parts if isinstance(part, ToolCallPart)]
    returns = [part for part in parts if isinstance(part, ToolReturnPart)]
    snippets = [call for call in calls if call.tool_name == RUN_CODE]
    good = [part for part in returns if part.tool_name == RUN_CODE and part.outcome != 'retried']
    return Ledger(
        requests=sum(isinstance(message, ModelResponse) and not _is_given(message) for message in messages),
        direct_calls=sum(call.tool_name not in (RUN_CODE, SEARCH_TOOL) for call in calls),
        nested_calls=sum(map(_tool_calls, good)),
        snippets=len(snippets),
        failed_snippets=len(snippets) - len(good),
        searches=sum(call.tool_name == SEARCH_TOOL for call in calls),
    )


def _tool_calls(part: ToolReturnPart) -> int:
    """Return how many tool calls a snippet made. Giving the answer does not count."""
    return sum(fields(call)['function'] != FINAL_TEXT for call in items(fields(part.metadata).get('tool_calls')))


def _is_given(response: ModelResponse) -> bool:
    return 'toolscript_answer' in (response.metadata or {})
