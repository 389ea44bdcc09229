"""How many tokens a request costs, and how many of them a cache that keeps every prefix would have served."""

from dataclasses import dataclass

from .json_values import Mapping, compact, mappings
from .sdk_types import Wire

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True)
class Usage:
    """Tokens, at four bytes each."""

    input: int
    """All of the request, the cached share included."""
    cached: int
    output: int


def count(request: bytes, earlier: list[bytes], answer: Mapping) -> Usage:
    """What a request of these bytes costs, given those before it."""
    shared = max((_common_prefix(request, other) for other in earlier), default=0)
    return Usage(_tokens(len(request)), shared // _BYTES_PER_TOKEN, _tokens(len(compact(answer).encode())))


def cache_key(wire: Wire, body: Mapping) -> bytes:
    """The bytes that a provider's cache compares, in its order: tools, system, messages.

    Deferred tools are no part of it: their schemas are not in the prompt until something reveals them.
    """
    tools = [tool for tool in mappings(body.get('tools')) if tool.get('defer_loading') is not True]
    system = {'anthropic': 'system', 'responses': 'instructions', 'chat': ''}[wire]
    messages = 'input' if wire == 'responses' else 'messages'
    sections = [compact(tool) for tool in tools]
    sections += [compact(body.get(system))] if system else []
    sections += [compact(message) for message in mappings(body.get(messages))] or [compact(body.get(messages))]
    return '\n'.join(sections).encode()


def _tokens(size: int) -> int:
    return -(-size // _BYTES_PER_TOKEN)


def _common_prefix(one: bytes, other: bytes) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low
