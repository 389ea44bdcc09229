"""The part of a request that a provider's cache compares, a model that records it, and its changes between requests."""

import json
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Literal

from pydantic import JsonValue
from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import KnownModelName, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

Section = Literal['tools', 'system', 'messages']

_CACHE_MARKERS = frozenset({'cache_control', 'prompt_cache_breakpoint'})


@dataclass(frozen=True)
class RequestPrefix:
    """The part of a request that a provider's cache compares, in the order of comparison.

    Tools that are declared but deferred are omitted, because they are not in the prompt until something reveals them.
    Cache markers are omitted because they move from step to step and are not in the prompt either.
    """

    tools: tuple[str, ...]
    """Each tool as one line of JSON."""
    system: tuple[str, ...]
    """The parts of the instructions."""
    messages: tuple[str, ...]
    """Each message as one line of JSON."""


@dataclass(frozen=True)
class PrefixChange:
    """A change to what an earlier request sent, at which the provider's cache ends."""

    step: int
    """The index of the request with the change: 1 for the second request."""
    section: Section
    byte: int
    """The offset of the change in the earlier request's prefix, in bytes from the start of the tools, counting a line
    break for each entry."""
    before: str
    """The text of the earlier request there, at most 80 characters of that line; empty if the section had ended."""
    after: str
    """The text of the later request in its place."""


def prefix_changes(requests: Iterable[RequestPrefix | bytes | str | Mapping[str, JsonValue]]) -> list[PrefixChange]:
    """Return what each request changed in the prefix that the previous one sent: at most one change per section.

    Messages that are appended are no change. Any other difference is, even a tool that is appended, because system text
    and messages come after the tools.

    Args:
        requests: The requests in the order in which they were sent: JSON or parsed bodies for Anthropic Messages,
            OpenAI Responses or OpenAI Chat Completions; or what a `RecordingModel` recorded.
    """
    prefixes = [request if isinstance(request, RequestPrefix) else wire_prefix(request) for request in requests]
    return [
        change
        for step, (earlier, later) in enumerate(pairwise(prefixes), start=1)
        for change in _changes(step, earlier, later)
    ]


def wire_prefix(body: bytes | str | Mapping[str, JsonValue]) -> RequestPrefix:
    """Return the prefix of a request as it is sent to Anthropic or OpenAI."""
    request: Mapping[str, JsonValue] = json.loads(body) if isinstance(body, bytes | str) else body
    return RequestPrefix(
        tools=tuple(as_line(tool) for tool in _items(request.get('tools')) if not _is_deferred(tool)),
        system=tuple(as_line(part) for part in _items(request.get('system', request.get('instructions')))),
        messages=tuple(as_line(message) for message in _items(request.get('messages', request.get('input')))),
    )


def as_line(value: JsonValue) -> str:
    """Return the JSON of a value on one line, without cache markers."""
    return json.dumps(_unmarked(value), ensure_ascii=False, separators=(',', ':'))


def _unmarked(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _unmarked(inner) for key, inner in value.items() if key not in _CACHE_MARKERS}
    if isinstance(value, list):
        return [_unmarked(inner) for inner in value]
    return value


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _is_deferred(tool: JsonValue) -> bool:
    return isinstance(tool, dict) and tool.get('defer_loading') is True


def _changes(step: int, earlier: RequestPrefix, later: RequestPrefix) -> Iterator[PrefixChange]:
    sections: list[tuple[Section, tuple[str, ...], tuple[str, ...]]] = [
        ('tools', earlier.tools, later.tools),
        ('system', earlier.system, later.system),
        ('messages', earlier.messages, later.messages[: len(earlier.messages)]),
    ]
    start = 0
    for section, before, after in sections:
        if before != after:
            yield _change(step, section, start, text_of(before), text_of(after))
        start += len(text_of(before).encode())


def _change(step: int, section: Section, start: int, before: str, after: str) -> PrefixChange:
    same = _common_length(before, after)
    byte = start + len(before[:same].encode())
    return PrefixChange(step, section, byte, _rest_of_line(before[same:]), _rest_of_line(after[same:]))


def _common_length(one: str, other: str) -> int:
    differing = (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, min(len(one), len(other)))


def _rest_of_line(text: str) -> str:
    return text.partition('\n')[0][:80]


def text_of(entries: Sequence[str]) -> str:
    """Return the entries of a prefix, one on each line."""
    return ''.join(f'{entry}\n' for entry in entries)


_READ_BY_MODELS = frozenset({'part_kind', 'content', 'tool_name', 'args', 'tool_call_id', 'tools_added', 'id'})


class RecordingModel(WrapperModel):
    """A model that records the prefix of each request, for `prefix_changes`, and answers like the wrapped one.

    It records what pydantic-ai passes to the model, before a provider's adapter converts it. To compare the exact
    bytes, pass the bodies of the provider's requests to `prefix_changes`.
    """

    def __init__(self, wrapped: Model | KnownModelName | str) -> None:
        super().__init__(wrapped)
        self.requests: list[RequestPrefix] = []
        """The prefixes of all requests so far."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
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
    return tuple(
        [tool_line(tool) for tool in [*visible, *parameters.output_tools]] + [as_line(tool) for tool in native]
    )


def tool_line(tool: ToolDefinition) -> str:
    """Return a JSON tool on one line."""
    return as_line({'name': tool.name, 'description': tool.description, 'parameters': tool.parameters_json_schema})


def _messages(messages: list[ModelMessage]) -> tuple[str, ...]:
    """Return only what a model reads of each message, without times and costs."""
    dumped: list[dict[str, Any]] = ModelMessagesTypeAdapter.dump_python(messages, mode='json')
    return tuple(
        as_line([{key: value for key, value in part.items() if key in _READ_BY_MODELS} for part in message['parts']])
        for message in dumped
    )
