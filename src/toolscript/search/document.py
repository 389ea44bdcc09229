"""What is known of one tool, as the search sees it."""

from __future__ import annotations

from collections.abc import ItemsView, Mapping
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

    names: list[str]
    descriptions: list[str]
    choices: list[str]
    """Text values of `enum`."""


def parameters_of(schema: Mapping[str, Any] | None) -> Parameters:
    """The names, descriptions and choices found in `schema`; whatever is malformed counts as absent."""
    found = Parameters([], [], [])
    _collect(schema, found, _MAX_DEPTH)
    return found


def _collect(schema: Mapping[str, Any] | None, found: Parameters, depth: int) -> None:
    if not schema or not depth:
        return
    for name, node in _entries(schema.get('properties')):
        found.names.append(str(name))
        if isinstance(node, dict):
            _collect_texts(cast('dict[str, Any]', node), found)
            _collect(cast('dict[str, Any]', node), found, depth - 1)
    if isinstance(items := schema.get('items'), dict):
        _collect(cast('dict[str, Any]', items), found, depth - 1)


def _collect_texts(node: dict[str, Any], found: Parameters) -> None:
    if isinstance(text := node.get('description'), str):
        found.descriptions.append(text)
    if isinstance(values := node.get('enum'), list):
        found.choices.extend(value for value in cast('list[object]', values) if isinstance(value, str))


def _entries(properties: object) -> ItemsView[object, object]:
    return cast('dict[object, object]', properties if isinstance(properties, dict) else {}).items()
