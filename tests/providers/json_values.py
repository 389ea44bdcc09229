"""Reading JSON of which nothing is known yet."""

import json
from collections.abc import Iterator

from pydantic import JsonValue

Mapping = dict[str, JsonValue]


def mapping(value: JsonValue) -> Mapping:
    """The object, or an empty one where the value is none."""
    return value if isinstance(value, dict) else {}


def mappings(value: JsonValue) -> list[Mapping]:
    """The objects in a list, or none where the value is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: JsonValue) -> str:
    """The string, or an empty one where the value is none."""
    return value if isinstance(value, str) else ''


def compact(value: JsonValue) -> str:
    """The value as one line of JSON, keys in the order they came."""
    return json.dumps(value, separators=(',', ':'), ensure_ascii=False)


def tokens(value: JsonValue) -> int:
    """About how many tokens the value has."""
    return -(-len(compact(value)) // 4)


def every_mapping(value: JsonValue) -> Iterator[Mapping]:
    """Each object in the value, at any depth, outer ones first."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from every_mapping(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from every_mapping(inner)


def halves(whole: str) -> list[str]:
    """The string in two pieces, as a stream would bring it; without empty ones."""
    middle = len(whole) // 2
    return [piece for piece in (whole[:middle], whole[middle:]) if piece]
