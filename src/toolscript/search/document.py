"""What is known of one tool, as the search sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

_MAX_DEPTH = 4
"""Schemas nest without end and may hold themselves; deeper than this they no longer say what a tool is for."""


@dataclass(frozen=True)
class Document:
    """One tool, described. Treat its schema as frozen too: an index is kept for as long as its documents are equal."""

    name: str
    description: str | None = None
    parameters: Mapping[str, Any] | None = None
    """The JSON schema of the arguments."""
    server: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parameters:
    """The texts of a parameter schema, by what they are."""

    names: tuple[str, ...]
    descriptions: tuple[str, ...]
    choices: tuple[str, ...]
    """Text values of `enum`."""


def parameters_of(schema: Mapping[str, Any] | None) -> Parameters:
    """The names, descriptions and choices found in `schema`; whatever is malformed counts as absent."""
    names: list[str] = []
    descriptions: list[str] = []
    choices: list[str] = []
    for name, node in _properties(schema, _MAX_DEPTH):
        names.append(name)
        if isinstance(text := node.get('description'), str):
            descriptions.append(text)
        if isinstance(values := node.get('enum'), list):
            choices += [value for value in cast('list[object]', values) if isinstance(value, str)]
    return Parameters(tuple(names), tuple(descriptions), tuple(choices))


def _properties(schema: object, depth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not depth or not isinstance(schema, Mapping):
        return
    node = cast('Mapping[str, Any]', schema)
    properties = node.get('properties')
    if isinstance(properties, Mapping):
        for name, child in cast('Mapping[object, object]', properties).items():
            yield str(name), cast('Mapping[str, Any]', child if isinstance(child, Mapping) else {})
            yield from _properties(cast('object', child), depth - 1)
    yield from _properties(node.get('items'), depth - 1)
