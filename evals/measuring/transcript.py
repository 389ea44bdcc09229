"""A run as a reader may follow it."""

import json
from collections.abc import Iterator, Mapping, Sequence

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from evals.guards import fields
from evals.measuring.ledger import is_retry, nested_calls
from evals.measuring.run import Step
from evals.playing.shown import RUN_CODE

_MOST_CHARACTERS = 1_500
_MOST_NESTED = 12


def transcript_of(messages: Sequence[ModelMessage]) -> tuple[Step, ...]:
    """The steps of a run, long texts cut."""
    steps: list[Step] = []
    request = 0
    for message in messages:
        request += isinstance(message, ModelResponse)
        for part in message.parts:
            steps += _steps(part, request)
    return tuple(steps)


def _steps(part: ModelRequestPart | ModelResponsePart, request: int) -> Iterator[Step]:
    match part:
        case UserPromptPart():
            yield Step('user', str(part.content), request=request)
        case TextPart():
            yield Step('model', _cut(part.content), request=request)
        case ToolCallPart(tool_name=name) if name == RUN_CODE:
            yield Step('code', str(part.args_as_dict().get('code', '')), name, request)
        case ToolCallPart():
            yield Step('call', _cut(part.args_as_json_str()), part.tool_name, request)
        case ToolReturnPart():
            yield from _nested(part, request)
            yield Step('result', _cut(part.model_response_str()), part.tool_name, request)
        case _ if is_retry(part):
            yield Step('result', _cut(str(getattr(part, 'content', ''))), getattr(part, 'tool_name', ''), request)
        case _:
            pass


def _nested(part: ToolReturnPart, request: int) -> Iterator[Step]:
    calls = nested_calls(part)
    for call in calls[:_MOST_NESTED]:
        yield Step('nested', _cut(_arguments(call), 200), str(call.get('function', '')), request)
    if len(calls) > _MOST_NESTED:
        yield Step('nested', f'and {len(calls) - _MOST_NESTED} more', request=request)


def _arguments(call: Mapping[str, object]) -> str:
    arguments = [f'{name}={_shown(value)}' for name, value in fields(call.get('arguments')).items()]
    return ', '.join(arguments)


def _shown(value: object) -> str:
    return json.dumps(value, default=str)


def _cut(text: str, most: int = _MOST_CHARACTERS) -> str:
    return text if len(text) <= most else f'{text[:most]} … ({len(text):,} characters in all)'
