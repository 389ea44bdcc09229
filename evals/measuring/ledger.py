"""What a message history says of how a task was done."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart

from evals.playing.shown import RUN_CODE, SEARCH_TOOLS


@dataclass(frozen=True)
class Ledger:
    """Counts of one run."""

    requests: int
    direct_calls: int
    nested_calls: int
    snippets: int
    failed_snippets: int
    single_call_snippets: int
    searches: int
    wrong_doors: int


def ledger_of(messages: Sequence[ModelMessage]) -> Ledger:
    """Count what happened."""
    calls = [part for part in _parts(messages) if isinstance(part, ToolCallPart)]
    own = [call for call in calls if call.tool_name not in (RUN_CODE, *SEARCH_TOOLS)]
    snippets = [call for call in calls if call.tool_name == RUN_CODE]
    finished = {part.tool_call_id: part for part in _parts(messages) if isinstance(part, ToolReturnPart)}
    good = [part for call in snippets if (part := finished.get(call.tool_call_id)) and not is_retry(part)]
    refused = [part for part in _parts(messages) if is_retry(part)]
    return Ledger(
        requests=sum(isinstance(message, ModelResponse) for message in messages),
        direct_calls=len(own),
        nested_calls=sum(len(nested_calls(part)) for part in good),
        snippets=len(snippets),
        failed_snippets=len(snippets) - len(good),
        single_call_snippets=sum(len(nested_calls(part)) == 1 for part in good),
        searches=sum(call.tool_name in SEARCH_TOOLS for call in calls),
        wrong_doors=sum(_tells_the_door(part) for part in refused),
    )


def is_retry(part: object) -> bool:
    """Whether a part tells the model to try again; the class for that differs between releases."""
    if getattr(part, 'part_kind', '') == 'retry-prompt':
        return True
    return isinstance(part, ToolReturnPart) and getattr(part, 'outcome', 'success') == 'retried'


def nested_calls(part: ToolReturnPart) -> list[Mapping[str, Any]]:
    """The calls that a snippet made, as its metadata tells them: ours as a list, the harness's by call id."""
    metadata: Mapping[str, Any] = part.metadata if isinstance(part.metadata, dict) else {}
    calls = metadata.get('tool_calls') or []
    found = [*calls.values()] if isinstance(calls, dict) else [*calls]
    return [call if isinstance(call, dict) else {'function': getattr(call, 'tool_name', '?')} for call in found]


def _parts(messages: Sequence[ModelMessage]) -> Iterator[object]:
    for message in messages:
        yield from message.parts


def _tells_the_door(part: object) -> bool:
    content = str(getattr(part, 'content', ''))
    return 'is called from code' in content or 'is not loaded yet' in content or 'Unknown tool name' in content


