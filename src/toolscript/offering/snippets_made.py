"""The snippets in a message history."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart

from toolscript.guards import fields
from toolscript.routing.placement import RUN_CODE


@dataclass(frozen=True)
class SnippetMade:
    """A `run_code` call in a history."""

    id: str
    code: str
    repeat: int
    """How many calls before it had the same id: some models count from zero in each turn."""


def snippets_until(messages: Sequence[ModelMessage], run_code_id: str) -> list[SnippetMade]:
    """The `run_code` calls up to the last one with the id, and without it; all of them if there is none."""
    seen = Counter[str]()
    made = list[SnippetMade]()
    for call in _calls(messages):
        made.append(SnippetMade(call.tool_call_id, _code(call), seen[call.tool_call_id]))
        seen[call.tool_call_id] += 1
    numbers = [number for number, snippet in enumerate(made) if snippet.id == run_code_id]
    return made[: numbers[-1]] if numbers else made


def codes_that_ended(messages: Sequence[ModelMessage]) -> list[str]:
    """The snippets that ran to their end, as they ran."""
    return [code for part in _returns(messages) if isinstance(code := fields(part.metadata).get('code'), str)]


def codes_that_ran(messages: Sequence[ModelMessage]) -> list[str]:
    """The snippets that ran to their end, as they ran, and those that were denied on their way."""
    denied = {part.tool_call_id for part in _returns(messages) if part.outcome in ('denied', 'failed')}
    return [*codes_that_ended(messages), *(_code(call) for call in _calls(messages) if call.tool_call_id in denied)]


def _returns(messages: Sequence[ModelMessage]) -> list[ToolReturnPart]:
    return [
        part
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name == RUN_CODE
    ]


def _calls(messages: Sequence[ModelMessage]) -> list[ToolCallPart]:
    return [
        part
        for message in messages
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, ToolCallPart) and part.tool_name == RUN_CODE
    ]


def _code(call: ToolCallPart) -> str:
    try:
        code = call.args_as_dict().get('code')
    except ValueError:
        # The model sent arguments that are no JSON; such a call never ran.
        return ''
    return code if isinstance(code, str) else ''
