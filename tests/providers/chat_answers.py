"""Answers on OpenAI's Chat Completions wire."""

import json
from collections.abc import Iterator

from pydantic import JsonValue

from .json_values import Mapping, compact, halves, mapping, mappings, text, tokens
from .reading import Reading
from .replies import Call, Reply, Say, Search, cannot


def content(reply: Reply, reading: Reading, number: int) -> list[JsonValue]:
    """Return the one message of the answer to request `number`."""
    if reading.search is not None or any(isinstance(part, Search) for part in reply.parts):
        cannot('There is no tool search on this wire.')
    text = ''.join(part.text for part in reply.parts if isinstance(part, Say))
    calls: list[JsonValue] = [
        {
            'id': f'call_{number}_{position}',
            'type': 'function',
            'function': {'name': part.name, 'arguments': json.dumps(dict(part.arguments))},
        }
        for position, part in enumerate(reply.parts)
        if isinstance(part, Call)
    ]
    called: Mapping = {'tool_calls': calls} if calls else {}
    return [{'role': 'assistant', 'content': text or None, 'refusal': None, **called}]


def message(body: Mapping, messages: list[JsonValue], number: int) -> Mapping:
    """Return the whole answer."""
    calls = mapping(messages[0]).get('tool_calls')
    choice: Mapping = {'index': 0, 'message': messages[0], 'finish_reason': 'tool_calls' if calls else 'stop'}
    return {
        'id': f'chatcmpl_{number}',
        'object': 'chat.completion',
        'created': 1_760_000_000,
        'model': body.get('model'),
        'choices': [{**choice, 'logprobs': None}],
        'usage': {
            'prompt_tokens': tokens(body),
            'completion_tokens': tokens(messages),
            'total_tokens': tokens(body) + tokens(messages),
        },
    }


def events(answer: Mapping) -> Iterator[bytes]:
    """Yield the answer as server-sent events."""
    shell: Mapping = {**answer, 'object': 'chat.completion.chunk', 'usage': None}
    choice = mappings(answer['choices'])[0]
    for delta in _deltas(mapping(choice['message'])):
        yield _event({**shell, 'choices': [{'index': 0, 'delta': delta, 'finish_reason': None}]})
    end: Mapping = {'index': 0, 'delta': {}, 'finish_reason': choice['finish_reason']}
    yield _event({**shell, 'choices': [end]})
    yield _event({**shell, 'choices': [], 'usage': answer['usage']})
    yield b'data: [DONE]\n\n'


def _deltas(message: Mapping) -> Iterator[Mapping]:
    yield {'role': 'assistant', 'content': ''}
    for piece in halves(text(message['content'])):
        yield {'content': piece}
    for index, call in enumerate(mappings(message.get('tool_calls'))):
        function = mapping(call['function'])
        begun: Mapping = {'name': function['name'], 'arguments': ''}
        start: list[JsonValue] = [{**call, 'index': index, 'function': begun}]
        yield {'tool_calls': start}
        rest: list[JsonValue] = [{'index': index, 'function': {'arguments': function['arguments']}}]
        yield {'tool_calls': rest}


def _event(data: Mapping) -> bytes:
    return f'data: {compact(data)}\n\n'.encode()
