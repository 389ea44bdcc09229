"""Reading a message history."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from pydantic import ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
)

from toolscript.results.final_answer import ANSWER_KEY

from .answers import Answers
from .parts import PartReader, Scripts
from .shown_tools import Prefix, changes
from .transcript import Bounds, Entry, LeftOut, Room, Tokens, Transcript, Turn

History: TypeAlias = Transcript | Sequence[ModelMessage] | bytes | str
"""Messages, the JSON that `ModelMessagesTypeAdapter` dumps of them, or what was read of them before."""


def transcript_of(history: History, *, bounds: Bounds | None = None) -> Transcript:
    """What happened in a history.

    Args:
        history: As `result.all_messages()` or `result.all_messages_json()` gives it.
        bounds: How much of it is kept.

    Raises:
        ValueError: It is no JSON of a message history.
    """
    if isinstance(history, Transcript):
        return history
    messages = _loaded(history) if isinstance(history, bytes | str) else list(history)
    exchanges = list(_exchanges(messages))
    bounds = bounds or Bounds()
    return Transcript(
        turns=tuple(_turns(messages, exchanges, bounds)),
        requests=len(exchanges),
        tokens=_tokens([exchange.response for exchange in exchanges if exchange.response is not None]),
    )


def _loaded(history: bytes | str) -> list[ModelMessage]:
    try:
        return ModelMessagesTypeAdapter.validate_json(history)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = '.'.join(map(str, first['loc'])) or 'its start'
        raise ValueError(
            f'This is not a message history: {first["msg"]} (at {where}). Use the JSON of `result.all_messages_json()`.'
        ) from error


@dataclass
class _Exchange:
    """Requests that went out together, and the response to them."""

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
        if isinstance(message, ModelRequest):
            exchange.requests.append(message)
        else:
            exchange.response = message
        exchange.run = run
        if exchange.response is not None:
            yield exchange
            exchange = _Exchange(exchange.number + 1, run)
    if exchange.requests:
        yield exchange


def _turns(messages: Sequence[ModelMessage], exchanges: Sequence[_Exchange], bounds: Bounds) -> Iterator[Turn]:
    answers, scripts = Answers(messages), Scripts.of(messages)
    sent = (exchange.requests if exchange.response is not None else [] for exchange in exchanges)
    prefixes = list(accumulate(sent, Prefix.then, initial=Prefix()))
    kept = _kept(len(exchanges), bounds.requests)
    left = bounds.all_chars
    for done, index in enumerate(kept):
        room = Room(share := left // (len(kept) - done), bounds)
        reader = PartReader(answers, scripts, room)
        yield _turn(exchanges[index], changes(prefixes[index], prefixes[index + 1], room), reader)
        left -= share - room.left


def _kept(many: int, most: int) -> list[int]:
    first = most // 4
    return [*range(many)] if many <= most else [*range(first), *range(many - most + first, many)]


def _turn(exchange: _Exchange, shown: Iterable[Entry], reader: PartReader) -> Turn:
    response = exchange.response
    at = next((request.timestamp for request in reversed(exchange.requests) if request.timestamp), None)
    return Turn(
        number=exchange.number,
        run=exchange.run,
        at=at,
        request=(
            *_bounded([*shown], reader),
            *(entry for request in exchange.requests for entry in reader.request(request)),
        ),
        response=() if response is None else tuple(reader.response(response)),
        model=None if response is None else _model(response),
        tokens=_tokens([] if response is None else [response]),
        seconds=None if response is None or at is None else (response.timestamp - at).total_seconds(),
    )


def _bounded(shown: Sequence[Entry], reader: PartReader) -> Sequence[Entry]:
    most = reader.room.bounds.parts
    return shown if len(shown) <= most else [*shown[:most], LeftOut(what=f'{len(shown) - most:,} more tools')]


def _model(response: ModelResponse) -> str:
    return 'given by the script' if ANSWER_KEY in (response.metadata or {}) else response.model_name or 'model'


def _tokens(responses: Sequence[ModelResponse]) -> Tokens:
    usages = [response.usage for response in responses]
    return Tokens(
        input=sum(usage.input_tokens for usage in usages),
        cached=sum(usage.cache_read_tokens for usage in usages),
        output=sum(usage.output_tokens for usage in usages),
    )
