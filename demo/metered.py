"""A model wrapper that counts requests and responses and reports them to a listener."""

import json
from dataclasses import dataclass
from typing import Protocol

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelRequestPart, ModelResponse, ToolReturnPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition


@dataclass
class Totals:
    """The traffic of the model in one run, in characters and counts."""

    turns: int = 0
    calls: int = 0
    """Tool calls made directly by the model."""
    definitions: int = 0
    """Characters of tool definitions over all turns, because each turn sends them again."""
    results: int = 0
    """Characters of tool results, each counted once."""


class Listener(Protocol):
    """Receives the requests and responses."""

    def shown(self, turn: int, tools: list[ToolDefinition], news: list[ModelRequestPart]) -> None:
        """Called when a turn begins, with the tools that the model sees and the parts that are new to it."""
        ...

    def answered(self, response: ModelResponse) -> None:
        """Called when the model has finished its turn."""
        ...


class Metered(WrapperModel):
    """The wrapped model, with its traffic counted."""

    def __init__(self, wrapped: Model, listener: Listener) -> None:
        super().__init__(wrapped)
        self.listener = listener
        self.totals = Totals()

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        tools = model_request_parameters.function_tools
        news = list(messages[-1].parts) if isinstance(messages[-1], ModelRequest) else []
        self.totals.turns += 1
        self.totals.definitions += sum(len(definition_text(tool)) for tool in tools)
        self.totals.results += sum(len(result_text(part) or '') for part in news)
        self.listener.shown(self.totals.turns, tools, news)
        response = await super().request(messages, model_settings, model_request_parameters)
        self.totals.calls += len(response.tool_calls)
        self.listener.answered(response)
        return response


def definition_text(tool: ToolDefinition) -> str:
    """Return a tool definition as providers receive it."""
    return json.dumps([tool.name, tool.description, tool.parameters_json_schema])


def result_text(part: ModelRequestPart) -> str | None:
    """Return what the model reads of a tool's result; None for other parts."""
    if part.part_kind == 'retry-prompt':
        return part.model_response()
    return part.model_response_str() if isinstance(part, ToolReturnPart) else None
