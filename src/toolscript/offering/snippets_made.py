"""The snippets in a message history."""

from collections.abc import Sequence

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart

from toolscript.routing.placement import RUN_CODE


def last_snippet(messages: Sequence[ModelMessage], *, before: str) -> tuple[str, str] | None:
    """The id and the code of the last `run_code` call before the one with the given id."""
    calls = [
        part
        for message in messages
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, ToolCallPart) and part.tool_name == RUN_CODE
    ]
    numbers = [number for number, call in enumerate(calls) if call.tool_call_id == before]
    earlier = calls[: numbers[-1] if numbers else len(calls)]
    return (earlier[-1].tool_call_id, _code(earlier[-1])) if earlier else None


def _code(call: ToolCallPart) -> str:
    try:
        code = call.args_as_dict().get('code')
    except ValueError:
        # The model sent arguments that are no JSON; such a call never ran.
        return ''
    return code if isinstance(code, str) else ''
