"""A model wrapper that counts everything sent to and from the model, and notifies a listener."""

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
    """What passed through the model in one run, in characters and counts."""

    turns: int = 0
    calls: int = 0
    """Tool calls by the model itself."""
    definitions: int = 0
    """Characters of tool definitions over all turns, because they are sent again with each."""
    results: int = 0
    """Characters of tool results, each counted once."""


class Listener(Protocol):
    """Receives what passes through the model."""

    def shown(self, turn: int, tools: list[ToolDefinition], news: list[ModelRequestPart]) -> None:
        """A turn begins: the model sees these tools, and these new parts."""
        ...

    def answered(self, response: ModelResponse) -> None:
        """The model has finished its turn."""
        ...


class Metered(WrapperModel):
    """The wrapped model, which counts everything that passes."""

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
        """Run one turn."""
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
    """Return a tool's definition as providers receive it."""
    return json.dumps([tool.name, tool.description, tool.parameters_json_schema])


def result_text(part: ModelRequestPart) -> str | None:
    """Return what the model reads of a tool's result; `None` for other parts."""
    if part.part_kind == 'retry-prompt':
        return part.model_response()
    return part.model_response_str() if isinstance(part, ToolReturnPart) else None
