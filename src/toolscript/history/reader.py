"""Reads message histories."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from pydantic import ValidationError
from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelRequest, ModelResponse
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.tools import AgentDepsT

from toolscript.guards import fields, strings
from toolscript.mistakes import first_mistake
from toolscript.results.final_answer import ANSWER_KEY

from .parts import CallResults, PartReader, left_out
from .transcript import Block, Bounds, CharBudget, Tokens, Transcript, Turn
from .values import as_json, one_line

History: TypeAlias = Transcript | Sequence[ModelMessage] | bytes | str
"""Messages, their JSON as dumped by `ModelMessagesTypeAdapter`, or a transcript that was read before."""


def transcript_of(history: History, *, bounds: Bounds | None = None) -> Transcript:
    """Read what happened in a history.

    Args:
        history: From `result.all_messages()` or `result.all_messages_json()`.
        bounds: How much of it to read.

    Raises:
        ValueError: The text is not the JSON of a message history.
    """
    if isinstance(history, Transcript):
        return history
    messages = _loaded(history) if isinstance(history, bytes | str) else list(history)
    exchanges = list(_exchanges(messages))
    return Transcript(
        turns=tuple(_turns(CallResults.of(messages), exchanges, bounds or Bounds())),
        requests=len(exchanges),
        tokens=_tokens([exchange.response for exchange in exchanges if exchange.response is not None]),
    )


def _loaded(history: bytes | str) -> list[ModelMessage]:
    try:
        return ModelMessagesTypeAdapter.validate_json(history)
    except ValidationError as error:
        raise ValueError(
            f'This is not a message history: {first_mistake(error)}. Use the JSON of `result.all_messages_json()`.'
        ) from error


@dataclass
class _Exchange:
    """Requests that were sent together, and the response to them."""

    number: int
    run: int
    requests: list[ModelRequest] = field(default_factory=list[ModelRequest])
    response: ModelResponse | None = None


def _exchanges(messages: Sequence[ModelMessage]) -> Iterator[_Exchange]:
    run, run_id = 1, None
    exchange = _Exchange(1, run)
    for message in messages:
        if message.run_id is not None:
            run += run_id is not None and message.run_id != run_id
            run_id = message.run_id
        exchange.run = run
        if isinstance(message, ModelRequest):
            exchange.requests.append(message)
        else:
            exchange.response = message
            yield exchange
            exchange = _Exchange(exchange.number + 1, run)
    if exchange.requests:
        yield exchange


def _turns(calls: CallResults, exchanges: Sequence[_Exchange], bounds: Bounds) -> Iterator[Turn]:
    shown = list(accumulate(exchanges, _shown_after, initial=dict[str, str]()))
    read = _read(len(exchanges), bounds.requests)
    left = bounds.all_chars
    for done, index in enumerate(read):
        budget = CharBudget(share := left // (len(read) - done), bounds)
        changes = [*_changes(shown[index], shown[index + 1], budget)]
        over = len(changes) - bounds.parts
        cut = [*changes[: bounds.parts], left_out(f'{over:,} more tools')] if over > 0 else changes
        yield _turn(exchanges[index], cut, PartReader(calls, budget))
        left -= share - budget.left


def _read(many: int, most: int) -> list[int]:
    """Return the indexes of the requests to read: the first and last ones."""
    first = most // 4
    return [*range(many)] if many <= most else [*range(first), *range(many - most + first, many)]


def _turn(exchange: _Exchange, shown: Iterable[Block], reader: PartReader) -> Turn:
    response = exchange.response
    at = next((request.timestamp for request in reversed(exchange.requests) if request.timestamp), None)
    return Turn(
        number=exchange.number,
        run=exchange.run,
        at=at,
        request=(*shown, *(block for request in exchange.requests for block in reader.request(request))),
        response=() if response is None else tuple(reader.response(response)),
        model=None if response is None else _model(response),
        tokens=_tokens([] if response is None else [response]),
        seconds=None if response is None or at is None else (response.timestamp - at).total_seconds(),
    )


def _model(response: ModelResponse) -> str:
    by_script = ANSWER_KEY in (response.metadata or {})
    return 'given by the script' if by_script else one_line(response.model_name or 'model')


def _tokens(responses: Sequence[ModelResponse]) -> Tokens:
    usages = [response.usage for response in responses]
    return Tokens(
        input=sum(usage.input_tokens for usage in usages),
        cached=sum(usage.cache_read_tokens for usage in usages),
        output=sum(usage.output_tokens for usage in usages),
    )


_INSTRUCTIONS = 'instructions'
_TOOL = 'tool '


def _shown_after(shown: dict[str, str], exchange: _Exchange) -> dict[str, str]:
    """Return the instructions and tools that a request shows, by label, after one that showed `shown`."""
    if exchange.response is None:
        # The request may not have been sent.
        return shown
    before = {label.removeprefix(_TOOL): text for label, text in shown.items() if label.startswith(_TOOL)}
    instructions = exchange.requests[-1].instructions if exchange.requests else shown.get(_INSTRUCTIONS)
    tools = {f'{_TOOL}{name}': text for name, text in tools_after(before, exchange.requests).items()}
    return tools if instructions is None else {_INSTRUCTIONS: instructions, **tools}


def _changes(before: Mapping[str, str], after: Mapping[str, str], budget: CharBudget) -> Iterator[Block]:
    labels = dict.fromkeys([*before, *after])
    for label in sorted(labels, key=lambda label: label != _INSTRUCTIONS):
        old, new = before.get(label), after.get(label)
        if old == new:
            continue
        if old is None or new is None:
            words, text = ('' if old is None else ', gone'), new or ''
        else:
            words, text = ', changed', _lines_changed(old, new)
        # The change is what matters to readers; a whole catalog would hide it.
        is_folded = words != ', changed'
        yield Block(kind='shown', label=one_line(label) + words, text=budget.excerpt(text), is_folded=is_folded)


def _lines_changed(before: str, after: str) -> str:
    """Return the removed lines and the added lines, in time linear in the length of the texts."""
    old, new = before.splitlines(), after.splitlines()
    lines = [*(f'- {line}' for line in _beyond(old, new)), *(f'+ {line}' for line in _beyond(new, old))]
    return '\n'.join(lines) or 'the same lines, in another order'


def _beyond(lines: Iterable[str], others: Iterable[str]) -> Iterator[str]:
    """Yield the lines that the others do not have, or have fewer times."""
    left = Counter(others)
    for line in lines:
        left[line] -= 1
        if left[line] < 0 and line.strip():
            yield line


_KEY = 'toolscript_shown'
_MAX_CHARS = 100_000


@dataclass
class RecordTools(AbstractCapability[AgentDepsT]):
    """Stores in the message history which tools the model sees in each request, including `run_code`'s description.

    `render_text` and `render_html` show them, and what changed between requests. They are stored as metadata of
    requests, which models do not see, and take about as much space as the tools' descriptions, once.
    """

    def get_ordering(self) -> CapabilityOrdering:
        """Place this after everything that modifies the tools."""
        return CapabilityOrdering(position='innermost')

    async def before_model_request(
        self, ctx: RunContext[AgentDepsT], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Record how the tools of the request have changed, and return the request unchanged."""
        request = next((each for each in reversed(ctx.messages) if isinstance(each, ModelRequest)), None)
        if request is not None:
            _, prepared = request_context.model.prepare_request(None, request_context.model_request_parameters)
            shown, known = dict(_shown(prepared)), tools_after({}, ctx.messages)
            new = {name: text for name, text in shown.items() if known.get(name) != text}
            gone = [name for name in known if name not in shown]
            if new or gone:
                request.metadata = {**(request.metadata or {}), _KEY: {'new': new, 'gone': gone}}
        return request_context


def tools_after(tools: dict[str, str], messages: Sequence[ModelMessage]) -> dict[str, str]:
    """Return the tools that the last of these messages showed, as text by name, given the earlier `tools`."""
    for message in messages:
        if isinstance(message, ModelRequest) and _KEY in fields(message.metadata):
            record = fields(fields(message.metadata)[_KEY])
            gone = {*strings(record.get('gone'))}
            new = {name: text for name, text in fields(record.get('new')).items() if isinstance(text, str)}
            tools = {**{name: text for name, text in tools.items() if name not in gone}, **new}
    return tools


def _shown(parameters: ModelRequestParameters) -> Iterator[tuple[str, str]]:
    visible = [tool for tool in parameters.function_tools if parameters.visibility_of(tool.name) == 'visible']
    for tool in (*visible, *parameters.output_tools):
        text = f'{tool.description}\n' if tool.description else ''
        yield tool.name, f'{text}parameters: {as_json(tool.parameters_json_schema)}'[:_MAX_CHARS]
    for native in parameters.native_tools:
        yield native.kind, "one of the provider's own"
