"""A request as a provider's cache sees it: a sequence of pieces, of which a prefix may be cached."""

from collections.abc import Iterator
from dataclasses import dataclass

from evals.measuring.tokenizer import Tokenizer
from tests.providers.json_values import Mapping, compact, mapping, mappings, text
from tests.providers.loopback import Request

_SYSTEM = {'anthropic': 'system', 'responses': 'instructions', 'chat': ''}
_MINIMUM, _STEP = {'anthropic': 1024, 'responses': 1024, 'chat': 1024}, {'anthropic': 1, 'responses': 128, 'chat': 128}
"""As Anthropic and OpenAI document: no prefix below 1,024 tokens is cached, and OpenAI's grow in steps of 128."""


@dataclass(frozen=True)
class PromptTokens:
    input: int
    """All tokens, including cached ones."""
    cached: int


def pieces(request: Request) -> list[str]:
    """Return the pieces of the request in the order in which providers read them: tools, system, messages.

    A deferred tool is read where something reveals it, so its declaration moves there.
    """
    body = request.body
    tools = mappings(body.get('tools'))
    deferred = {text(tool.get('name')): tool for tool in tools if tool.get('defer_loading') is True}
    system = body.get(_SYSTEM[request.wire]) if _SYSTEM[request.wire] else None
    messages = body.get('input') if request.wire == 'responses' else body.get('messages')
    rows = [compact(tool) for tool in tools if tool.get('defer_loading') is not True]
    rows += [compact(system)] if system else []
    for message in mappings(messages) or [{'content': messages}]:
        rows.append(compact(message))
        rows += [compact(deferred[name]) for name in _references(message) if name in deferred]
    return rows


def count(request: Request, before: Request | None, tokenizer: Tokenizer) -> PromptTokens:
    """Count the tokens of a request. Those shared with the previous one count as cached, by the provider's rules."""
    rows = pieces(request)
    shared = _shared(rows, pieces(before) if before else [], tokenizer)
    wire = request.wire
    cached = 0 if shared < _MINIMUM[wire] else shared // _STEP[wire] * _STEP[wire]
    return PromptTokens(sum(map(tokenizer.count, rows)), cached)


def _shared(rows: list[str], before: list[str], tokenizer: Tokenizer) -> int:
    total = 0
    for one, other in zip(rows, before, strict=False):
        if one != other:
            return total + tokenizer.count(_common_prefix(one, other))
        total += tokenizer.count(one)
    return total


def _common_prefix(one: str, other: str) -> str:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return one[:low]


def _references(message: Mapping) -> Iterator[str]:
    """Return the names of the deferred tools that an Anthropic message reveals."""
    for block in mappings(message.get('content')):
        if block.get('type') == 'tool_addition':
            yield text(mapping(block.get('tool')).get('name'))
        inner = mapping(block.get('content')).get('tool_references') or block.get('content')
        yield from (text(one.get('tool_name')) for one in mappings(inner) if one.get('type') == 'tool_reference')
