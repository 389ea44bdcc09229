"""A model that keeps what it is asked."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

from pydantic import JsonValue
from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import KnownModelName, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from .prefixes import RequestPrefix, as_line

_READ_BY_MODELS = frozenset({'part_kind', 'content', 'tool_name', 'args', 'tool_call_id', 'tools_added', 'id'})


class RecordingModel(WrapperModel):
    """A model that keeps the prefix of each request, for `prefix_changes`, and answers as the wrapped one does.

    It records what pydantic-ai gives the model, which is before a provider's adapter writes it down. Where the bytes
    of one provider matter, give `prefix_changes` the bodies of its requests.
    """

    def __init__(self, wrapped: Model | KnownModelName | str) -> None:
        super().__init__(wrapped)
        self.requests: list[RequestPrefix] = []
        """The prefix of each request so far."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Record the request, and ask the wrapped model."""
        self._record(messages, model_settings, model_request_parameters)
        return await super().request(messages, model_settings, model_request_parameters)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Record the request, and let the wrapped model stream."""
        self._record(messages, model_settings, model_request_parameters)
        async with super().request_stream(
            messages, model_settings, model_request_parameters, run_context
        ) as streamed_response:
            yield streamed_response

    def _record(
        self, messages: list[ModelMessage], settings: ModelSettings | None, parameters: ModelRequestParameters
    ) -> None:
        _, prepared = self.prepare_request(settings, parameters)
        self.requests.append(
            RequestPrefix(
                tools=_tools(prepared),
                system=tuple(part.content for part in prepared.instruction_parts or []),
                messages=_messages(messages),
            )
        )


def _tools(parameters: ModelRequestParameters) -> tuple[str, ...]:
    visible = [tool for tool in parameters.function_tools if parameters.visibility_of(tool.name) == 'visible']
    native: list[JsonValue] = json.loads(json.dumps([asdict(tool) for tool in parameters.native_tools], default=str))
    return tuple([_tool(tool) for tool in [*visible, *parameters.output_tools]] + [as_line(tool) for tool in native])


def _tool(tool: ToolDefinition) -> str:
    return as_line({'name': tool.name, 'description': tool.description, 'parameters': tool.parameters_json_schema})


def _messages(messages: list[ModelMessage]) -> tuple[str, ...]:
    """Only what a model reads of each message: not when it was sent, nor what it cost."""
    dumped: list[dict[str, Any]] = ModelMessagesTypeAdapter.dump_python(messages, mode='json')
    return tuple(
        as_line([{key: value for key, value in part.items() if key in _READ_BY_MODELS} for part in message['parts']])
        for message in dumped
    )
