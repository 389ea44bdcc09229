"""Parsing and validating requests on OpenAI's Chat Completions wire."""

import json
from collections.abc import Iterator

from .json_values import Mapping, joined_text, mapping, mappings, text
from .reading import Line, Reading
from .responses_requests import function_complaints, wire_tool


def read(body: Mapping) -> Reading:
    """Return the request in terms common to all wires."""
    messages = mappings(body.get('messages'))
    return Reading(
        system='\n\n'.join(joined_text(message.get('content')) for message in messages if _is_system(message)),
        tools=tuple(wire_tool(function) for function in _functions(body)),
        lines=tuple(line for message in messages for line in _lines(message)),
        revealed=frozenset(),
        search=None,
    )


def rule_complaints(body: Mapping) -> Iterator[str]:
    """Yield what the provider refuses although the types allow it."""
    functions = _functions(body)
    yield from function_complaints(functions)
    yield from (
        f'tools: defer_loading of {tool.get("name")} is unknown here' for tool in functions if 'defer_loading' in tool
    )
    yield from _pair_complaints(mappings(body.get('messages')))


def _pair_complaints(messages: list[Mapping]) -> Iterator[str]:
    waiting = set[str]()
    for number, message in enumerate(messages):
        answered = text(message.get('tool_call_id'))
        if message.get('role') == 'tool':
            if answered not in waiting:
                yield f'messages.{number}: a tool message must respond to a preceding tool call, not to {answered!r}'
            waiting.discard(answered)
        elif waiting:
            yield f'messages.{number}: tool calls without a tool message in response: {sorted(waiting)}'
            waiting.clear()
        waiting |= {text(call.get('id')) for call in mappings(message.get('tool_calls'))}
    if waiting:
        yield f'messages: tool calls without a tool message in response: {sorted(waiting)}'


def _functions(body: Mapping) -> list[Mapping]:
    return [mapping(tool.get('function')) for tool in mappings(body.get('tools')) if tool.get('type') == 'function']


def _is_system(message: Mapping) -> bool:
    return message.get('role') in ('system', 'developer')


def _lines(message: Mapping) -> Iterator[Line]:
    role = message.get('role')
    if role == 'tool':
        yield Line('result', joined_text(message.get('content')), call_id=text(message.get('tool_call_id')))
    elif content := joined_text(message.get('content')):
        yield Line('assistant' if role == 'assistant' else 'system' if _is_system(message) else 'user', content)
    for call in mappings(message.get('tool_calls')):
        function = mapping(call.get('function'))
        arguments = mapping(json.loads(text(function.get('arguments')) or '{}'))
        yield Line('call', name=text(function.get('name')), call_id=text(call.get('id')), arguments=arguments)
