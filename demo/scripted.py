"""A stand-in for a model: a generator reads what a model would be shown and replies with tool calls or text."""

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import ToolDefinition

from demo.screen import result_text


@dataclass(frozen=True)
class Call:
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """Everything that the model receives in one turn, and nothing else."""

    prompt: str
    tools: dict[str, ToolDefinition]
    results: list[Any]
    """The results of the last turn's calls, in order, as JSON."""


Work = Generator[list[Call], Seen, str]
"""Yields the calls of a turn, receives their results, and returns the answer."""


def scripted(work: Callable[[Seen], Work]) -> FunctionModel:
    """Return a model that does this work, once."""
    under_way: Work | None = None

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        nonlocal under_way
        seen = Seen(_prompt(messages), {tool.name: tool for tool in info.function_tools}, _results(messages))
        try:
            if under_way is None:
                under_way = work(seen)
                calls = next(under_way)
            else:
                calls = under_way.send(seen)
        except StopIteration as done:
            return ModelResponse([TextPart(done.value)])
        return ModelResponse([ToolCallPart(call.tool, call.arguments) for call in calls])

    return FunctionModel(respond, model_name=work.__name__)


def _prompt(messages: Sequence[ModelMessage]) -> str:
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    return next(part.content for part in parts if isinstance(part, UserPromptPart) and isinstance(part.content, str))


def _results(messages: Sequence[ModelMessage]) -> list[Any]:
    latest = messages[-1]
    texts = [result_text(part) for part in latest.parts] if isinstance(latest, ModelRequest) else []
    return [_as_json(text) for text in texts if text is not None]


def _as_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
