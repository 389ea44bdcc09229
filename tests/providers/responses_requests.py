"""Parsing and validating requests on OpenAI's Responses wire."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from pydantic import JsonValue

from .json_values import Mapping, compact, joined_text, mapping, mappings, text
from .reading import Line, Reading, WireTool

_TOOL_NAME = re.compile(r'[a-zA-Z0-9_-]{1,64}')


def read(body: Mapping) -> Reading:
    """Return the request in terms common to all wires."""
    items = mappings(body.get('input'))
    revealed = [tool for item in items if item.get('type') in _REVEALS for tool in mappings(item.get('tools'))]
    return Reading(
        system=text(body.get('instructions')),
        tools=tuple(wire_tool(tool) for tool in _functions(body.get('tools'))),
        lines=tuple(_user_said(body.get('input'))) + tuple(line for item in items for line in _lines(item)),
        revealed=frozenset(text(tool.get('name')) for tool in revealed),
        search=_search(body),
    )


def wire_tool(tool: Mapping) -> WireTool:
    """Return a function as OpenAI declares it, on either of its wires."""
    return WireTool(
        name=text(tool.get('name')),
        description=text(tool.get('description')),
        schema=mapping(tool.get('parameters')),
        deferred=tool.get('defer_loading') is True,
        entry=tool,
    )


def rule_complaints(body: Mapping) -> Iterator[str]:
    """Yield what the provider refuses although the types allow it."""
    functions = _functions(body.get('tools'))
    items = mappings(body.get('input'))
    yield from function_complaints(functions)
    for item in items:
        yield from function_complaints(_functions(item.get('tools')))
    if any(tool.get('defer_loading') for tool in functions) and _search(body) is None:
        yield 'tools.defer_loading: deferred tools require tools.tool_search'
    yield from _pair_complaints(items)
    yield from _namespace_complaints(body, items)


def function_complaints(functions: list[Mapping]) -> Iterator[str]:
    """Yield the errors in function declarations, on either of OpenAI's wires."""
    names = [text(tool.get('name')) for tool in functions]
    yield from (f'tools: tool names must be unique: {name}' for name, times in Counter(names).items() if times > 1)
    yield from (
        f'tools: {name!r} does not match {_TOOL_NAME.pattern}' for name in names if not _TOOL_NAME.fullmatch(name)
    )
    for tool in functions:
        schema = mapping(tool.get('parameters'))
        if schema.get('type') != 'object':
            yield f'tools: schema of {tool.get("name")} must be of type "object"'


def _pair_complaints(items: list[Mapping]) -> Iterator[str]:
    for call, output, words in (
        ('function_call', 'function_call_output', 'function call'),
        ('tool_search_call', 'tool_search_output', 'tool search call'),
    ):
        called = Counter(_call_id(item) for item in items if item.get('type') == call)
        answered = Counter(_call_id(item) for item in items if item.get('type') == output)
        yield from (f'input: no output found for {words} {one}' for one in sorted((called - answered).elements()))
        yield from (f'input: no {words} found for output {one}' for one in sorted((answered - called).elements()))


def _call_id(item: Mapping) -> str:
    # A search run by the provider has no call id: its output follows it directly.
    return text(item.get('call_id')) or 'without an id'


def _namespace_complaints(body: Mapping, items: list[Mapping]) -> Iterator[str]:
    ordinary = {tool.name for tool in read(body).tools if not tool.deferred}
    for item in items:
        name = item.get('name')
        if item.get('type') != 'function_call' or name in ordinary:
            continue
        if name in read(body).revealed and not item.get('namespace'):
            yield f'input: missing namespace for function_call {name!r}, which is not in the default namespace'


def _functions(tools: JsonValue) -> list[Mapping]:
    return [tool for tool in mappings(tools) if tool.get('type') == 'function']


def _search(body: Mapping) -> Literal['hosted', 'client'] | None:
    for tool in mappings(body.get('tools')):
        if tool.get('type') == 'tool_search':
            return 'client' if tool.get('execution') == 'client' else 'hosted'
    return None


def _user_said(content: JsonValue) -> Iterator[Line]:
    if isinstance(content, str):
        yield Line('user', content)


def _lines(item: Mapping) -> Iterator[Line]:
    kind, call_id = item.get('type', 'message'), text(item.get('call_id'))
    if kind == 'message':
        role = item.get('role')
        content = joined_text(item.get('content'))
        yield Line('assistant' if role == 'assistant' else 'user' if role == 'user' else 'system', content)
    elif kind == 'function_call':
        arguments = mapping(json.loads(text(item.get('arguments')) or '{}'))
        yield Line('call', name=text(item.get('name')), call_id=call_id, arguments=arguments)
    elif kind == 'tool_search_call':
        yield Line('call', name='tool_search', call_id=call_id, arguments=mapping(item.get('arguments')))
    elif kind == 'function_call_output':
        yield Line('result', joined_text(item.get('output')), call_id=call_id)
    elif kind in _REVEALS:
        yield Line('found', '\n'.join(text(tool.get('name')) for tool in mappings(item.get('tools'))), call_id=call_id)
    elif kind != 'reasoning':
        yield Line('system', compact(item))


_REVEALS = ('additional_tools', 'tool_search_output')
