"""A provider on 127.0.0.1: Anthropic Messages, OpenAI Responses and OpenAI Chat Completions, with a simulated model.

Every request is validated with the provider's SDK types and with the rules that the types do not express. Invalid
requests are answered as the provider would answer them, with an error 400, and recorded in `Loopback.refusals`.
"""

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from collections.abc import Mapping as AnyMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

import httpx2
from pydantic import JsonValue
from pydantic_ai.models import Model, infer_model, override_allow_model_requests
from pydantic_ai.providers import Provider, infer_provider_class

from . import anthropic_answers, anthropic_requests, chat_answers, chat_requests, responses_answers, responses_requests
from .json_values import Mapping, compact, mapping
from .reading import Reading
from .replies import Failure, PlanError, Reply
from .sdk_types import Wire, type_complaints

_WIRES: dict[str, Wire] = {'/v1/messages': 'anthropic', '/v1/responses': 'responses', '/v1/chat/completions': 'chat'}
_READERS = {'anthropic': anthropic_requests.read, 'responses': responses_requests.read, 'chat': chat_requests.read}
_ANSWERS = {'anthropic': anthropic_answers, 'responses': responses_answers, 'chat': chat_answers}


@dataclass(frozen=True)
class Request:
    """A request as received."""

    wire: Wire
    number: int
    """The number of the request, counted over all wires from one."""
    headers: AnyMapping[str, str]
    """The headers with lower-case names, without the key."""
    raw: bytes

    @cached_property
    def body(self) -> Mapping:
        """The body as JSON."""
        value: JsonValue = json.loads(self.raw)
        return mapping(value)

    @cached_property
    def reading(self) -> Reading:
        """The request in terms common to all wires."""
        return _READERS[self.wire](self.body)

    @property
    def streams(self) -> bool:
        """Whether the answer is to be streamed as events."""
        return self.body.get('stream') is True


SimulatedModel = Callable[[Request], Reply | Failure]
"""Reads a request and answers it. It is called from one thread at a time."""


@dataclass
class Loopback:
    """The running provider and the requests it received."""

    url: str
    model: SimulatedModel
    requests: list[Request] = field(default_factory=list[Request])
    """The requests in order of arrival, including refused ones."""
    refusals: list[str] = field(default_factory=list[str])
    """The reasons why requests were refused, or how the simulated model failed."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def named(self, name: str) -> Model:
        """Return a model by wire and name: `anthropic:claude-opus-5`, `responses:gpt-5.4`, `chat:gpt-5.4`."""
        known_as = {'responses': 'openai-responses', 'chat': 'openai-chat'}
        wire, _, model = name.partition(':')
        return infer_model(f'{known_as.get(wire, wire)}:{model}', self._provider)

    def answer(self, wire: Wire, headers: AnyMapping[str, str], raw: bytes) -> tuple[int, Mapping]:
        """Return the HTTP status and the JSON that answer a request."""
        with self._lock:
            request = Request(wire, len(self.requests) + 1, headers, raw)
            self.requests.append(request)
            if complaints := [*type_complaints(wire, request.body), *_rule_complaints(request)]:
                self.refusals.extend(complaints)
                return _failure(wire, Failure(400, '; '.join(complaints)))
            try:
                return self._simulated(request)
            except Exception as error:
                # A failing plan must not look like a failing network, because the SDKs would retry.
                self.refusals.append(str(error) if isinstance(error, PlanError) else f'The plan broke: {error!r}')
                return _failure(wire, Failure(500, self.refusals[-1]))

    def _simulated(self, request: Request) -> tuple[int, Mapping]:
        replied = self.model(request)
        if isinstance(replied, Failure):
            return _failure(request.wire, replied)
        answers = _ANSWERS[request.wire]
        content = answers.content(replied, request.reading, request.number)
        return 200, answers.message(request.body, content, request.number)

    def _provider(self, name: str) -> Provider[Any]:
        url = self.url if name == 'anthropic' else f'{self.url}/v1'
        provider: Any = infer_provider_class(name)
        # Loading the certificates of a machine takes longer than most tests, and nothing here is encrypted.
        return provider(api_key='none', base_url=url, http_client=httpx2.AsyncClient(verify=False, timeout=60))


@contextmanager
def loopback(model: SimulatedModel, *, may_refuse: bool = False) -> Generator[Loopback]:
    """Yields a provider that answers with this model until the block ends, and allows requests to models.

    Raises `AssertionError` at the end of the block if a request was refused, unless it `may_refuse`.
    """
    server = _Server(model)
    thread = Thread(target=server.serve_forever, kwargs={'poll_interval': 0.01}, daemon=True)
    thread.start()
    try:
        with override_allow_model_requests(True):
            yield server.provider
        assert may_refuse or not server.provider.refusals, server.provider.refusals
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: SimulatedModel) -> None:
        super().__init__(('127.0.0.1', 0), _Handler)
        self.provider = Loopback(f'http://127.0.0.1:{self.server_port}', model)


class _Handler(BaseHTTPRequestHandler):
    """Handles one request per connection: HTTP/1.0 ends an answer by closing, so that nothing outlives the test."""

    def do_POST(self) -> None:
        assert isinstance(self.server, _Server)
        wire = _WIRES.get(self.path.partition('?')[0])
        raw = self.rfile.read(int(self.headers['content-length']))
        if wire is None:
            self.send_error(404)
            return
        headers = {name.lower(): value for name, value in self.headers.items() if name.lower() != 'authorization'}
        status, answer = self.server.provider.answer(wire, headers, raw)
        streams = status == 200 and mapping(json.loads(raw)).get('stream') is True
        self._send(status, _ANSWERS[wire].events(answer) if streams else [compact(answer).encode()], streams)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: the requests are recorded."""

    def _send(self, status: int, pieces: Iterable[bytes], streams: bool) -> None:
        self.send_response(status)
        self.send_header('content-type', 'text/event-stream' if streams else 'application/json')
        # Otherwise both SDKs wait and retry.
        self.send_header('x-should-retry', 'false')
        self.end_headers()
        for piece in pieces:
            self.wfile.write(piece)


def _rule_complaints(request: Request) -> Iterator[str]:
    if request.wire == 'anthropic':
        return anthropic_requests.rule_complaints(request.body, request.headers)
    return (responses_requests if request.wire == 'responses' else chat_requests).rule_complaints(request.body)


def _failure(wire: Wire, failure: Failure) -> tuple[int, Mapping]:
    worded = anthropic_answers.failure if wire == 'anthropic' else responses_answers.failure
    return failure.status, worded(failure.status, failure.message)
