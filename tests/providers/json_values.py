"""Accessors for JSON of unknown structure."""

import json
from collections.abc import Iterator

from pydantic import JsonValue

Mapping = dict[str, JsonValue]


def mapping(value: JsonValue) -> Mapping:
    """Return the object, or an empty one if the value is not an object."""
    return value if isinstance(value, dict) else {}


def mappings(value: JsonValue) -> list[Mapping]:
    """Return the objects in a list, or an empty list if the value is not a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: JsonValue) -> str:
    """Return the string, or an empty one if the value is not a string."""
    return value if isinstance(value, str) else ''


def joined_text(content: JsonValue) -> str:
    """Return content that is a string or a list of parts with text."""
    return content if isinstance(content, str) else '\n'.join(text(part.get('text')) for part in mappings(content))


def compact(value: JsonValue) -> str:
    """Return the value as one line of JSON, with keys in their original order."""
    return json.dumps(value, separators=(',', ':'), ensure_ascii=False)


def tokens(value: JsonValue) -> int:
    """Estimate the number of tokens of the value."""
    return -(-len(compact(value)) // 4)


def every_mapping(value: JsonValue) -> Iterator[Mapping]:
    """Yield each object in the value, at any depth, outer ones first."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from every_mapping(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from every_mapping(inner)


def halves(whole: str) -> list[str]:
    """Return the string in two non-empty pieces, as a stream would deliver it."""
    middle = len(whole) // 2
    return [piece for piece in (whole[:middle], whole[middle:]) if piece]
