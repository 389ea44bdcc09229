"""Answers on OpenAI's Responses wire."""

import json
from collections.abc import Iterator

from pydantic import JsonValue

from .json_values import Mapping, compact, halves, mappings, text, tokens
from .reading import Reading
from .replies import Call, Reply, Say, Search, cannot


def content(reply: Reply, reading: Reading, number: int) -> list[JsonValue]:
    """Return the output items of the answer to request `number`."""
    return [item for position, part in enumerate(reply.parts) for item in _items(part, reading, f'{number}_{position}')]


def message(body: Mapping, items: list[JsonValue], number: int) -> Mapping:
    """Return the whole answer."""
    return {
        'id': f'resp_{number}',
        'object': 'response',
        'created_at': 1_760_000_000,
        'model': body.get('model'),
        'status': 'completed',
        'output': items,
        'parallel_tool_calls': True,
        'tool_choice': 'auto',
        'tools': list[JsonValue](),
        'usage': {
            'input_tokens': tokens(body),
            'input_tokens_details': {'cached_tokens': 0, 'cache_write_tokens': 0},
            'output_tokens': tokens(items),
            'output_tokens_details': {'reasoning_tokens': 0},
            'total_tokens': tokens(body) + tokens(items),
        },
    }


def failure(status: int, message: str) -> Mapping:
    """Return an error in the format of both OpenAI wires."""
    kind = 'invalid_request_error' if status == 400 else 'server_error'
    return {'error': {'message': message, 'type': kind, 'param': None, 'code': None}}


def events(answer: Mapping) -> Iterator[bytes]:
    """Yield the answer as server-sent events."""
    begun: Mapping = {**answer, 'status': 'in_progress', 'output': [], 'usage': None}
    steps: list[Mapping] = [{'type': 'response.created', 'response': begun}]
    for index, item in enumerate(mappings(answer['output'])):
        steps.extend({**step, 'output_index': index} for step in _steps(item))
    steps.append({'type': 'response.completed', 'response': answer})
    for number, step in enumerate(steps):
        data: Mapping = {**step, 'sequence_number': number}
        yield f'event: {data["type"]}\ndata: {compact(data)}\n\n'.encode()


def _items(part: Say | Call | Search, reading: Reading, key: str) -> Iterator[Mapping]:
    match part:
        case Say(text):
            texts: list[JsonValue] = [{'type': 'output_text', 'text': text, 'annotations': []}]
            yield {'type': 'message', 'id': f'msg_{key}', 'role': 'assistant', 'status': 'completed', 'content': texts}
        case Call(name, arguments):
            outside = any(tool.name == name and tool.deferred for tool in reading.tools) or (
                name in reading.revealed and all(tool.name != name for tool in reading.tools)
            )
            # Tools revealed later are in a namespace of their own name.
            namespace: Mapping = {'namespace': name} if outside else {}
            yield {
                **namespace,
                'type': 'function_call',
                'id': f'fc_{key}',
                'call_id': f'call_{key}',
                'name': name,
                'arguments': json.dumps(dict(arguments)),
                'status': 'completed',
            }
        case Search(query):
            yield from _search(query, reading, key)


def _search(query: str, reading: Reading, key: str) -> Iterator[Mapping]:
    if reading.search not in ('hosted', 'client'):
        cannot('The request offers no tool search.')
    here = reading.search == 'client'
    execution, call_id = ('client', f'call_{key}') if here else ('server', None)
    shared: Mapping = {'execution': execution, 'status': 'completed', 'call_id': call_id}
    found = set(reading.find(query))
    # The hosted search is queried for the tools themselves, not for words.
    words: list[JsonValue] = [query] if here else [*sorted(found)]
    arguments: Mapping = {'queries' if here else 'paths': words}
    yield {'type': 'tool_search_call', 'id': f'tsc_{key}', 'arguments': arguments, **shared}
    if not here:
        tools: list[JsonValue] = [tool.entry for tool in reading.tools if tool.name in found]
        yield {'type': 'tool_search_output', 'id': f'tso_{key}', 'tools': tools, **shared}


def _steps(item: Mapping) -> Iterator[Mapping]:
    yield {'type': 'response.output_item.added', 'item': {**item, **_begun(item)}}
    key = item.get('id')
    if item['type'] == 'message':
        yield from _text_steps(item)
    elif item['type'] == 'function_call':
        arguments = text(item['arguments'])
        for piece in halves(arguments):
            yield {'type': 'response.function_call_arguments.delta', 'item_id': key, 'delta': piece}
        done = 'response.function_call_arguments.done'
        yield {'type': done, 'item_id': key, 'name': item['name'], 'arguments': arguments}
    yield {'type': 'response.output_item.done', 'item': item}


def _text_steps(item: Mapping) -> Iterator[Mapping]:
    place: Mapping = {'item_id': item['id'], 'content_index': 0}
    for part in mappings(item['content']):
        yield {**place, 'type': 'response.content_part.added', 'part': {**part, 'text': ''}}
        for piece in halves(text(part['text'])):
            yield {**place, 'type': 'response.output_text.delta', 'delta': piece, 'logprobs': []}
        yield {**place, 'type': 'response.output_text.done', 'text': part['text'], 'logprobs': []}
        yield {**place, 'type': 'response.content_part.done', 'part': part}


def _begun(item: Mapping) -> Mapping:
    begun: dict[str, Mapping] = {
        'message': {'content': [], 'status': 'in_progress'},
        'function_call': {'arguments': '', 'status': 'in_progress'},
        'tool_search_call': {'arguments': {}, 'status': 'in_progress'},
    }
    return begun.get(text(item['type']), {})
