"""Parsing and validating requests on Anthropic's Messages wire."""

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping as AnyMapping
from typing import Literal

from pydantic import JsonValue

from .json_values import Mapping, every_mapping, joined_text, mapping, mappings, text
from .reading import Line, Reading, WireTool

_TOOL_NAME = re.compile(r'[a-zA-Z0-9_-]{1,128}')
_CALL_ID = re.compile(r'[a-zA-Z0-9_-]+')
_TOOL_CHANGES = 'mid-conversation-tool-changes-2026-07-01'


def read(body: Mapping) -> Reading:
    """Return the request in terms common to all wires."""
    blocks = [block for message in mappings(body.get('messages')) for block in _blocks(message)]
    return Reading(
        system='\n\n'.join(text(block.get('text')) for block in _as_blocks(body.get('system'))),
        tools=tuple(
            WireTool(
                name=text(tool.get('name')),
                description=text(tool.get('description')),
                schema=mapping(tool.get('input_schema')),
                deferred=tool.get('defer_loading') is True,
                entry=tool,
            )
            for tool in mappings(body.get('tools'))
            if 'input_schema' in tool
        ),
        lines=tuple(line for message in mappings(body.get('messages')) for line in _lines(message)),
        revealed=frozenset(name for block in blocks for name in _referenced(block)),
        search=_search(body),
    )


def rule_complaints(body: Mapping, headers: AnyMapping[str, str]) -> Iterator[str]:
    """Yield what the provider refuses although the types allow it."""
    if 'anthropic-version' not in headers:
        yield 'headers: anthropic-version is required'
    yield from _tool_complaints(body)
    yield from _cache_complaints(body)
    yield from _turn_complaints(mappings(body.get('messages')))
    yield from _reference_complaints(body, headers)
    for number, message in enumerate(mappings(body.get('messages'))):
        if any(block.get('type') == 'text' and not text(block.get('text')).strip() for block in _blocks(message)):
            yield f'messages.{number}: text content blocks must be non-empty'


def _tool_complaints(body: Mapping) -> Iterator[str]:
    tools = mappings(body.get('tools'))
    names = [text(tool.get('name')) for tool in tools]
    yield from (f'tools: tool names must be unique: {name}' for name, times in Counter(names).items() if times > 1)
    yield from (
        f'tools: {name!r} does not match {_TOOL_NAME.pattern}' for name in names if not _TOOL_NAME.fullmatch(name)
    )
    if tools and all(tool.get('defer_loading') is True for tool in tools):
        yield 'tools: at least one tool must not have defer_loading=true'


def _cache_complaints(body: Mapping) -> Iterator[str]:
    marked = [block for block in every_mapping(body) if block.get('cache_control')]
    if len(marked) > 4:
        yield f'a maximum of 4 blocks with cache_control may be provided, found {len(marked)}'
    if any(tool.get('defer_loading') is True for tool in marked):
        yield 'tools: tools with defer_loading cannot use prompt caching'


def _turn_complaints(messages: list[Mapping]) -> Iterator[str]:
    if not messages or messages[0].get('role') != 'user':
        yield 'messages: the first message must be from the user'
    ids = [text(block.get('id')) for message in messages for block in _uses(message)]
    yield from (f'messages: tool_use ids must be unique: {one}' for one, times in Counter(ids).items() if times > 1)
    yield from (f'messages: {one!r} does not match {_CALL_ID.pattern}' for one in ids if not _CALL_ID.fullmatch(one))
    for number, message in enumerate(messages):
        before = messages[number - 1] if number else {}
        after = messages[number + 1] if number + 1 < len(messages) else {}
        if missing := {text(use.get('id')) for use in _uses(message)} - _answered(after):
            yield f'messages.{number}: tool_use ids without tool_result in the next message: {sorted(missing)}'
        if stray := _answered(message) - {text(use.get('id')) for use in _uses(before)}:
            yield f'messages.{number}: tool_result without a tool_use in the message before: {sorted(stray)}'
        are_results = [block.get('type') == 'tool_result' for block in _blocks(message)]
        if are_results != sorted(are_results, reverse=True):
            yield f'messages.{number}: tool_result blocks must come first'
        if message.get('role') == 'system' and (before.get('role') == 'assistant' or after.get('role') == 'user'):
            yield f'messages.{number}: a system message must follow the user and precede the assistant'
        yield from _search_complaints(number, message)


def _search_complaints(number: int, message: Mapping) -> Iterator[str]:
    searched = {text(block.get('id')) for block in _blocks(message) if block.get('type') == 'server_tool_use'}
    found = {
        text(block.get('tool_use_id')) for block in _blocks(message) if block.get('type') == 'tool_search_tool_result'
    }
    if searched != found:
        yield f'messages.{number}: server_tool_use without its result, or the reverse: {sorted(searched ^ found)}'


def _reference_complaints(body: Mapping, headers: AnyMapping[str, str]) -> Iterator[str]:
    declared = {text(tool.get('name')) for tool in mappings(body.get('tools'))}
    for number, message in enumerate(mappings(body.get('messages'))):
        for block in _blocks(message):
            for name in _referenced(block):
                if name not in declared:
                    yield f'messages.{number}: tool reference {name!r} not found in available tools'
            if block.get('type') == 'tool_addition' and _TOOL_CHANGES not in headers.get('anthropic-beta', ''):
                yield f'messages.{number}: tool_addition requires the beta {_TOOL_CHANGES}'


def _as_blocks(content: JsonValue) -> list[Mapping]:
    return [{'type': 'text', 'text': content}] if isinstance(content, str) else mappings(content)


def _blocks(message: Mapping) -> list[Mapping]:
    return _as_blocks(message.get('content'))


def _uses(message: Mapping) -> list[Mapping]:
    return [block for block in _blocks(message) if block.get('type') == 'tool_use']


def _answered(message: Mapping) -> set[str]:
    return {text(block.get('tool_use_id')) for block in _blocks(message) if block.get('type') == 'tool_result'}


def _search(body: Mapping) -> Literal['bm25', 'regex'] | None:
    types = ' '.join(text(tool.get('type')) for tool in mappings(body.get('tools')))
    return 'bm25' if 'tool_search_tool_bm25' in types else 'regex' if 'tool_search_tool_regex' in types else None


def _referenced(block: Mapping) -> list[str]:
    """Return the names of the tools that a block reveals."""
    if block.get('type') == 'tool_addition':
        return [text(mapping(block.get('tool')).get('name'))]
    if block.get('type') == 'tool_search_tool_result':
        return [text(one.get('tool_name')) for one in mappings(mapping(block.get('content')).get('tool_references'))]
    if block.get('type') == 'tool_result':
        inner = mappings(block.get('content'))
        return [text(one.get('tool_name')) for one in inner if one.get('type') == 'tool_reference']
    return []


def _lines(message: Mapping) -> Iterator[Line]:
    for block in _blocks(message):
        if found := _referenced(block):
            yield Line('found', '\n'.join(found), call_id=text(block.get('tool_use_id')))
        elif block.get('type') == 'text':
            yield Line(_role(message.get('role')), text(block.get('text')))
        elif block.get('type') in ('tool_use', 'server_tool_use'):
            arguments = mapping(block.get('input'))
            yield Line('call', name=text(block.get('name')), call_id=text(block.get('id')), arguments=arguments)
        elif block.get('type') == 'tool_result':
            yield Line('result', joined_text(block.get('content')), call_id=text(block.get('tool_use_id')))


def _role(role: JsonValue) -> Literal['system', 'user', 'assistant']:
    return 'assistant' if role == 'assistant' else 'system' if role == 'system' else 'user'
