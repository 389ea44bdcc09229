"""Answers on Anthropic's Messages wire."""

import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

from .json_values import Mapping, compact, halves, mappings, text, tokens
from .reading import Reading
from .replies import Call, Reply, Say, Search, cannot


def content(reply: Reply, reading: Reading, number: int) -> list[JsonValue]:
    """Return the content blocks of the answer to request `number`."""
    return [
        block for position, part in enumerate(reply.parts) for block in _blocks(part, reading, f'{number}_{position}')
    ]


def message(body: Mapping, blocks: list[JsonValue], number: int) -> Mapping:
    """Return the whole answer."""
    return {
        'id': f'msg_{number}',
        'type': 'message',
        'role': 'assistant',
        'model': body.get('model'),
        'content': blocks,
        'stop_reason': 'tool_use' if any(block.get('type') == 'tool_use' for block in mappings(blocks)) else 'end_turn',
        'stop_sequence': None,
        'usage': {'input_tokens': tokens(body), 'output_tokens': tokens(blocks)},
    }


def failure(status: int, message: str) -> Mapping:
    """Return an error in the provider's format."""
    kind = 'invalid_request_error' if status == 400 else 'api_error'
    return {'type': 'error', 'error': {'type': kind, 'message': message}}


def events(answer: Mapping) -> Iterator[bytes]:
    """Yield the answer as server-sent events."""
    start: Mapping = {**answer, 'content': [], 'stop_reason': None}
    yield _event({'type': 'message_start', 'message': start})
    for index, block in enumerate(mappings(answer['content'])):
        yield _event({'type': 'content_block_start', 'index': index, 'content_block': _empty(block)})
        for delta in _deltas(block):
            yield _event({'type': 'content_block_delta', 'index': index, 'delta': delta})
        yield _event({'type': 'content_block_stop', 'index': index})
    end: Mapping = {'stop_reason': answer['stop_reason'], 'stop_sequence': None}
    yield _event({'type': 'message_delta', 'delta': end, 'usage': answer['usage']})
    yield _event({'type': 'message_stop'})


def _blocks(part: Say | Call | Search, reading: Reading, key: str) -> Iterator[Mapping]:
    match part:
        case Say(text):
            yield {'type': 'text', 'text': text}
        case Call(name, arguments):
            yield {'type': 'tool_use', 'id': f'toolu_{key}', 'name': name, 'input': dict(arguments)}
        case Search(query):
            yield from _search(query, reading, f'srvtoolu_{key}')


def _search(query: str, reading: Reading, key: str) -> Iterator[Mapping]:
    if reading.search not in ('bm25', 'regex'):
        cannot('The request offers no tool search that Anthropic runs.')
    argument = 'pattern' if reading.search == 'regex' else 'query'
    name = f'tool_search_tool_{reading.search}'
    yield {'type': 'server_tool_use', 'id': key, 'name': name, 'input': {argument: query}}
    yield {'type': 'tool_search_tool_result', 'tool_use_id': key, 'content': _found(query, reading)}


def _found(query: str, reading: Reading) -> Mapping:
    try:
        found = reading.find(query)
    except re.error:
        return {'type': 'tool_search_tool_result_error', 'error_code': 'invalid_tool_input', 'error_message': query}
    references: list[JsonValue] = [{'type': 'tool_reference', 'tool_name': name} for name in found]
    return {'type': 'tool_search_tool_search_result', 'tool_references': references}


def _empty(block: Mapping) -> Mapping:
    empty: dict[str, Mapping] = {'text': {'text': ''}, 'tool_use': {'input': {}}, 'server_tool_use': {'input': {}}}
    return {**block, **empty.get(text(block['type']), {})}


def _deltas(block: Mapping) -> Iterator[Mapping]:
    if block['type'] == 'text':
        for piece in halves(text(block['text'])):
            yield {'type': 'text_delta', 'text': piece}
    elif 'input' in block:
        for piece in halves(json.dumps(block['input'])):
            yield {'type': 'input_json_delta', 'partial_json': piece}


def _event(data: Mapping) -> bytes:
    return f'event: {data["type"]}\ndata: {compact(data)}\n\n'.encode()
