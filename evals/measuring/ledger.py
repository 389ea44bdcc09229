"""Counts of what a message history shows about a run."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    ToolCallPart,
    ToolReturnPart,
)

from evals.measuring.habits import cause
from evals.measuring.run import Ledger
from evals.playing.shown import FINAL_TEXT, RUN_CODE, SEARCH_TOOLS
from toolscript.guards import fields, is_object, items


def ledger_of(messages: Sequence[ModelMessage]) -> Ledger:
    calls = [part for part in _parts(messages) if isinstance(part, ToolCallPart)]
    own = [call for call in calls if call.tool_name not in (RUN_CODE, *SEARCH_TOOLS)]
    snippets = [call for call in calls if call.tool_name == RUN_CODE]
    finished = {part.tool_call_id: part for part in _parts(messages) if isinstance(part, ToolReturnPart)}
    good = [part for call in snippets if (part := finished.get(call.tool_call_id)) and not is_retry(part)]
    refused = [part for part in _parts(messages) if is_retry(part)]
    return Ledger(
        requests=sum(isinstance(message, ModelResponse) and not _is_given(message) for message in messages),
        direct_calls=len(own),
        nested_calls=sum(len(_tool_calls(part)) for part in good),
        snippets=len(snippets),
        failed_snippets=len(snippets) - len(good),
        single_call_snippets=sum(len(_tool_calls(part)) == 1 for part in good),
        searches=sum(call.tool_name in SEARCH_TOOLS for call in calls),
        misdirected_calls=sum(_says_how_to_call(part) for part in refused),
        found=len({name for part in finished.values() for name in _found(part)}),
        first_snippet_ok=bool(snippets and good and snippets[0].tool_call_id == good[0].tool_call_id),
        retries=tuple(cause(str(getattr(part, 'content', ''))) for part in refused),
    )


def is_retry(part: ModelRequestPart | ModelResponsePart) -> bool:
    """Returns whether a part asks the model to retry; its class differs between releases."""
    if getattr(part, 'part_kind', '') == 'retry-prompt':
        return True
    return isinstance(part, ToolReturnPart) and getattr(part, 'outcome', 'success') == 'retried'


def nested_calls(part: ToolReturnPart) -> list[Mapping[str, object]]:
    found = items(fields(part.metadata).get('tool_calls'))
    return [call if is_object(call) else {'function': getattr(call, 'tool_name', '?')} for call in found]


def _tool_calls(part: ToolReturnPart) -> list[Mapping[str, object]]:
    """Return the tool calls that a snippet made. Giving the answer does not count."""
    return [call for call in nested_calls(part) if call.get('function') != FINAL_TEXT]


def _is_given(response: ModelResponse) -> bool:
    return 'toolscript_answer' in (response.metadata or {})


def _parts(messages: Sequence[ModelMessage]) -> Iterator[ModelRequestPart | ModelResponsePart]:
    for message in messages:
        yield from message.parts


def _found(part: ToolReturnPart) -> list[str]:
    if part.tool_name not in SEARCH_TOOLS:
        return []
    found = fields(part.content)
    return [str(fields(tool).get('name')) for tool in items(found.get('tools') or found.get('discovered_tools'))]


def _says_how_to_call(part: ModelRequestPart | ModelResponsePart) -> bool:
    content = str(getattr(part, 'content', ''))
    return 'is called from code' in content or 'is not loaded yet' in content or 'Unknown tool name' in content
